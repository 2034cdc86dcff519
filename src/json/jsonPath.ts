const LONGEST_NAME = 100;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The path of a property below `base`: `$.note`, or `$["odd name"]` where the name is not a plain word; a long name is cut. */
export function propertyPath(base: string, whole: string): string {
	const name = whole.length > LONGEST_NAME ? `${whole.slice(0, LONGEST_NAME - 1)}…` : whole;
	return PLAIN_NAME.test(name) ? `${base}.${name}` : `${base}[${JSON.stringify(name)}]`;
}

/** The path of an array entry below `base`: `$.lines[0]`. */
export function entryPath(base: string, index: string): string {
	return `${base}[${index}]`;
}
