import { isPlainObject, own, type PlainObject } from '../../json/plainObject';
import { lookUp } from './flatSchema';

const MAX_STEPS = 2000;

/**
 * Whether a value fits a schema, as far as the form needs to know to show the right fields: which alternative it is,
 * whether a condition holds. The server decides on the answer; patterns and formats are not looked at here.
 */
export function fits(
	schema: unknown,
	value: unknown,
	root: unknown,
	steps = { left: MAX_STEPS },
): boolean {
	if (typeof schema === 'boolean') return schema;
	if (!isPlainObject(schema) || steps.left-- <= 0) return true;
	const every = (list: unknown, test: (member: unknown) => boolean) =>
		!Array.isArray(list) || list.every(test);
	const inner = (member: unknown) => fits(member, value, root, steps);
	const reference = own(schema, '$ref');
	if (typeof reference === 'string' && !inner(lookUp(root, reference) ?? true)) return false;
	if (Object.hasOwn(schema, 'const') && !same(schema['const'], value)) return false;
	const listed = own(schema, 'enum');
	if (Array.isArray(listed) && !listed.some((entry) => same(entry, value))) return false;
	if (!fitsType(own(schema, 'type'), value)) return false;
	if (Object.hasOwn(schema, 'not') && inner(own(schema, 'not'))) return false;
	if (!every(own(schema, 'allOf'), inner)) return false;
	for (const keyword of ['anyOf', 'oneOf']) {
		const members = own(schema, keyword);
		if (Array.isArray(members) && !members.some(inner)) return false;
	}
	if (typeof value === 'number') return fitsNumber(schema, value);
	if (typeof value === 'string') return fitsLength(schema, Array.from(value).length, 'Length');
	if (Array.isArray(value)) {
		const items = own(schema, 'items');
		return (
			fitsLength(schema, value.length, 'Items') &&
			(!isPlainObject(items) || value.every((entry) => fits(items, entry, root, steps)))
		);
	}
	return !isPlainObject(value) || fitsObject(schema, value, root, steps);
}

function fitsObject(
	schema: PlainObject,
	value: PlainObject,
	root: unknown,
	steps: { left: number },
): boolean {
	const required = own(schema, 'required');
	if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, String(name)))) {
		return false;
	}
	const given = own(schema, 'properties');
	const properties = isPlainObject(given) ? given : {};
	const isClosed = own(schema, 'additionalProperties') === false;
	return Object.entries(value).every(([name, entry]) =>
		Object.hasOwn(properties, name) ? fits(properties[name], entry, root, steps) : !isClosed,
	);
}

function fitsType(type: unknown, value: unknown): boolean {
	if (Array.isArray(type)) return type.some((one) => fitsType(one, value));
	switch (type) {
		case 'integer':
			return Number.isInteger(value);
		case 'array':
			return Array.isArray(value);
		case 'object':
			return isPlainObject(value);
		case 'null':
			return value === null;
		case 'string':
		case 'number':
		case 'boolean':
			return typeof value === type;
		default:
			return true;
	}
}

function fitsNumber(schema: PlainObject, value: number): boolean {
	const limit = (keyword: string) => {
		const given = own(schema, keyword);
		return typeof given === 'number' ? given : undefined;
	};
	const minimum = limit('minimum') ?? -Infinity;
	const maximum = limit('maximum') ?? Infinity;
	return (
		value >= minimum &&
		value <= maximum &&
		value > (limit('exclusiveMinimum') ?? -Infinity) &&
		value < (limit('exclusiveMaximum') ?? Infinity)
	);
}

function fitsLength(schema: PlainObject, length: number, what: 'Length' | 'Items'): boolean {
	const least = own(schema, `min${what}`);
	const most = own(schema, `max${what}`);
	return (
		(typeof least !== 'number' || length >= least) && (typeof most !== 'number' || length <= most)
	);
}

/** Equal as JSON: property order does not count. */
export function same(first: unknown, second: unknown): boolean {
	if (Array.isArray(first)) {
		return (
			Array.isArray(second) &&
			first.length === second.length &&
			first.every((entry, index) => same(entry, second[index]))
		);
	}
	if (!isPlainObject(first)) return first === second;
	if (!isPlainObject(second)) return false;
	const names = Object.keys(first);
	return (
		names.length === Object.keys(second).length &&
		names.every((name) => Object.hasOwn(second, name) && same(first[name], second[name]))
	);
}
