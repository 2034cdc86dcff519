import { isPlainObject, type PlainObject } from '../json/plainObject';
import { isExpired, type LeavingItem, type ParkedBatch, type ParkedItem } from './parkedBatch';
import { toolAnswer } from './toolAnswer';

export interface StoredAnswer {
	readonly item: number;
	readonly answer: unknown;
	readonly answeredAt: Date;
}

/**
 * The items that leave, in order (P21): an answered one with the answer verbatim (P22), a sleeper whose instant has come
 * with `{ slept_until }` (P23), one without an answer at the deadline as expired (P26). Whatever still waits leaves with
 * its park, and is not said to be finished (P25).
 * What an AI Agent's tool gives is the output alone (P28).
 */
export function settleBatch(
	batch: ParkedBatch,
	answers: readonly StoredAnswer[],
	now: Date,
): readonly LeavingItem[] {
	const parked = new Map(batch.parked.map((entry) => [entry.item, entry]));
	const answered = new Map(answers.map((entry) => [entry.item, entry]));
	const expired = isExpired(batch, now);
	return batch.items.map((leaving, item) => {
		const waiting = parked.get(item);
		const json =
			waiting === undefined
				? leaving.json
				: settleItem(leaving.json, waiting, answered.get(item), { now, expired });
		return { ...leaving, json: batch.leavesAs === 'toolAnswer' ? toolAnswer(json) : json };
	});
}

function settleItem(
	json: PlainObject,
	{ park }: ParkedItem,
	answer: StoredAnswer | undefined,
	{ now, expired }: { readonly now: Date; readonly expired: boolean },
): PlainObject {
	if (park.kind === 'sleep') {
		return new Date(park.until) <= now ? wakeItem(json) : withoutResumeUrl(json);
	}
	if (answer === undefined) return expired ? expireItem(json) : withoutResumeUrl(json);
	return {
		...json,
		output: answer.answer,
		call: settledCall(json['call'], {
			outcome: 'resumed',
			park: { answeredAt: answer.answeredAt.toISOString() },
		}),
	};
}

/** One sleeping item's JSON as it leaves after its instant (P23). */
export function wakeItem(json: PlainObject): PlainObject {
	const call = json['call'];
	const park = isPlainObject(call) && isPlainObject(call['park']) ? call['park'] : {};
	return {
		...json,
		output: { slept_until: park['until'] },
		call: settledCall(call, { outcome: 'woke' }),
	};
}

/** An item's JSON when nobody answered in time: the park stays in it, for whoever has to follow it up (P26). */
const expireItem = (json: PlainObject): PlainObject => ({
	...json,
	call: settledCall(json['call'], { outcome: 'expired' }),
});

const withoutResumeUrl = (json: PlainObject): PlainObject => ({
	...json,
	call: settledCall(json['call'], {}),
});

/**
 * The resume URL is a capability of the wait and goes with it, as does the park's name in it (surface: only while parked).
 * Who awaits it later still has an answer for its claim.
 */
function settledCall(
	call: unknown,
	changed: { readonly outcome?: 'resumed' | 'woke' | 'expired'; readonly park?: PlainObject },
): PlainObject {
	const before = isPlainObject(call) ? call : {};
	const park: Record<string, unknown> = isPlainObject(before['park']) ? { ...before['park'] } : {};
	delete park['resumeUrl'];
	delete park['id'];
	if (changed.outcome !== undefined) delete park['claimId'];
	return {
		...before,
		...(changed.outcome === undefined ? {} : { outcome: changed.outcome }),
		park: { ...park, ...changed.park },
	};
}
