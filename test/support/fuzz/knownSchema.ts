import { entryPath, propertyPath } from '../../../src/json/jsonPath';
import { objectOf } from './jsonValues';
import type { Random } from './random';

/** A schema made together with what fits it and what does not. */
export interface Known {
	readonly schema: unknown;
	readonly good: (random: Random) => unknown;
	/** A value that does not fit, and the path where that has to be said. */
	readonly bad: (
		random: Random,
		path: string,
	) => { readonly value: unknown; readonly path: string };
}

export interface Dialect {
	readonly $schema?: string;
	readonly definitions: '$defs' | 'definitions';
	readonly tuple: 'prefixItems' | 'items';
	readonly exclusive: 'number' | 'boolean';
}

export const DIALECTS: readonly [Dialect, ...Dialect[]] = [
	{ definitions: '$defs', tuple: 'prefixItems', exclusive: 'number' },
	{
		$schema: 'https://json-schema.org/draft/2019-09/schema',
		definitions: '$defs',
		tuple: 'items',
		exclusive: 'number',
	},
	{
		$schema: 'http://json-schema.org/draft-07/schema#',
		definitions: 'definitions',
		tuple: 'items',
		exclusive: 'number',
	},
	{
		$schema: 'http://json-schema.org/draft-04/schema#',
		definitions: 'definitions',
		tuple: 'items',
		exclusive: 'boolean',
	},
];

const NAMES = ['a', 'b', 'note', 'odd name', 'constructor', '__proto__', 'ü/~', ''] as const;

interface TextRule {
	readonly rule: object;
	readonly good: readonly string[];
	readonly bad: readonly string[];
}

/** Texts for a format or a pattern: some that fit, and some that do not. */
const TEXTS: readonly [TextRule, ...TextRule[]] = [
	{ rule: { format: 'date' }, good: ['2026-11-03', '2024-02-29'], bad: ['2026-02-30', 'x', ''] },
	{ rule: { format: 'email' }, good: ['a@b.co'], bad: ['nobody', '@', 'a b@c.de'] },
	{ rule: { format: 'ipv4' }, good: ['127.0.0.1'], bad: ['256.1.1.1', '1.1.1'] },
	{ rule: { format: 'uuid' }, good: ['123e4567-e89b-12d3-a456-426614174000'], bad: ['123', 'x'] },
	{ rule: { pattern: '^a+$' }, good: ['a', 'aaa'], bad: ['', 'ab', 'b'] },
	{ rule: { pattern: '\\d' }, good: ['x1', '2'], bad: ['x', ''] },
	{ rule: { minLength: 2 }, good: ['ab', '👍👍', 'abc'], bad: ['', 'a', '👍'] },
	{ rule: { maxLength: 2 }, good: ['', 'ab', '👍👍'], bad: ['abc', '👍👍👍'] },
	{ rule: { enum: ['x', 'y', '__proto__'] }, good: ['x', '__proto__'], bad: ['', 'X', 'z'] },
];

/** A known schema nested at most `depth` levels; parts that are referred to go into `library`. */
export function knownSchema(
	random: Random,
	dialect: Dialect,
	depth: number,
	library: Map<string, unknown>,
): Known {
	const kind = random.int(0, depth > 0 ? 9 : 4);
	const inner = () => knownSchema(random, dialect, depth - 1, library);
	switch (kind) {
		case 0:
			return typed('boolean', {}, (at) => at.chance(0.5), []);
		case 1:
			return knownInteger(random, dialect);
		case 2:
		case 3:
			return knownText(random);
		case 4:
			return typed('null', {}, () => null, []);
		case 5:
			return knownTuple(dialect, [inner(), inner()]);
		case 6:
			return knownList(random, inner());
		case 7:
			return referred(dialect, inner(), library);
		case 8:
			return orNull(inner());
		default:
			return knownObject(random, inner);
	}
}

const OF_EACH_TYPE: readonly (readonly [string, unknown])[] = [
	['boolean', true],
	['integer', 1],
	['string', 'text'],
	['null', null],
	['array', []],
	['object', {}],
];

/** A value of any other type. */
function otherType(random: Random, type: string): unknown {
	const others = OF_EACH_TYPE.filter(([name]) => name !== type);
	return others[random.int(0, others.length - 1)]?.[1];
}

type Wrong = (random: Random, path: string) => { readonly value: unknown; readonly path: string };

function typed(
	type: string,
	rules: object,
	good: (random: Random) => unknown,
	wrongs: readonly Wrong[],
): Known {
	return {
		schema: { type, ...rules },
		good,
		bad: (random, path) => {
			const wrong = wrongs[random.int(0, wrongs.length)];
			return wrong === undefined ? { value: otherType(random, type), path } : wrong(random, path);
		},
	};
}

