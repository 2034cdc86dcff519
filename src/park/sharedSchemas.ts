import { isPlainObject } from '../json/plainObject';
import type { ParkedBatch, StoredPark, StoredSuspend } from './parkedBatch';

/**
 * A server asks the same of many items, and n8n reads all that a run holds for every request on its address. So equal
 * schemas are one object, which n8n stores once, and stand once in the batch's text.
 */
type Schema = StoredSuspend['inputSchema'];

/** Gives a park with the very schema of an earlier park that was given an equal one. */
export function schemaSharing(): (park: StoredPark) => StoredPark {
	const known = new Map<string, Schema>();
	return (park) => {
		if (park.kind === 'sleep') return park;
		const text = JSON.stringify(park.inputSchema);
		const inputSchema = known.get(text) ?? park.inputSchema;
		known.set(text, inputSchema);
		return { ...park, inputSchema };
	};
}

/** What is stored of a batch: itself when one item at most awaits an answer, else its schemas beside it. */
export function packSchemas(batch: ParkedBatch): unknown {
	if (suspendedIn(batch.parked).size < 2) return batch;
	const indexes = new Map<unknown, number>();
	const packed = replaceSchemas(batch, (schema) => {
		const index = indexes.get(schema) ?? indexes.size;
		indexes.set(schema, index);
		return index;
	});
	return { schemas: [...indexes.keys()], batch: packed };
}

/** Puts the schemas back to where they belong; gives anything that is not packed as it is. */
export function unpackSchemas(stored: unknown): unknown {
	if (!isPlainObject(stored) || !Array.isArray(stored['schemas'])) return stored;
	const schemas: readonly unknown[] = stored['schemas'];
	return replaceSchemas(stored['batch'], (index) => schemas[Number(index)]);
}

type Replace = (schema: unknown) => unknown;

/** The items that await an answer hold their schema twice: where it judges the answer, and where the item shows it. */
function replaceSchemas(batch: unknown, replace: Replace): unknown {
	if (!isPlainObject(batch)) return batch;
	const { parked, items } = batch;
	if (!Array.isArray(parked) || !Array.isArray(items)) return batch;
	const suspended = suspendedIn(parked);
	return {
		...batch,
		parked: parked.map((entry: unknown) => replaceAt(entry, ['park', 'inputSchema'], replace)),
		items: items.map((leaving: unknown, item) =>
			suspended.has(item)
				? replaceAt(leaving, ['json', 'call', 'park', 'inputSchema'], replace)
				: leaving,
		),
	};
}

const suspendedIn = (parked: readonly unknown[]): ReadonlySet<unknown> =>
	new Set(
		parked.flatMap((entry) =>
			isPlainObject(entry) && isPlainObject(entry['park']) && entry['park']['kind'] !== 'sleep'
				? [entry['item']]
				: [],
		),
	);

/** A copy with one value replaced, if there is one at the end of the path. */
function replaceAt(holder: unknown, path: readonly string[], replace: Replace): unknown {
	const [key, ...rest] = path;
	if (key === undefined) return replace(holder);
	if (!isPlainObject(holder) || !Object.hasOwn(holder, key)) return holder;
	return { ...holder, [key]: replaceAt(holder[key], rest, replace) };
}
