import type { Failure } from '../../src/outcome/failure';
import { isExpired, type ParkedBatch, type ParkedItem } from '../../src/park/parkedBatch';
import type { StoredAnswer } from '../../src/park/settleBatch';

/**
 * What fails when a wait has ended, by item and in order: with On Expiry = Fail each item that nobody answered in time
 * (P26); and whatever the ending, an item whose answer the ledger may have lost, which is not said to have expired.
 */
export function expiryFailures(
	batch: ParkedBatch,
	answers: readonly StoredAnswer[],
	{ at, lost }: { readonly at: Date; readonly lost: boolean },
): readonly (readonly [number, Failure])[] {
	const { limit, parked } = batch;
	if (limit === undefined || !isExpired(batch, at)) return [];
	if (limit.onExpiry === 'continue' && !lost) return [];
	const answered = new Set(answers.map(({ item }) => item));
	return parked
		.filter(({ item, park }) => park.kind !== 'sleep' && !answered.has(item))
		.map((entry) => [entry.item, lost ? lostAnswers(entry) : expired(entry, limit.deadline)]);
}

const expired = ({ tool, item }: ParkedItem, deadline: string): Failure => ({
	code: 'wait-expired',
	disposition: 'landed',
	stage: 'call',
	message: `Nobody answered "${tool}" (item ${String(item)}) by ${deadline}`,
	remedy:
		'The call was made and is not repeated. Ask again with a new call, or give more time with the option Limit Wait.',
});

const lostAnswers = ({ tool, item }: ParkedItem): Failure => ({
	code: 'ledger-unavailable',
	disposition: 'landed',
	stage: 'call',
	message: `The wait for an answer to "${tool}" (item ${String(item)}) is over, but the ledger no longer knows it, so nobody can say whether it was answered`,
	remedy:
		'The call was made and is not repeated. Keep answers for longer than waits last: see SALVOR_LEDGER_RETENTION_DAYS.',
});
