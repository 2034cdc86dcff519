import { isPlainObject, own, type PlainObject } from '../../json/plainObject';

const MAX_STEPS = 64;
const MERGED_UNIONS = ['anyOf', 'oneOf'];

/** A schema with its references followed and its parts put together. */
export interface FlatSchema {
	readonly schema: PlainObject;
	/** Null is allowed beside what the schema says. */
	readonly nullable: boolean;
}

/** The place that a local reference names; undefined for one that leads nowhere or out of the schema. */
export function lookUp(root: unknown, reference: string): unknown {
	if (reference !== '#' && !reference.startsWith('#/')) return undefined;
	let place = root;
	for (const part of reference.split('/').slice(1)) {
		const name = decodePart(part);
		if (Array.isArray(place)) place = place[Number(name)];
		else if (isPlainObject(place)) place = own(place, name);
		else return undefined;
	}
	return place;
}

function decodePart(part: string): string {
	const pointer = part.replaceAll('~1', '/').replaceAll('~0', '~');
	try {
		return decodeURIComponent(pointer);
	} catch {
		return pointer;
	}
}

/**
 * Follows `$ref`, puts the parts of `allOf` together (conditions stay apart, in `allOf`) and takes null out of a
 * union. Undefined for a cycle, for a reference that leads nowhere, and for what allows nothing.
 */
export function flatten(
	root: unknown,
	start: unknown,
	steps = { left: MAX_STEPS },
): FlatSchema | undefined {
	if (start === true) return { schema: {}, nullable: false };
	if (!isPlainObject(start) || steps.left-- <= 0) return undefined;
	const reference = own(start, '$ref');
	if (typeof reference === 'string') {
		const target = flatten(root, lookUp(root, reference), steps);
		return target && reflatten(root, target, omit(start, '$ref'), steps);
	}
	const parts = own(start, 'allOf');
	if (Array.isArray(parts)) return flattenParts(root, omit(start, 'allOf'), parts, steps);
	for (const keyword of MERGED_UNIONS) {
		const members = own(start, keyword);
		if (!Array.isArray(members) || !members.some(isNullType)) continue;
		const others: unknown[] = members.filter((member) => !isNullType(member));
		const [only] = others;
		if (others.length > 1) {
			return { schema: { ...start, [keyword]: others }, nullable: true };
		}
		const target = only === undefined ? undefined : flatten(root, only, steps);
		const merged = target && reflatten(root, target, omit(start, keyword), steps);
		if (merged !== undefined) return { ...merged, nullable: true };
	}
	const type = own(start, 'type');
	if (!Array.isArray(type) || !type.includes('null') || type.length === 1) {
		return { schema: start, nullable: false };
	}
	const others: unknown[] = type.filter((name) => name !== 'null');
	return { schema: { ...start, type: others.length === 1 ? others[0] : others }, nullable: true };
}

/** The flattened target of a keyword with the keywords beside it; those beside win. */
function reflatten(
	root: unknown,
	target: FlatSchema,
	beside: PlainObject,
	steps: { left: number },
): FlatSchema | undefined {
	const rest = flatten(root, beside, steps);
	return (
		rest && {
			schema: merge(target.schema, rest.schema),
			nullable: target.nullable || rest.nullable,
		}
	);
}

function flattenParts(
	root: unknown,
	base: PlainObject,
	parts: readonly unknown[],
	steps: { left: number },
): FlatSchema | undefined {
	let merged = flatten(root, base, steps);
	const conditions: unknown[] = [];
	const saysKind = ({ schema }: FlatSchema) =>
		['type', 'enum', 'const'].some((key) => Object.hasOwn(schema, key));
	const allowsNull = (flat: FlatSchema) => flat.nullable || !saysKind(flat);
	let isNamed = merged?.nullable ?? false;
	let nullable = merged !== undefined && allowsNull(merged);
	for (const part of parts) {
		if (isPlainObject(part) && Object.hasOwn(part, 'if')) {
			conditions.push(part);
			continue;
		}
		const flat = flatten(root, part, steps);
		if (flat === undefined || merged === undefined) return undefined;
		nullable = nullable && allowsNull(flat);
		isNamed = isNamed || flat.nullable;
		merged = {
			schema: combine(merged.schema, flat.schema, { ...flat.schema, ...merged.schema }),
			nullable: nullable && isNamed,
		};
	}
	if (merged === undefined || conditions.length === 0) return merged;
	const given = own(merged.schema, 'allOf');
	const known: readonly unknown[] = Array.isArray(given) ? given : [];
	return {
		nullable: nullable && isNamed,
		schema: { ...merged.schema, allOf: [...known, ...conditions] },
	};
}

/** Two schemas as one, the second one's keywords before the first one's. */
const merge = (first: PlainObject, second: PlainObject): PlainObject =>
	combine(first, second, { ...first, ...second });

/** The keywords of `rest` with the properties and the required names of both, the first one's before the second's. */
function combine(first: PlainObject, second: PlainObject, rest: PlainObject): PlainObject {
	const properties = mergeProperties(own(first, 'properties'), own(second, 'properties'));
	const required = [own(first, 'required'), own(second, 'required')].filter(Array.isArray).flat();
	return {
		...rest,
		...(properties === undefined ? {} : { properties }),
		...(required.length === 0 ? {} : { required }),
	};
}

function mergeProperties(first: unknown, second: unknown): PlainObject | undefined {
	if (!isPlainObject(first)) return isPlainObject(second) ? second : undefined;
	if (!isPlainObject(second)) return first;
	const entries = new Map(Object.entries(first));
	for (const [name, schema] of Object.entries(second)) {
		const known = entries.get(name);
		entries.set(name, known === undefined ? schema : { allOf: [known, schema] });
	}
	return Object.fromEntries(entries);
}

const omit = (schema: PlainObject, keyword: string): PlainObject =>
	Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));

const isNullType = (member: unknown) =>
	isPlainObject(member) && (own(member, 'type') === 'null' || own(member, 'const') === null);
