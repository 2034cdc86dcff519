import { entryPath, propertyPath } from '../../json/jsonPath';
import type { NameTable } from './nameTable';

/** Where a field's value stands: aliases of properties, and indexes of list entries. */
export type FieldPath = readonly (string | number)[];

/** The JSON path of a field, as the server's issues name it. */
export function jsonPathOf(path: FieldPath, names: NameTable): string {
	let text = '$';
	for (const step of path) {
		text =
			typeof step === 'number'
				? entryPath(text, String(step))
				: propertyPath(text, names.nameOf(step) ?? step);
	}
	return text;
}

/** True when `path` is `start` or lies within it. */
export const isWithin = (path: string, start: string): boolean =>
	path === start || (path.startsWith(start) && /[.[]/.test(path.charAt(start.length)));
