import type { Json } from '../../scripts/host/json';

const TEXTS: Readonly<Record<string, string>> = {
	date: '2026-11-03',
	time: '09:30:00Z',
	'date-time': '2026-11-03T09:30:00Z',
	email: 'someone@example.org',
	uri: 'https://example.org/page',
	url: 'https://example.org/page',
	uuid: '2f1e5d3c-7b8a-4c9d-8e0f-1a2b3c4d5e6f',
	ipv4: '192.0.2.1',
	ipv6: '2001:db8::1',
	hostname: 'example.org',
};

/** Tried in turn where a text must match a pattern. */
const CANDIDATES: readonly string[] = [
	...Object.values(TEXTS),
	...['a', 'abc', '1', '12', '2026-11', '10:30', '1h', '#a1b2c3', '/a/b', 'a/b', 'A-1', 'ABC'],
	...['2026-01-01to2026-02-01', 'main', '0123456789abcdef0123456789abcdef', 'https://example.org/'],
	...['a@b', 'en', 'en-US', '0'.repeat(40), 'a'.repeat(24), 'x.y', '{}', '/', '1.2.3', '$a', '0x1'],
];

const DEEPEST = 6;

/** Which optional properties of objects are filled in. */
export type Extent = 'all' | 'required';

/** A value that fits a schema, the same one each time; throws where it finds none. Written apart from the product's own reading of schemas. */
export function fittingValue(
	root: unknown,
	schema: unknown,
	extent: Extent = 'all',
	depth = 0,
): unknown {
	if (schema === true || schema === undefined) return 'anything';
	if (typeof schema !== 'object' || schema === null) throw new Error('nothing fits');
	const part = schema as Json;
	const inner = (other: unknown) => fittingValue(root, other, extent, depth);
	if (typeof part.$ref === 'string') return inner(pointedAt(root, part.$ref));
	if ('const' in part) return part.const;
	if (Array.isArray(part.enum)) return part.enum[0];
	for (const members of [part.anyOf, part.oneOf])
		if (Array.isArray(members)) return inner({ ...without(part), ...(members[0] as Json) });
	if (Array.isArray(part.allOf)) {
		const [first, ...rest] = part.allOf as readonly Json[];
		return inner(Object.assign({}, without(part), first, ...rest));
	}
	switch (Array.isArray(part.type) ? (part.type as unknown[])[0] : (part.type ?? kindOf(part))) {
		case 'string':
			return fittingText(part);
		case 'integer':
		case 'number':
			return fittingNumber(part);
		case 'boolean':
			return true;
		case 'null':
			return null;
		case 'array':
			return fittingList(root, part, extent, depth);
		case 'object':
			return fittingObject(root, part, extent, depth);
		default:
			return 'anything';
	}
}

/** A fitting value for each alternative that a schema offers: member of a union, type, value of an enumeration. */
export function fittingValues(root: unknown, schema: unknown): readonly unknown[] {
	if (typeof schema !== 'object' || schema === null) return [fittingValue(root, schema)];
	const part = schema as Json;
	if (typeof part.$ref === 'string') return fittingValues(root, pointedAt(root, part.$ref));
	const members = part.anyOf ?? part.oneOf;
	if (Array.isArray(members)) {
		return members.flatMap((member) =>
			fittingValues(root, { ...without(part), ...(member as Json) }),
		);
	}
	if (Array.isArray(part.enum)) return part.enum as readonly unknown[];
	return Array.isArray(part.type)
		? part.type.map((type: unknown) => fittingValue(root, { ...part, type }))
		: [fittingValue(root, part)];
}

function without({ anyOf: _any, oneOf: _one, allOf: _all, ...rest }: Json): Json {
	return rest;
}

function kindOf(part: Json): string | undefined {
	if ('properties' in part || 'additionalProperties' in part) return 'object';
	return 'items' in part ? 'array' : undefined;
}

function pointedAt(root: unknown, reference: string): unknown {
	let place = root;
	for (const step of reference.split('/').slice(1)) {
		place = (place as Json)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
	}
	if (!reference.startsWith('#')) throw new Error(`nothing is known of ${reference}`);
	return place;
}

/** A text within the limits of a schema of type string. */
function fittingText(part: Json): string {
	const { pattern, format, minLength = 0, maxLength = Infinity } = part;
	const fits = (text: string) =>
		text.length >= Number(minLength) &&
		text.length <= Number(maxLength) &&
		(typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text));
	const named = typeof format === 'string' ? TEXTS[format] : undefined;
	const found = [...(named === undefined ? [] : [named]), 'words in a text', ...CANDIDATES].find(
		fits,
	);
	const long = 'x'.repeat(Number(minLength));
	if (found === undefined && !fits(long)) throw new Error(`no text fits ${JSON.stringify(part)}`);
	return found ?? long;
}

/** A number within the limits of a schema of type number or integer. */
function fittingNumber(part: Json): number {
	const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf = 1 } = part;
	const least = Math.max(
		typeof minimum === 'number' ? minimum : -Infinity,
		typeof exclusiveMinimum === 'number' ? exclusiveMinimum + Number(multipleOf) : -Infinity,
	);
	const most = Math.min(
		typeof maximum === 'number' ? maximum : Infinity,
		typeof exclusiveMaximum === 'number' ? exclusiveMaximum - Number(multipleOf) : Infinity,
	);
	return Math.min(most, Math.max(least, Number(multipleOf)));
}

function fittingList(root: unknown, part: Json, extent: Extent, depth: number): unknown[] {
	const { minItems = 0, items = true, prefixItems } = part;
	const places = Array.isArray(items) ? items : prefixItems;
	const leading = Array.isArray(places) ? (places as unknown[]) : [];
	const count = Math.max(Number(minItems), extent === 'all' && depth < DEEPEST ? 1 : 0);
	return Array.from({ length: Math.max(count, leading.length) }, (_, index) =>
		fittingValue(root, leading[index] ?? (Array.isArray(items) ? true : items), extent, depth + 1),
	);
}

function fittingObject(root: unknown, part: Json, extent: Extent, depth: number): Json {
	const properties = (part.properties ?? {}) as Json;
	const required = (part.required ?? []) as readonly string[];
	const names =
		extent === 'all' && depth < DEEPEST
			? [...new Set([...Object.keys(properties), ...required])]
			: required;
	return Object.fromEntries(
		names.map((name) => [name, fittingValue(root, properties[name], extent, depth + 1)]),
	);
}
