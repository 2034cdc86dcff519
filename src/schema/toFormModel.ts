import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import type { FieldValue, FormField, FormModel } from './formModel';
import { resolveField } from './resolveField';

const LONG_TEXT = 200;
const TEXT_AREA_FORMATS = new Set(['textarea', 'multiline', 'markdown', 'text']);

/**
 * What a form over a JSON Schema shows: one field per property of an object schema, required ones first,
 * else in the schema's order; anything else is one JSON box. Takes any value; looks at own properties only.
 */
export function toFormModel(schema: unknown): FormModel {
	const resolved = resolveField(schema, schema);
	if (resolved === undefined || !isObjectSchema(resolved.schema)) return { kind: 'json' };
	const properties = own(resolved.schema, 'properties');
	const required = own(resolved.schema, 'required');
	const requiredNames = new Set<unknown>(Array.isArray(required) ? required : []);
	const fields = Object.entries(isPlainObject(properties) ? properties : {})
		// `false` says that the property must not be there.
		.filter(([, property]) => property !== false)
		.map(([name, property]) => toField(schema, name, property, requiredNames.has(name)));
	const ordered = [...fields.filter((f) => f.required), ...fields.filter((f) => !f.required)];
	return { kind: 'fields', fields: ordered, flat: fields.every((field) => field.kind !== 'json') };
}

/** An object schema that names its properties, or says that it has none. */
function isObjectSchema(schema: PlainObject): boolean {
	const type = own(schema, 'type');
	const named = isPlainObject(own(schema, 'properties'));
	if (type === undefined) return named;
	return type === 'object' && (named || own(schema, 'additionalProperties') === false);
}

function toField(root: unknown, name: string, property: unknown, required: boolean): FormField {
	const resolved = resolveField(root, property);
	const schema = resolved?.schema ?? {};
	const title = own(schema, 'title');
	const description = own(schema, 'description');
	const base = {
		name,
		title: typeof title === 'string' && title.trim() !== '' ? title : name,
		required,
		...(typeof description === 'string' && description !== '' ? { description } : {}),
		...(Object.hasOwn(schema, 'default') ? { default: schema['default'] } : {}),
		...(resolved?.nullable === true ? { nullable: true as const } : {}),
	};
	const options = optionsOf(schema);
	if (options !== undefined) return { ...base, kind: 'enum', options };
	const type = own(schema, 'type');
	switch (type) {
		case 'string': {
			const format = own(schema, 'format');
			const named = typeof format === 'string' ? { format } : {};
			return { ...base, kind: 'string', ...named, multiline: isMultiline(schema) };
		}
		case 'number':
		case 'integer':
		case 'boolean':
			return { ...base, kind: type };
		case 'object':
		case 'array':
			return { ...base, kind: 'json', expects: type };
		default:
			return { ...base, kind: 'json', expects: 'any' };
	}
}

function isMultiline(schema: PlainObject): boolean {
	const maxLength = own(schema, 'maxLength');
	const format = own(schema, 'format');
	const preset = own(schema, 'default');
	return (
		(typeof maxLength === 'number' && maxLength > LONG_TEXT) ||
		(typeof format === 'string' && TEXT_AREA_FORMATS.has(format)) ||
		(typeof preset === 'string' && preset.includes('\n'))
	);
}

interface Choice {
	readonly value: FieldValue;
	readonly title?: string;
}

/** The choices of `const`, `enum`, or a union of constants; undefined when one of them is not a scalar. */
function optionsOf(schema: PlainObject) {
	const choices = choicesOf(schema);
	if (choices === undefined || choices.length === 0) return undefined;
	const distinct = choices.filter(
		({ value }, index) => choices.findIndex((other) => other.value === value) === index,
	);
	return distinct.map(({ value, title }) => ({ value, label: title ?? labelOf(value, distinct) }));
}

function choicesOf(schema: PlainObject): readonly Choice[] | undefined {
	if (Object.hasOwn(schema, 'const')) return scalars([schema['const']]);
	const values = own(schema, 'enum');
	if (Array.isArray(values)) return scalars(values);
	const members = own(schema, 'oneOf') ?? own(schema, 'anyOf');
	if (!Array.isArray(members)) return undefined;
	const choices = members.map(constantOf);
	return choices.every((choice) => choice !== undefined) ? choices : undefined;
}

function scalars(values: readonly unknown[]): readonly Choice[] | undefined {
	return values.every(isScalar) ? values.map((value) => ({ value })) : undefined;
}

function constantOf(member: unknown): Choice | undefined {
	if (!isPlainObject(member)) return undefined;
	const value = own(member, 'const');
	const title = own(member, 'title');
	if (!isScalar(value)) return undefined;
	return typeof title === 'string' && title !== '' ? { value, title } : { value };
}

function isScalar(value: unknown): value is FieldValue {
	return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function labelOf(value: FieldValue, all: readonly Choice[]): string {
	if (value === '') return '(empty)';
	const clashes = all.some(
		(other) => other.value !== value && String(other.value) === String(value),
	);
	return typeof value === 'string' && clashes ? JSON.stringify(value) : String(value);
}
