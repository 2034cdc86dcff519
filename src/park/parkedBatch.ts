import { isPlainObject, type PlainObject } from '../json/plainObject';
import { packSchemas, unpackSchemas } from './sharedSchemas';

/**
 * A run of the call node that waits, as it is stored: one JSON text, versioned.
 * Instants are UTC texts. What leaves is complete here but for the answers, so nothing is called after the wait (P20).
 */
export interface ParkedBatch {
	readonly version: 1;
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
}

export interface ParkedItem {
	/** Index of the input item. */
	readonly item: number;
	readonly tool: string;
	readonly serverName?: string;
	readonly parkedAt: string;
	/** Random; the address that the server got names the park by it, wherever its item is awaited. */
	readonly parkId?: string;
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
	if (!isPlainObject(value) || value['version'] !== 1) return undefined;
	if (!Array.isArray(value['parked']) || !Array.isArray(value['items'])) return undefined;
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only encodeBatch writes version 1
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
