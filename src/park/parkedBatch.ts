import { isPlainObject, type PlainObject } from '../json/plainObject';

/**
 * A run of the call node that waits, as it is stored: one JSON text, versioned.
 * Instants are UTC texts. What leaves is complete here, so nothing is called or looked up after the wait (P20).
 */
export interface ParkedBatch {
	readonly version: 1;
	readonly parkedAt: string;
	readonly parked: ParkedItem;
	/** One entry per input item, in order (P21); the parked one's entry is its item as it waits. */
	readonly items: readonly LeavingItem[];
}

export interface ParkedItem {
	/** Index of the input item. */
	readonly item: number;
	readonly tool: string;
	readonly serverName?: string;
	readonly park: StoredPark;
	/** Why answers cannot be checked, when the schema is not usable. */
	readonly schemaWarning?: string;
}

export type StoredPark =
	| {
			readonly kind: 'person' | 'signal';
			readonly reason: string;
			readonly inputSchema: boolean | PlainObject;
	  }
	| { readonly kind: 'sleep'; readonly until: string };

/** An n8n item as plain JSON. */
export interface LeavingItem {
	readonly json: PlainObject;
	readonly binary?: PlainObject;
}

export const encodeBatch = (batch: ParkedBatch): string => JSON.stringify(batch);

/** Reads a stored batch back; undefined for anything this version did not write. */
export function decodeBatch(text: unknown): ParkedBatch | undefined {
	if (typeof text !== 'string') return undefined;
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isPlainObject(value) || value['version'] !== 1) return undefined;
	if (!isPlainObject(value['parked']) || !Array.isArray(value['items'])) return undefined;
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only encodeBatch writes version 1
	return value as unknown as ParkedBatch;
}
