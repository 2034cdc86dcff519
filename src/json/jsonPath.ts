const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The path of a property below `base`: `$.note`, or `$["odd name"]` where the name is not a plain word. */
export function propertyPath(base: string, name: string): string {
	return PLAIN_NAME.test(name) ? `${base}.${name}` : `${base}[${JSON.stringify(name)}]`;
}

/** The path of an array entry below `base`: `$.lines[0]`. */
export function entryPath(base: string, index: string): string {
	return `${base}[${index}]`;
}
