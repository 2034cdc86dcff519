import { isDeeperThan } from '../json/isDeeperThan';
import { isPlainObject, type PlainObject } from '../json/plainObject';
import { jsonText } from './jsonText';

export const MAX_SCHEMA_BYTES = 256 * 1024;
export const MAX_SCHEMA_DEPTH = 64;

export type BoundedSchema =
	| { readonly kind: 'bounded'; readonly schema: boolean | PlainObject; readonly text: string }
	| { readonly kind: 'unusable'; readonly reason: string };

/** A private copy of a schema within the size and depth caps, with its JSON text; never throws. */
export function boundedSchema(schema: unknown): BoundedSchema {
	if (isDeeperThan(schema, MAX_SCHEMA_DEPTH)) {
		return unusable(`the schema is nested deeper than ${MAX_SCHEMA_DEPTH} levels`);
	}
	let text: string | undefined;
	try {
		text = jsonText(schema);
	} catch {
		return unusable('the schema is not JSON');
	}
	if (text === undefined) return unusable('there is no schema');
	if (Buffer.byteLength(text) > MAX_SCHEMA_BYTES) {
		return unusable(`the schema is larger than ${MAX_SCHEMA_BYTES / 1024} kB`);
	}
	const copy: unknown = JSON.parse(text);
	if (typeof copy !== 'boolean' && !isPlainObject(copy)) {
		return unusable('the schema is neither an object nor a boolean');
	}
	return { kind: 'bounded', schema: copy, text };
}

const unusable = (reason: string): BoundedSchema => ({ kind: 'unusable', reason });
