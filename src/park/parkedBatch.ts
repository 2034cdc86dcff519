import { isPlainObject, type PlainObject } from '../json/plainObject';
import { packSchemas, unpackSchemas } from './sharedSchemas';

/**
 * A run of the call node that waits, as it is stored: one JSON text, versioned.
 * Instants are UTC texts. What leaves is complete here but for the answers, so nothing is called after the wait (P20).
 */
export interface ParkedBatch {
	/** 2 when the batch has a limit or the node runs once more after the wait; earlier releases would call again then. */
	readonly version: 1 | 2;
	/** Random; the ledger keeps the answers under it. */
	readonly batchId: string;
	readonly executionId: string;
	readonly workflowId: string;
	/** The items that wait, in item order; at least one. */
	readonly parked: readonly ParkedItem[];
	/** One entry per input item, in order (P21); a parked one's entry is its item as it waits. */
	readonly items: readonly LeavingItem[];
	/** An AI Agent waits for it as for its tool's answer: items leave without their `call` (P28). */
	readonly leavesAs?: 'toolAnswer';
	/** Until when answers are taken, if not for ever (P26). */
	readonly limit?: BatchLimit;
	/** The node runs once more after the wait and settles the batch then, so n8n forwards nothing. */
	readonly runsAgain?: true;
	/** The ledger had taken the batch in before the wait began. */
	readonly registered?: true;
}

/** What Limit Wait came to in a wait that has begun. */
export interface BatchLimit {
	/** UTC instant. */
	readonly deadline: string;
	/** What an item does that has no answer by then. */
	readonly onExpiry: OnExpiry;
}

export type OnExpiry = 'continue' | 'fail';

export interface ParkedItem {
	/** Index of the input item. */
	readonly item: number;
	readonly tool: string;
	readonly serverName?: string;
	readonly parkedAt: string;
	/** Random; the address that the server got names the park by it, wherever its item is awaited. */
	readonly parkId?: string;
	/** The claim of the keyed call that parked: it gets the answer too (K6). */
	readonly claimId?: string;
	readonly park: StoredPark;
	/** Why answers cannot be checked, when the schema is not usable. */
	readonly schemaWarning?: string;
}

export interface StoredSuspend {
	readonly kind: 'person' | 'signal';
	readonly reason: string;
	readonly inputSchema: boolean | PlainObject;
}

export interface StoredSleep {
	readonly kind: 'sleep';
	readonly until: string;
}

export type StoredPark = StoredSuspend | StoredSleep;

/** An n8n item as plain JSON. */
export interface LeavingItem {
	readonly json: PlainObject;
	readonly binary?: PlainObject;
}

const VERSIONS: readonly unknown[] = [1, 2];

export const encodeBatch = (batch: ParkedBatch): string => JSON.stringify(packSchemas(batch));

/** Reads a stored batch back; undefined for anything this version did not write. */
export function decodeBatch(text: unknown): ParkedBatch | undefined {
	if (typeof text !== 'string') return undefined;
	let value: unknown;
	try {
		value = unpackSchemas(JSON.parse(text));
	} catch {
		return undefined;
	}
	if (!isPlainObject(value) || !VERSIONS.includes(value['version'])) return undefined;
	if (!Array.isArray(value['parked']) || !Array.isArray(value['items'])) return undefined;
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only encodeBatch writes these versions
	return value as unknown as ParkedBatch;
}

/** The items of a batch that wait for an answer, by index. */
export const answerable = (batch: ParkedBatch): readonly number[] =>
	batch.parked.filter(({ park }) => park.kind !== 'sleep').map(({ item }) => item);

/** When a batch leaves by itself: at its last instant if all sleep; undefined when an answer is awaited (P25). */
export function wakesAt(batch: ParkedBatch): Date | undefined {
	let latest = -Infinity;
	for (const { park } of batch.parked) {
		if (park.kind !== 'sleep') return undefined;
		latest = Math.max(latest, new Date(park.until).getTime());
	}
	return new Date(latest);
}

/** When n8n's timer ends the wait: when all have slept, or at the limit; undefined for a wait without end. */
export function endsAt(batch: ParkedBatch): Date | undefined {
	const wakes = wakesAt(batch);
	if (wakes !== undefined || batch.limit === undefined) return wakes;
	return new Date(batch.limit.deadline);
}

/** True from the deadline on: no answer is taken any more (P26). */
export const isExpired = ({ limit }: ParkedBatch, now: Date): boolean =>
	limit !== undefined && new Date(limit.deadline) <= now;
