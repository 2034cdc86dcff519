import { isPlainObject, type PlainObject } from '../json/plainObject';
import type { LeavingItem, ParkedBatch } from './parkedBatch';

/** The items that leave once the parked one is answered: `output` is the answer verbatim (P22), order kept (P21). */
export function answerBatch(
	batch: ParkedBatch,
	answer: unknown,
	answeredAt: Date,
): readonly LeavingItem[] {
	return replaceParked(batch, (json) => ({
		output: answer,
		call: settledCall(json['call'], 'resumed', { answeredAt: answeredAt.toISOString() }),
	}));
}

/** The items that leave once the sleeper's instant has come: `output` is `{ slept_until }` (P23). */
export function wakeBatch(batch: ParkedBatch): readonly LeavingItem[] {
	return replaceParked(batch, (json) => wakeItem(json));
}

/** One sleeping item's JSON as it leaves after its instant (P23). */
export function wakeItem(json: PlainObject): PlainObject {
	const call = json['call'];
	const park = isPlainObject(call) && isPlainObject(call['park']) ? call['park'] : {};
	return { output: { slept_until: park['until'] }, call: settledCall(call, 'woke', {}) };
}

function replaceParked(
	batch: ParkedBatch,
	settle: (json: PlainObject) => PlainObject,
): readonly LeavingItem[] {
	return batch.items.map((item, index) =>
		index === batch.parked.item ? { ...item, json: settle(item.json) } : item,
	);
}

/** The resume URL is a capability of the wait and goes with it (surface: only while parked). */
function settledCall(call: unknown, outcome: 'resumed' | 'woke', added: PlainObject): PlainObject {
	const before = isPlainObject(call) ? call : {};
	const park: Record<string, unknown> = isPlainObject(before['park']) ? { ...before['park'] } : {};
	delete park['resumeUrl'];
	return { ...before, outcome, park: { ...park, ...added } };
}
