import { isPlainObject, type PlainObject } from '../json/plainObject';
import { pushAll } from '../json/pushAll';

/** Keywords times parts of the value: a few milliseconds, failures and all. */
const MAX_STEPS = 20_000;
/** A text is read by some keywords from end to end, so that a long one counts as several parts. */
const TEXT_PART = 100;

/** Keywords that hold data, or one limit each. */
const PLAIN = new Set([
	...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated'],
	...['readOnly', 'writeOnly', 'type', 'enum', 'const', 'required', 'minLength', 'maxLength'],
	...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
	...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);
/** Keywords that hold one schema. */
const HOLDS_SCHEMA = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);
const HOLDS_LIST = new Set(['allOf', 'anyOf', 'oneOf']);

/**
 * Says of a value, in little time, whether checking it takes few steps for sure, so that nothing has to watch the time. Where
 * the schema has no references, each of its keywords meets each part of the value at most once. False for every
 * value when the schema has a keyword whose work is not bounded so, patterns and formats among them.
 */
export function boundedCheck(schema: unknown): (value: unknown) => boolean {
	const keywords = countKeywords(schema);
	if (keywords === undefined) return () => false;
	const most = MAX_STEPS / Math.max(1, keywords);
	return (value) => isSmaller(value, most);
}

/** Undefined when the schema has a keyword that is not known here. */
function countKeywords(schema: unknown): number | undefined {
	let count = 0;
	for (const left = [schema]; left.length > 0;) {
		const next = left.pop();
		if (typeof next === 'boolean') continue;
		if (!isPlainObject(next)) return undefined;
		for (const [keyword, value] of Object.entries(next)) {
			count += 1 + weightOf(keyword, value);
			const inner = schemasIn(keyword, value);
			if (inner === undefined) return undefined;
			pushAll(left, inner);
		}
	}
	return count;
}

const weightOf = (keyword: string, value: unknown): number =>
	keyword === 'required' && Array.isArray(value) ? value.length : 0;

function schemasIn(keyword: string, value: unknown): readonly unknown[] | undefined {
	if (PLAIN.has(keyword)) return [];
	if (HOLDS_SCHEMA.has(keyword)) return [value];
	if (HOLDS_LIST.has(keyword) && Array.isArray(value)) return value as readonly unknown[];
	// Each name is looked for in each object.
	return keyword === 'properties' && isPlainObject(value) ? namedSchemas(value) : undefined;
}

const namedSchemas = (properties: PlainObject): readonly unknown[] | undefined =>
	Object.hasOwn(properties, '__proto__') ? undefined : Object.values(properties);

function isSmaller(value: unknown, most: number): boolean {
	let parts = 0;
	for (const left = [value]; left.length > 0;) {
		const next = left.pop();
		parts += 1;
		if (typeof next === 'string') parts += next.length / TEXT_PART;
		else if (typeof next === 'object' && next !== null) {
			const inner: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
			if (parts + inner.length > most) return false;
			pushAll(left, inner);
		}
		if (parts > most) return false;
	}
	return true;
}
