import { isPlainObject, own, type PlainObject } from '../json/plainObject';

export interface Resolved {
	readonly schema: PlainObject;
	/** Null was one of the allowed types. */
	readonly nullable: boolean;
}

const MAX_STEPS = 32;

/**
 * Looks through local references, single-member `allOf` and unions with null, until a schema that says what it is.
 * Keywords beside a reference win over those behind it. Undefined for a cycle, or a reference that leads nowhere.
 */
export function resolveField(root: unknown, start: unknown): Resolved | undefined {
	if (start === true) return { schema: {}, nullable: false };
	let schema = start;
	let nullable = false;
	for (let step = 0; step < MAX_STEPS; step++) {
		if (!isPlainObject(schema)) return undefined;
		const reference = own(schema, '$ref');
		const union = unionWithNull(schema);
		if (typeof reference === 'string') {
			schema = beside(schema, '$ref', lookUp(root, reference));
		} else if (union !== undefined) {
			schema = beside(schema, union.keyword, union.other);
			nullable = true;
		} else if (onlyMember(schema) !== undefined) {
			schema = beside(schema, 'allOf', onlyMember(schema));
		} else {
			return withoutNullType(schema, nullable);
		}
	}
	return undefined;
}

function beside(schema: PlainObject, keyword: string, target: unknown): unknown {
	if (target === true) return omit(schema, keyword);
	return isPlainObject(target) ? { ...target, ...omit(schema, keyword) } : undefined;
}

const omit = (schema: PlainObject, keyword: string): PlainObject =>
	Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));

/** What a reference inside the schema leads to; undefined for any other reference. */
export function lookUp(root: unknown, reference: string): unknown {
	if (!reference.startsWith('#')) return undefined;
	let place = root;
	for (const part of reference.split('/').slice(1)) {
		const name = decodePart(part);
		if (Array.isArray(place)) place = place[Number(name)];
		else if (isPlainObject(place)) place = own(place, name);
		else return undefined;
	}
	return reference === '#' || reference.startsWith('#/') ? place : undefined;
}

function decodePart(part: string): string {
	const pointer = part.replaceAll('~1', '/').replaceAll('~0', '~');
	try {
		return decodeURIComponent(pointer);
	} catch {
		return pointer;
	}
}

/** Null left out of a union: its one other member, or the union of the others. */
function unionWithNull(schema: PlainObject) {
	for (const keyword of ['anyOf', 'oneOf']) {
		const members = own(schema, keyword);
		const others = withoutNullMembers(members);
		if (others === undefined || others.length === 0) continue;
		if (Array.isArray(members) && others.length === members.length) continue;
		return others.length === 1
			? { keyword, other: others[0] }
			: { keyword, other: { [keyword]: others } };
	}
	return undefined;
}

/** The members of a union that are not just null; undefined for what is no list. */
export const withoutNullMembers = (members: unknown): readonly unknown[] | undefined =>
	Array.isArray(members) ? members.filter((member) => !isNull(member)) : undefined;

const isNull = (member: unknown) =>
	isPlainObject(member) && (own(member, 'type') === 'null' || own(member, 'const') === null);

function onlyMember(schema: PlainObject): unknown {
	const members = own(schema, 'allOf');
	return Array.isArray(members) && members.length === 1 ? members[0] : undefined;
}

function withoutNullType(schema: PlainObject, nullable: boolean): Resolved {
	const type = own(schema, 'type');
	if (!Array.isArray(type) || !type.includes('null')) return { schema, nullable };
	const others: unknown[] = type.filter((name) => name !== 'null');
	return { schema: { ...schema, type: others.length === 1 ? others[0] : others }, nullable: true };
}
