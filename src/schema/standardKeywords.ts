import { isPlainObject, type PlainObject } from '../json/plainObject';

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

/** The schema without keywords that no draft knows but ajv would act on; property names are left alone. */
export function standardKeywords(schema: PlainObject): PlainObject {
	return Object.fromEntries(
		Object.entries(schema)
			.filter(([key]) => !NOT_JSON_SCHEMA.has(key))
			.map(([key, value]) => [key, withinKeyword(key, value)]),
	);
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