function knownInteger(random: Random, dialect: Dialect): Known {
	const low = random.int(-5, 5);
	const high = low + random.int(2, 9);
	const rules =
		dialect.exclusive === 'number'
			? { minimum: low, exclusiveMaximum: high }
			: { minimum: low, maximum: high, exclusiveMaximum: true };
	const wrong: Wrong = (at, path) => ({
		value: at.pick([low - 1, high, low + 0.5, 1e300, -1e300]),
		path,
	});
	return typed('integer', rules, (at) => at.int(low, high - 1), [wrong]);
}

function knownText(random: Random): Known {
	const { rule, good, bad } = random.pick(TEXTS);
	const any = (at: Random, texts: readonly string[]) => texts[at.int(0, texts.length - 1)];
	const wrong: Wrong = (at, path) => ({ value: any(at, bad), path });
	return typed('string', rule, (at) => any(at, good), [wrong]);
}

function knownTuple(dialect: Dialect, parts: readonly Known[]): Known {
	const good = (at: Random) => parts.map((part) => part.good(at));
	const wrong: Wrong = (at, path) => {
		const index = at.int(0, parts.length - 1);
		const found = parts[index]?.bad(at, entryPath(path, String(index)));
		return { value: good(at).with(index, found?.value), path: found?.path ?? '' };
	};
	const schemas = parts.map(({ schema }) => schema);
	return typed('array', { [dialect.tuple]: schemas, minItems: parts.length }, good, [
		wrong,
		(at, path) => ({ value: good(at).slice(1), path }),
	]);
}

function knownList(random: Random, part: Known): Known {
	const most = random.int(2, 5);
	const good = (at: Random) => Array.from({ length: at.int(1, most) }, () => part.good(at));
	const wrong: Wrong = (at, path) => {
		const list = good(at);
		const index = at.int(0, list.length - 1);
		const found = part.bad(at, entryPath(path, String(index)));
		return { value: list.with(index, found.value), path: found.path };
	};
	return typed('array', { items: part.schema, minItems: 1, maxItems: most }, good, [
		wrong,
		(_, path) => ({ value: [], path }),
		(at, path) => ({ value: Array.from({ length: most + 1 }, () => part.good(at)), path }),
	]);
}

function referred(dialect: Dialect, part: Known, library: Map<string, unknown>): Known {
	const name = `part ${String(library.size)}/~%`;
	library.set(name, part.schema);
	const pointer = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
	return { ...part, schema: { $ref: `#/${dialect.definitions}/${pointer}` } };
}

function orNull(part: Known): Known {
	return {
		schema: { anyOf: [part.schema, { type: 'null' }] },
		good: (at) => (at.chance(0.3) ? null : part.good(at)),
		bad: (at, path) => {
			for (;;) {
				const found = part.bad(at, path);
				// Inside a union the place is told, or the union itself.
				if (found.value !== null) return { value: found.value, path };
			}
		},
	};
}

function knownObject(random: Random, inner: () => Known): Known {
	const names = random.shuffled(NAMES).slice(0, random.int(1, 4));
	const parts = names.map((name) => ({ name, part: inner(), required: random.chance(0.6) }));
	const fill = (at: Random, leave: (name: string) => boolean) =>
		parts
			.filter(({ name, required }) => !leave(name) && (required || at.chance(0.6)))
			.map(({ name, part }) => [name, part.good(at)] as const);
	const wrongs: Wrong[] = [
		(at, path) => {
			const { name, part } = at.pick(parts as [(typeof parts)[number]]);
			const found = part.bad(at, propertyPath(path, name));
			const rest = fill(at, (other) => other === name);
			return { value: objectOf([...rest, [name, found.value]]), path: found.path };
		},
		(at, path) => ({
			value: objectOf([...fill(at, () => false), ['surplus', 1]]),
			path: propertyPath(path, 'surplus'),
		}),
	];
	const needed = parts.filter(({ required }) => required);
	const [first, ...others] = needed;
	if (first !== undefined) {
		wrongs.push((at, path) => {
			const { name } = at.pick([first, ...others]);
			return {
				value: objectOf(fill(at, (other) => other === name)),
				path: propertyPath(path, name),
			};
		});
	}
	const rules = {
		properties: objectOf(parts.map(({ name, part }) => [name, part.schema])),
		...(needed.length > 0 ? { required: needed.map(({ name }) => name) } : {}),
		additionalProperties: false,
	};
	return typed('object', rules, (at) => objectOf(fill(at, () => false)), wrongs);
}
