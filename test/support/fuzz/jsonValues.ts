import type { Random } from './random';

/** Texts that somebody once fell over. */
const TEXTS = [
	'',
	' ',
	'a',
	'colour',
	'__proto__',
	'constructor',
	'toString',
	'hasOwnProperty',
	'0',
	'-1',
	'null',
	'\u0000',
	'\ud800',
	'\u202e\u2066 rtl',
	'👩‍👩‍👧‍👦',
	'e\u0301',
	'ß',
	'</script>',
	'~0~1/%25#',
	'$ref',
	'2026-11-03',
	'2026-11-03T09:30:00Z',
	'somebody@example.org',
	'https://example.org/page',
	'123e4567-e89b-12d3-a456-426614174000',
] as const;

const NUMBERS = [
	0,
	-0,
	1,
	-1,
	0.1,
	1e-7,
	1e21,
	1e308,
	-1e308,
	5e-324,
	2 ** 31,
	2 ** 53,
	2 ** 53 + 2,
	0.30000000000000004,
] as const;

export const randomText = (random: Random): string =>
	random.chance(0.8)
		? random.pick(TEXTS)
		: String.fromCharCode(
				...Array.from({ length: random.int(0, 12) }, () => random.int(32, 0xffff)),
			);

export const randomNumber = (random: Random): number =>
	random.chance(0.6) ? random.pick(NUMBERS) : random.int(-100, 100);

/** Any JSON value, nested at most `depth` levels. */
export function randomValue(random: Random, depth = 4): unknown {
	const kind = random.int(0, depth > 0 ? 6 : 4);
	switch (kind) {
		case 0:
			return null;
		case 1:
			return random.chance(0.5);
		case 2:
			return randomNumber(random);
		case 3:
		case 4:
			return randomText(random);
		case 5:
			return Array.from({ length: random.int(0, 5) }, () => randomValue(random, depth - 1));
		default:
			return objectOf(
				Array.from({ length: random.int(0, 5) }, () => [
					randomText(random),
					randomValue(random, depth - 1),
				]),
			);
	}
}

/** An object as JSON.parse makes it: `__proto__` is a property like any other. */
export const objectOf = (
	entries: readonly (readonly [string, unknown])[],
): Record<string, unknown> => Object.fromEntries(entries);

/** A value of many bytes, as a POST under the cap may bring it. */
export function largeValue(random: Random): unknown {
	switch (random.int(0, 9)) {
		case 0:
			return 'a'.repeat(1_000_000);
		case 1:
			return `${'a'.repeat(300_000)}!`;
		case 2:
			return Array.from({ length: 200_000 }, (_, at) => at);
		case 3:
			return Array.from({ length: 60_000 }, (_, at) => ({ at }));
		case 4:
			return objectOf(Array.from({ length: 50_000 }, (_, at) => [`p${String(at)}`, at]));
		case 5:
			return nested(190, (inner) => ({ a: inner, b: inner === undefined ? 1 : 'b' }));
		case 6:
			return nested(190, (inner) => [inner, 1]);
		case 7:
			return objectOf([['k'.repeat(500_000), { a: 1, b: [1, 'x'], c: null }]]);
		case 8:
			return new Array<unknown>(300_000).fill('same');
		default:
			return Array.from({ length: 20_000 }, () => ({ a: 'x', b: [1, 2], c: { d: null } }));
	}
}

export function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
	let value: unknown;
	for (let level = 0; level < levels; level += 1) value = wrap(value);
	return value;
}
