import type { ErrorObject } from 'ajv/dist/core';
import { jsonText } from './jsonText';

const KINDS: Readonly<Record<string, string>> = {
	string: 'a string',
	number: 'a number',
	integer: 'a whole number',
	boolean: 'a boolean',
	object: 'an object',
	array: 'an array',
	null: 'null',
};

/** The kinds that a `type` error asks for: "a string", "null". */
export function allowedKinds({ params }: ErrorObject): readonly string[] {
	const type: unknown = params['type'];
	const names = Array.isArray(type) ? type : String(type).split(',');
	return names.map((name) => KINDS[String(name)] ?? String(name));
}

/** The values that an `enum` or `const` error asks for, as short JSON. */
export function allowedValues({ keyword, params }: ErrorObject): readonly string[] {
	if (keyword === 'const') return [shortJson(params['allowedValue'])];
	const values: unknown = params['allowedValues'];
	return keyword === 'enum' && Array.isArray(values) ? values.map(shortJson) : [];
}

/** What kind of value arrived: "a string", "null". */
export function kindOf(value: unknown): string {
	if (value === undefined) return 'nothing';
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'an array';
	return KINDS[typeof value] ?? 'something else';
}

function shortJson(value: unknown): string {
	const text = jsonText(value) ?? 'nothing';
	return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
