import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import type { ParkedBatch } from './parkedBatch';

/** The batch with warnings in the `call` of every item that waits, after those that stand there. */
export function addWarnings(batch: ParkedBatch, warnings: readonly string[]): ParkedBatch {
	if (warnings.length === 0) return batch;
	const waiting = new Set(batch.parked.map(({ item }) => item));
	return {
		...batch,
		items: batch.items.map((leaving, item) =>
			waiting.has(item) ? { ...leaving, json: warn(leaving.json, warnings) } : leaving,
		),
	};
}

function warn(json: PlainObject, warnings: readonly string[]): PlainObject {
	const call = own(json, 'call');
	if (!isPlainObject(call)) return json;
	const stated = own(call, 'warnings');
	const before: readonly unknown[] = Array.isArray(stated) ? stated : [];
	const added = warnings.filter((warning) => !before.includes(warning));
	return { ...json, call: { ...call, warnings: [...before, ...added] } };
}
