import { isPlainObject, type PlainObject } from '../json/plainObject';
import { fail, type Failure } from '../outcome/failure';

/** A connection that cannot be used as it is stated; nothing was tried. */
export const refuse = (
	problem: string,
	remedy: string,
): { readonly ok: false; readonly failure: Failure } =>
	fail({
		code: 'connection-invalid',
		disposition: 'did-not-happen',
		message: `The MCP connection cannot be used: ${problem}`,
		remedy,
	});

/** A text field as it was entered; an empty text when it is absent. */
export function text(object: PlainObject, field: string): string {
	const value = object[field];
	if (typeof value === 'string') return value;
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The rows of a fixedCollection with one group. */
export function rows(data: PlainObject, field: string, group: string): readonly PlainObject[] {
	const collection = data[field];
	const list = isPlainObject(collection) ? collection[group] : undefined;
	return Array.isArray(list) ? list.filter(isPlainObject) : [];
}
