import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import { lookUp, withoutNullMembers } from './resolveField';

/** What an object schema says of its properties, with what stands behind `$ref` and in `allOf`. */
export interface ObjectParts {
	/** In the schema's order; a property that several parts speak of has an `allOf` of what they say. */
	readonly properties: ReadonlyMap<string, unknown>;
	readonly required: ReadonlySet<string>;
}

const DEEPEST = 16;
const CONDITIONS = ['if', 'then', 'else', 'not'];
const CHOICES = ['anyOf', 'oneOf'];

interface Gathered {
	readonly properties: Map<string, unknown>;
	readonly required: Set<string>;
	/** Properties that only a branch speaks of, so that they depend on each other. */
	readonly inBranches: Set<string>;
	/** It lists properties, or says that there are no others. */
	saysWhich: boolean;
}

/**
 * Undefined for a schema whose properties no list of fields can stand for: one of another type, one that names none and
 * allows any, one whose alternatives bring in properties of their own, and one that cannot be followed.
 */
export function objectParts(root: unknown): ObjectParts | undefined {
	const gathered: Gathered = {
		properties: new Map(),
		required: new Set(),
		inBranches: new Set(),
		saysWhich: false,
	};
	if (!gather(root, root, gathered, 0) || !gathered.saysWhich) return undefined;
	const { properties, required, inBranches } = gathered;
	if ([...inBranches].some((name) => !properties.has(name))) return undefined;
	return { properties, required };
}

/** False when the schema is none of an object, or cannot be followed. */
function gather(root: unknown, schema: unknown, into: Gathered, depth: number): boolean {
	if (schema === true) return true;
	if (!isPlainObject(schema) || depth > DEEPEST || !allowsObject(schema)) return false;
	gatherOwn(schema, into);
	const reference = own(schema, '$ref');
	const parts: unknown[] = typeof reference === 'string' ? [lookUp(root, reference)] : [];
	const all = own(schema, 'allOf');
	if (Array.isArray(all)) parts.push(...(all as readonly unknown[]));
	const branches = CONDITIONS.map((keyword) => own(schema, keyword));
	for (const keyword of CHOICES) {
		const members = withoutNullMembers(own(schema, keyword));
		if (members?.length === 1) parts.push(members[0]);
		else branches.push(...(members ?? []));
	}
	const dependent = own(schema, 'dependentSchemas');
	if (isPlainObject(dependent)) branches.push(...Object.values(dependent));
	for (const branch of branches)
		if (!gatherNames(root, branch, into.inBranches, depth)) return false;
	return parts.every((part) => gather(root, part, into, depth + 1));
}

function allowsObject(schema: PlainObject): boolean {
	const type = own(schema, 'type');
	return (
		type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
	);
}

function gatherOwn(schema: PlainObject, into: Gathered): void {
	const properties = own(schema, 'properties');
	if (isPlainObject(properties)) {
		into.saysWhich = true;
		for (const [name, property] of Object.entries(properties)) {
			const other = into.properties.get(name);
			into.properties.set(name, other === undefined ? property : { allOf: [other, property] });
		}
	}
	if (own(schema, 'type') === 'object' && own(schema, 'additionalProperties') === false) {
		into.saysWhich = true;
	}
	const required = own(schema, 'required');
	if (!Array.isArray(required)) return;
	for (const name of required) if (typeof name === 'string') into.required.add(name);
}

/** Adds the names of the properties that a branch speaks of; false when it cannot be followed. */
function gatherNames(root: unknown, branch: unknown, names: Set<string>, depth: number): boolean {
	if (branch === undefined || typeof branch === 'boolean') return true;
	const inner: Gathered = {
		properties: new Map(),
		required: new Set(),
		inBranches: names,
		saysWhich: false,
	};
	if (!gather(root, branch, inner, depth + 1)) return false;
	for (const name of [...inner.properties.keys(), ...inner.required]) names.add(name);
	return true;
}
