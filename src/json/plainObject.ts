export type PlainObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not null, not an array. */
export function isPlainObject(value: unknown): value is PlainObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own property, or undefined; never looks at the prototype (P16). */
export function own(object: PlainObject, key: string): unknown {
	return Object.hasOwn(object, key) ? object[key] : undefined;
}
