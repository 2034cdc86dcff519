import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import { pushAll } from '../json/pushAll';
import { lookUp, withoutNullMembers } from './resolveField';

/** What an object schema says of its properties, with what stands behind `$ref` and in `allOf`. */
export interface ObjectParts {
	/** In the schema's order; a property that several parts speak of has an `allOf` of what they say. */
	readonly properties: ReadonlyMap<string, unknown>;
	readonly required: ReadonlySet<string>;
}

const CONDITIONS = ['if', 'then', 'else', 'not'];
const CHOICES = ['anyOf', 'oneOf'];

/**
 * Undefined for a schema whose properties no list of fields can stand for: one of another type, one that names none and
 * allows any, one whose alternatives bring in properties of their own, and one with a part that is not there.
 */
export function objectParts(root: unknown): ObjectParts | undefined {
	const properties = new Map<string, unknown>();
	const required = new Set<string>();
	const branches: unknown[] = [];
	let saysWhich = false;
	const seen = new Set<unknown>();
	for (const left = [root]; left.length > 0;) {
		const schema = left.shift();
		if (schema === true || seen.has(schema)) continue;
		if (!isPlainObject(schema) || !allowsObject(schema)) return undefined;
		seen.add(schema);
		saysWhich ||= listsProperties(schema);
		for (const [name, property] of propertiesOf(schema)) {
			const other = properties.get(name);
			properties.set(name, other === undefined ? property : { allOf: [other, property] });
		}
		for (const name of requiredBy(schema)) required.add(name);
		const { together, apart } = innerSchemas(root, schema);
		pushAll(left, together);
		pushAll(branches, apart);
	}
	const inBranches = namesIn(root, branches);
	return saysWhich && [...inBranches].every((name) => properties.has(name))
		? { properties, required }
		: undefined;
}

/** Every property that an object schema speaks of by name, in whatever part or alternative. */
export const propertyNames = (root: unknown): ReadonlySet<string> => namesIn(root, [root]);

function namesIn(root: unknown, schemas: readonly unknown[]): ReadonlySet<string> {
	const names = new Set<string>();
	const seen = new Set<unknown>();
	for (const left = [...schemas]; left.length > 0;) {
		const schema = left.pop();
		if (!isPlainObject(schema) || seen.has(schema)) continue;
		seen.add(schema);
		for (const [name] of propertiesOf(schema)) names.add(name);
		for (const name of requiredBy(schema)) names.add(name);
		const { together, apart } = innerSchemas(root, schema);
		pushAll(left, together);
		pushAll(left, apart);
	}
	return names;
}

function allowsObject(schema: PlainObject): boolean {
	const type = own(schema, 'type');
	return (
		type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
	);
}

const listsProperties = (schema: PlainObject): boolean =>
	isPlainObject(own(schema, 'properties')) ||
	(own(schema, 'type') === 'object' && own(schema, 'additionalProperties') === false);

function propertiesOf(schema: PlainObject): readonly (readonly [string, unknown])[] {
	const properties = own(schema, 'properties');
	return isPlainObject(properties) ? Object.entries(properties) : [];
}

function requiredBy(schema: PlainObject): readonly string[] {
	const required = own(schema, 'required');
	return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** The schemas that judge the same value: those that hold in any case, and those that may. */
function innerSchemas(root: unknown, schema: PlainObject) {
	const together: unknown[] = [];
	const apart: unknown[] = CONDITIONS.map((keyword) => own(schema, keyword));
	const reference = own(schema, '$ref');
	if (typeof reference === 'string') together.push(lookUp(root, reference));
	const all = own(schema, 'allOf');
	if (Array.isArray(all)) pushAll(together, all as readonly unknown[]);
	for (const keyword of CHOICES) {
		const members = withoutNullMembers(own(schema, keyword)) ?? [];
		pushAll(members.length === 1 ? together : apart, members);
	}
	const dependent = own(schema, 'dependentSchemas');
	if (isPlainObject(dependent)) pushAll(apart, Object.values(dependent));
	return { together, apart };
}
