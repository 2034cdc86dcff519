import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import { resolveField } from './resolveField';

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const;

export type JsonType = (typeof TYPES)[number];

/** How many schemas are looked at for one field; what needs more is left open. */
const MAX_STEPS = 200;

/** The types that a schema allows, each once, as far as its own keywords and its unions say; undefined when they leave it open. */
export function typesOf(
	root: unknown,
	schema: PlainObject,
	steps = { left: MAX_STEPS },
): readonly JsonType[] | undefined {
	const named = namedTypes(own(schema, 'type'));
	if (named !== undefined) return named;
	if (Object.hasOwn(schema, 'const')) return [typeOf(schema['const'])];
	const values = own(schema, 'enum');
	if (Array.isArray(values)) return distinct(values.map(typeOf));
	for (const keyword of ['anyOf', 'oneOf']) {
		const members = own(schema, keyword);
		if (!Array.isArray(members)) continue;
		const types = members.map((member) => typesOfMember(root, member, steps));
		if (types.every((some) => some !== undefined)) return distinct(types.flat());
	}
	const parts = own(schema, 'allOf');
	return Array.isArray(parts)
		? parts.map((part) => typesOfMember(root, part, steps)).find((some) => some !== undefined)
		: undefined;
}

function typesOfMember(
	root: unknown,
	member: unknown,
	steps: { left: number },
): readonly JsonType[] | undefined {
	const resolved = steps.left-- > 0 ? resolveField(root, member) : undefined;
	if (resolved === undefined) return undefined;
	const types = typesOf(root, resolved.schema, steps);
	return types !== undefined && resolved.nullable ? distinct([...types, 'null']) : types;
}

function namedTypes(type: unknown): readonly JsonType[] | undefined {
	const names: readonly unknown[] = Array.isArray(type) ? type : [type];
	return names.length > 0 && names.every(isType) ? distinct(names) : undefined;
}

const isType = (name: unknown): name is JsonType => TYPES.some((type) => type === name);

/** Each type once; every integer is a number. */
function distinct(types: readonly JsonType[]): readonly JsonType[] {
	const all = new Set(types);
	if (all.has('number')) all.delete('integer');
	return [...all];
}

export function typeOf(value: unknown): JsonType {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
		// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the same three names
		return typeof value as JsonType;
	}
	return isPlainObject(value) ? 'object' : 'null';
}

/** Whether a value is of one of the types; a whole number is an integer too. */
export function isOfType(types: readonly JsonType[], value: unknown): boolean {
	const type = typeOf(value);
	return types.includes(type) || (Number.isInteger(value) && types.includes('integer'));
}
