/** JSON text of any value; undefined for what JSON does not have (undefined, functions). Throws on cycles. */
export function jsonText(value: unknown, indent?: number): string | undefined {
	return JSON.stringify(value, null, indent);
}
