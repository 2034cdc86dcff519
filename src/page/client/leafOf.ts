import { isPlainObject, own, type PlainObject } from '../../json/plainObject';
import type { Leaf, Option } from './formNode';

const LONG_TEXT = 200;
const LONG_FORMATS = new Set(['textarea', 'multiline', 'markdown', 'text']);
const MAX_OPTIONS = 2000;

/** What a value is entered with, from a flat schema; undefined for an object, a list or a union with parts. */
export function leafOf(schema: PlainObject, isRequired: boolean): Leaf | undefined {
	const options = optionsOf(schema);
	if (options !== undefined) return { kind: 'choice', options };
	if (Object.hasOwn(schema, 'const')) return constant(schema['const'], isRequired);
	const type = own(schema, 'type') ?? impliedType(schema);
	switch (type) {
		case 'string':
			return textLeaf(schema);
		case 'number':
		case 'integer':
			return numberLeaf(schema, type === 'integer' ? type : 'number');
		case 'boolean':
			return { kind: 'choice', options: [true, false].map((value) => option(value, [])) };
		case 'null':
			return constant(null, isRequired);
		default:
			return undefined;
	}
}

/** A value that must be so is there already; consent (`true`) is never given on somebody's behalf. */
function constant(value: unknown, isRequired: boolean): Leaf {
	return isRequired && typeof value !== 'boolean'
		? { kind: 'fixed', value }
		: { kind: 'choice', options: [option(value, [])] };
}

/** The type that the keywords of a schema without `type` speak of. */
export function impliedType(schema: PlainObject): string | undefined {
	const has = (...keywords: readonly string[]) =>
		keywords.some((keyword) => Object.hasOwn(schema, keyword));
	if (has('properties', 'required', 'additionalProperties', 'patternProperties')) return 'object';
	if (has('if', 'dependentSchemas', 'dependentRequired', 'dependencies')) return 'object';
	if (has('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems')) return 'array';
	if (has('pattern', 'format', 'minLength', 'maxLength')) return 'string';
	if (has('minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum')) {
		return 'number';
	}
	return undefined;
}

/** The values of `enum`, or of a union of constants with their titles; undefined for anything else. */
export function optionsOf(schema: PlainObject): readonly Option[] | undefined {
	const listed = own(schema, 'enum');
	if (Array.isArray(listed)) return labelled(listed.map((value: unknown) => ({ value })));
	const members = own(schema, 'oneOf') ?? own(schema, 'anyOf');
	if (!Array.isArray(members)) return undefined;
	const constants = members.map(constantOf);
	return constants.every((entry) => entry !== undefined) ? labelled(constants) : undefined;
}

interface Constant {
	readonly value: unknown;
	readonly title?: string;
}

function constantOf(member: unknown): Constant | undefined {
	if (!isPlainObject(member)) return undefined;
	const single = own(member, 'enum');
	const holds = Object.hasOwn(member, 'const');
	if (!holds && !(Array.isArray(single) && single.length === 1)) return undefined;
	const value: unknown = holds ? member['const'] : Array.isArray(single) ? single[0] : undefined;
	const title = own(member, 'title');
	return typeof title === 'string' && title !== '' ? { value, title } : { value };
}

function labelled(constants: readonly Constant[]): readonly Option[] | undefined {
	if (constants.length === 0 || constants.length > MAX_OPTIONS) return undefined;
	const values = constants.map(({ value }) => value);
	return constants.map(({ value, title }) =>
		title === undefined ? option(value, values) : { value, label: title },
	);
}

function option(value: unknown, all: readonly unknown[]): Option {
	return { value, label: labelOf(value, all) };
}

function labelOf(value: unknown, all: readonly unknown[]): string {
	if (typeof value === 'string') {
		if (value === '') return '(empty)';
		const clashes = all.some((other) => other !== value && String(other) === value);
		return clashes ? JSON.stringify(value) : value;
	}
	const asked = all.every((other) => typeof other === 'boolean' || other === null);
	if (typeof value === 'boolean' && asked) return value ? 'Yes' : 'No';
	if (value === null) return all.includes('null') ? 'null' : 'None (null)';
	return JSON.stringify(value);
}

function textLeaf(schema: PlainObject): Leaf {
	const format = own(schema, 'format');
	switch (format) {
		case 'email':
		case 'idn-email':
			return { kind: 'email' };
		case 'uri':
		case 'url':
		case 'iri':
			return { kind: 'url' };
		case 'date':
		case 'time':
		case 'date-time':
		case 'password':
			return { kind: format };
		default:
			return { kind: isLong(schema, format) ? 'long' : 'text' };
	}
}

function isLong(schema: PlainObject, format: unknown): boolean {
	const maxLength = own(schema, 'maxLength');
	const preset = own(schema, 'default');
	return (
		(typeof maxLength === 'number' && maxLength > LONG_TEXT) ||
		(typeof format === 'string' && LONG_FORMATS.has(format)) ||
		(typeof preset === 'string' && (preset.includes('\n') || preset.length > LONG_TEXT))
	);
}

function numberLeaf(schema: PlainObject, kind: 'number' | 'integer'): Leaf {
	const minimum = own(schema, 'minimum');
	const maximum = own(schema, 'maximum');
	const step = own(schema, 'multipleOf');
	return {
		kind,
		...(typeof minimum === 'number' ? { minimum } : {}),
		...(typeof maximum === 'number' ? { maximum } : {}),
		...(typeof step === 'number' && step > 0 ? { step } : {}),
	};
}
