import { isPlainObject, own, type PlainObject } from '../json/plainObject';

const NAMED_SCHEMAS = new Set([
	'properties',
	'patternProperties',
	'$defs',
	'definitions',
	'dependentSchemas',
	'dependencies',
]);
const PLAIN_DATA = new Set(['enum', 'const', 'default', 'examples']);
/** ajv's own additions: both change what a schema means, or make it fail to compile. */
const NOT_JSON_SCHEMA = new Set(['nullable', '$async']);

/** Written so that hardly any schema has it already. */
const PROTO_PATTERN = '^(?:__proto__)$';

/** The schema without keywords that no draft knows but ajv would act on; property names are left alone. */
export function standardKeywords(schema: PlainObject): PlainObject {
	return Object.fromEntries(
		Object.entries(protoByPattern(schema))
			.filter(([key]) => !NOT_JSON_SCHEMA.has(key))
			.map(([key, value]) => [key, withinKeyword(key, value)]),
	);
}

/** ajv passes over a property named `__proto__`, so a pattern that only this name matches stands for it (P16). */
function protoByPattern(schema: PlainObject): PlainObject {
	const properties = own(schema, 'properties');
	if (!isPlainObject(properties) || !Object.hasOwn(properties, '__proto__')) return schema;
	const others = Object.entries(properties).filter(([name]) => name !== '__proto__');
	const patterns = own(schema, 'patternProperties');
	return {
		...schema,
		properties: Object.fromEntries(others),
		patternProperties: {
			...(isPlainObject(patterns) ? patterns : {}),
			[PROTO_PATTERN]: own(properties, '__proto__'),
		},
	};
}

function withinKeyword(key: string, value: unknown): unknown {
	if (PLAIN_DATA.has(key)) return value;
	if (Array.isArray(value)) return value.map(withinSchema);
	if (NAMED_SCHEMAS.has(key) && isPlainObject(value)) {
		return Object.fromEntries(
			Object.entries(value).map(([name, schema]) => [name, withinSchema(schema)]),
		);
	}
	return withinSchema(value);
}

const withinSchema = (value: unknown): unknown =>
	isPlainObject(value) ? standardKeywords(value) : value;
