import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import { readInstant } from './instant';
import type { StoredPark } from './parkedBatch';

/** An item that came out of the call node while its park was still open. */
export interface CarriedPark {
	readonly park: StoredPark;
	/** UTC instant. */
	readonly parkedAt: string;
	/** The item's `call` without park and outcome. */
	readonly call: PlainObject;
}

/** Reads the park that an input item carries; such an item is awaited, never called again (P27). Undefined for any other item. */
export function readParkedItem(json: PlainObject): CarriedPark | undefined {
	const call = own(json, 'call');
	if (!isPlainObject(call) || !['suspended', 'sleeping'].includes(String(call['outcome']))) {
		return undefined;
	}
	const carried = own(call, 'park');
	if (!isPlainObject(carried)) return undefined;
	const park = readPark(carried);
	const parkedAt = carried['parkedAt'];
	if (park === undefined || typeof parkedAt !== 'string') return undefined;
	const { park: _park, outcome: _outcome, ...rest } = call;
	return { park, parkedAt, call: rest };
}

function readPark(carried: PlainObject): StoredPark | undefined {
	const { kind, reason, inputSchema, until } = carried;
	if (kind === 'sleep') {
		const valid = typeof until === 'string' && readInstant(until).kind === 'instant';
		return valid ? { kind, until } : undefined;
	}
	if (kind !== 'person' && kind !== 'signal') return undefined;
	if (typeof reason !== 'string') return undefined;
	if (typeof inputSchema !== 'boolean' && !isPlainObject(inputSchema)) return undefined;
	return { kind, reason, inputSchema };
}
