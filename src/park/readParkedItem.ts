import { DEEPEST_VALUE, isDeeperThan } from '../json/isDeeperThan';
import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import { readInstant } from './instant';
import type { StoredPark } from './parkedBatch';

/** An item that came out of the call node while its park was still open. */
export interface CarriedPark {
	readonly park: StoredPark;
	/** UTC instant. */
	readonly parkedAt: string;
	/** Names the park in the address that its server got. */
	readonly parkId?: string;
	/** The claim of the keyed call that parked: it gets the answer too (K6). */
	readonly claimId?: string;
	/** The item's `call` without park and outcome. */
	readonly call: PlainObject;
	/** What stands in the item beside `output` and `call`: other nodes put it there, and it stays. */
	readonly beside: PlainObject;
}

/**
 * Reads the park that an input item carries; such an item is awaited, never called again (P27).
 * Undefined for any other item, and for one that the call node would not have put out like this.
 */
export function readParkedItem(json: PlainObject): CarriedPark | undefined {
	const call = own(json, 'call');
	if (!isPlainObject(call) || typeof own(call, 'tool') !== 'string') return undefined;
	const carried = own(call, 'park');
	if (!isPlainObject(carried)) return undefined;
	const park = readPark(carried);
	const parkedAt = own(carried, 'parkedAt');
	if (park === undefined || !isStoredInstant(parkedAt)) return undefined;
	if (own(call, 'outcome') !== (park.kind === 'sleep' ? 'sleeping' : 'suspended')) return undefined;
	const { park: _park, outcome: _outcome, ...rest } = call;
	const { output: _output, call: _call, ...beside } = json;
	const parkId = own(carried, 'id');
	const claimId = own(carried, 'claimId');
	return {
		park,
		parkedAt,
		...(typeof parkId === 'string' ? { parkId } : {}),
		...(typeof claimId === 'string' ? { claimId } : {}),
		call: rest,
		beside,
	};
}

function readPark(carried: PlainObject): StoredPark | undefined {
	const kind = own(carried, 'kind');
	if (kind === 'sleep') {
		const until = own(carried, 'until');
		return isStoredInstant(until) ? { kind, until } : undefined;
	}
	if (kind !== 'person' && kind !== 'signal') return undefined;
	const reason = own(carried, 'reason');
	const inputSchema = own(carried, 'inputSchema');
	if (typeof reason !== 'string' || reason.trim() === '') return undefined;
	if (typeof inputSchema !== 'boolean' && !isPlainObject(inputSchema)) return undefined;
	return isDeeperThan(inputSchema, DEEPEST_VALUE) ? undefined : { kind, reason, inputSchema };
}

/** True for an instant in the one form in which we store it: UTC, with milliseconds. */
function isStoredInstant(value: unknown): value is string {
	if (typeof value !== 'string') return false;
	const reading = readInstant(value);
	return reading.kind === 'instant' && reading.at.toISOString() === value;
}
