const LONGEST = 80;

/** Names what arrived for a refusal (P14): scalars quoted, composites by kind. Takes any value, gives a noun phrase. */
export function describeArrived(value: unknown): string {
	switch (typeof value) {
		case 'undefined':
			return 'nothing';
		case 'string':
			return JSON.stringify(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
		case 'object':
			if (value === null) return 'null';
			return Array.isArray(value) ? 'an array' : 'an object';
		case 'number':
		case 'boolean':
		case 'bigint':
			return `\`${String(value)}\``;
		case 'symbol':
		case 'function':
			return `a ${typeof value}`;
	}
}
