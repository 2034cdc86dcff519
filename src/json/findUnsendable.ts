import { DEEPEST_VALUE } from './isDeeperThan';

const UNSENDABLE = new Set(['bigint', 'function', 'symbol']);

/**
 * Says what keeps a value from being sent as JSON: a kind of value that JSON has not, or nesting that breaks what walks it
 * by recursion (a circle is such); undefined when nothing does. Walks without recursion itself.
 */
export function findUnsendable(value: unknown): string | undefined {
	let level: ReadonlySet<unknown> = new Set([value]);
	for (let depth = 0; level.size > 0; depth += 1) {
		if (depth > DEEPEST_VALUE) return `they are nested deeper than ${String(DEEPEST_VALUE)} levels`;
		const kind = [...level].map((entry) => typeof entry).find((entry) => UNSENDABLE.has(entry));
		if (kind !== undefined) return `they hold a value of the kind "${kind}"`;
		level = new Set([...level].flatMap(partsOf));
	}
	return undefined;
}

function partsOf(value: unknown): readonly unknown[] {
	if (typeof value !== 'object' || value === null) return [];
	// A date, for one, is sent as the text that it makes of itself.
	return 'toJSON' in value && typeof value.toJSON === 'function' ? [] : Object.values(value);
}
