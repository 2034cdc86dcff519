import { isPlainObject } from './plainObject';

/** JSON text with the keys of every object in code-unit order, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map((entry) => canonicalJson(entry)).join(',')}]`;
	if (isPlainObject(value)) {
		const members = Object.keys(value)
			.filter((key) => value[key] !== undefined)
			.sort()
			.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
		return `{${members.join(',')}}`;
	}
	return value === undefined ? 'null' : JSON.stringify(value);
}
