import { isPlainObject, type PlainObject } from '../json/plainObject';
import { jsonText } from './jsonText';

export const MAX_SCHEMA_BYTES = 256 * 1024;
export const MAX_SCHEMA_DEPTH = 64;

export type BoundedSchema =
	| { readonly kind: 'bounded'; readonly schema: boolean | PlainObject; readonly text: string }
	| { readonly kind: 'unusable'; readonly reason: string };

const TOO_LARGE = `the schema is larger than ${MAX_SCHEMA_BYTES / 1024} kB`;
const TOO_DEEP = `the schema is nested deeper than ${MAX_SCHEMA_DEPTH} levels`;

/** A private copy of a schema within the size and depth caps, with its JSON text; never throws. */
export function boundedSchema(schema: unknown): BoundedSchema {
	const excess = excessOf(schema);
	if (excess !== undefined) return unusable(excess);
	let text: string | undefined;
	try {
		text = jsonText(schema);
	} catch {
		return unusable('the schema is not JSON');
	}
	if (text === undefined) return unusable('there is no schema');
	if (Buffer.byteLength(text) > MAX_SCHEMA_BYTES) return unusable(TOO_LARGE);
	const copy: unknown = JSON.parse(text);
	if (typeof copy !== 'boolean' && !isPlainObject(copy)) {
		return unusable('the schema is neither an object nor a boolean');
	}
	return { kind: 'bounded', schema: copy, text };
}

const unusable = (reason: string): BoundedSchema => ({ kind: 'unusable', reason });

/** Which cap a value exceeds for certain, found in time that the caps bound, however large the value is. */
function excessOf(schema: unknown): string | undefined {
	let size = 0;
	let containers = [schema].filter(isContainer);
	for (let level = 0; containers.length > 0; level += 1) {
		if (level >= MAX_SCHEMA_DEPTH) return TOO_DEEP;
		const inner: object[] = [];
		for (const container of containers) {
			const isArray = Array.isArray(container);
			if (isArray && container.length > MAX_SCHEMA_BYTES) return TOO_LARGE;
			for (const key in container) {
				if (!Object.hasOwn(container, key)) continue;
				const value: unknown = Reflect.get(container, key);
				// A name with its quotes and colon, a value, and a comma, at the least.
				size +=
					(isArray ? 0 : key.length + 3) + (typeof value === 'string' ? value.length + 2 : 1) + 1;
				if (size > MAX_SCHEMA_BYTES + 1) return TOO_LARGE;
				if (isContainer(value)) inner.push(value);
			}
		}
		containers = inner;
	}
	return undefined;
}

const isContainer = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;
