/** Adds all items at the end. A call with so many arguments overflows the stack above about 120,000. */
export function pushAll<T>(list: T[], items: Iterable<T>): void {
	for (const item of items) list.push(item);
}
