export type Json = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; throws, naming `what`, when it is none. */
export function asJson(value: unknown, what: string): Json {
	if (!isJson(value)) throw new Error(`${what} is not an object.`);
	return value;
}

/** The value as an array; throws, naming `what`, when it is none. */
export function asArray(value: unknown, what: string): readonly unknown[] {
	if (!Array.isArray(value)) throw new Error(`${what} is not an array.`);
	return value;
}

/** The field as a string; throws when it is missing or of another kind. */
export function text(object: Json, field: string): string {
	const value = object[field];
	if (typeof value !== 'string') throw new Error(`The field "${field}" is not a string.`);
	return value;
}

/** The field as a string, or undefined when it holds anything else. */
export function optionalText(object: Json, field: string): string | undefined {
	const value = object[field];
	return typeof value === 'string' ? value : undefined;
}
