import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import type { FieldValue, FormField, FormModel } from './formModel';
import { objectParts } from './objectParts';
import { resolveField } from './resolveField';
import { isOfType, typesOf } from './typesOf';

const LONG_TEXT = 200;
const TEXT_AREA_FORMATS = new Set(['textarea', 'multiline', 'markdown', 'text']);

/**
 * What a form over a JSON Schema shows: one field per property of an object schema, required ones first,
 * else in the schema's order; anything else is one JSON box. Takes any value; looks at own properties only.
 */
export function toFormModel(schema: unknown): FormModel {
	const parts = objectParts(schema);
	if (parts === undefined) return { kind: 'json' };
	const { properties, required } = parts;
	// What is required and described nowhere can be anything.
	const names = new Set([...properties.keys(), ...required]);
	const fields = [...names]
		// `false` says that the property must not be there.
		.filter((name) => properties.get(name) !== false)
		.map((name) => toField(schema, name, properties.get(name) ?? true, required.has(name)));
	const ordered = [...fields.filter((f) => f.required), ...fields.filter((f) => !f.required)];
	return { kind: 'fields', fields: ordered, flat: fields.every((field) => field.kind !== 'json') };
}

function toField(root: unknown, name: string, property: unknown, required: boolean): FormField {
	const resolved = resolveField(root, property);
	const schema = resolved?.schema ?? {};
	const nullable = resolved?.nullable === true;
	const title = own(schema, 'title');
	const description = own(schema, 'description');
	const base = {
		name,
		title: typeof title === 'string' && title.trim() !== '' ? title : name,
		required,
		...(typeof description === 'string' && description !== '' ? { description } : {}),
		...(Object.hasOwn(schema, 'default') ? { default: schema['default'] } : {}),
		...(nullable ? { nullable: true as const } : {}),
	};
	// Left out, an optional argument is not null, unless that is its default.
	const offersNull = nullable && !required && own(schema, 'default') !== null;
	const options = optionsOf(schema, offersNull);
	if (options !== undefined) return { ...base, kind: 'enum', options };
	const types = typesOf(root, schema);
	const type = types?.length === 1 ? types[0] : undefined;
	if (types !== undefined && offersNull) {
		return type === 'boolean'
			? { ...base, kind: 'enum', options: labelled(YES_NO_OR_NULL) }
			: { ...base, kind: 'json', types: [...types, 'null'] };
	}
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
		default:
			return types === undefined ? { ...base, kind: 'json' } : { ...base, kind: 'json', types };
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

const YES_NO_OR_NULL = [{ value: true }, { value: false }, { value: null }];

interface Choice {
	readonly value: FieldValue;
	readonly title?: string;
}

/** The choices of `const`, `enum`, or a union of such; undefined when one of them is not a scalar. */
function optionsOf(schema: PlainObject, offersNull: boolean) {
	const choices = choicesOf(schema);
	if (choices === undefined || choices.length === 0) return undefined;
	const given = offersNull ? [...choices, { value: null }] : choices;
	// n8n's field holds null as the text "null", which cannot be a choice beside it.
	return given.some(({ value }) => value === null) && given.some(({ value }) => value === 'null')
		? undefined
		: labelled(given);
}

function labelled(choices: readonly Choice[]) {
	const distinct = choices.filter(
		({ value }, index) => choices.findIndex((other) => other.value === value) === index,
	);
	return distinct.map(({ value, title }) => ({ value, label: title ?? labelOf(value, distinct) }));
}

function choicesOf(schema: PlainObject): readonly Choice[] | undefined {
	const choices = statedChoices(schema);
	const type = own(schema, 'type');
	const types = typeof type === 'string' ? typesOf(schema, schema) : undefined;
	return types === undefined ? choices : choices?.filter(({ value }) => isOfType(types, value));
}

function statedChoices(schema: PlainObject): readonly Choice[] | undefined {
	if (Object.hasOwn(schema, 'const')) return scalars([schema['const']]);
	const values = own(schema, 'enum');
	if (Array.isArray(values)) return scalars(values);
	const members = own(schema, 'oneOf') ?? own(schema, 'anyOf');
	if (!Array.isArray(members)) return undefined;
	const choices = members.map((member) => constantOf(member) ?? valuesOf(member));
	return choices.every((choice) => choice !== undefined) ? choices.flat() : undefined;
}

const valuesOf = (member: unknown): readonly Choice[] | undefined => {
	const values = isPlainObject(member) ? own(member, 'enum') : undefined;
	return Array.isArray(values) ? scalars(values) : undefined;
};

const scalars = (values: readonly unknown[]): readonly Choice[] | undefined =>
	values.every(isScalar) ? values.map((value) => ({ value })) : undefined;

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
