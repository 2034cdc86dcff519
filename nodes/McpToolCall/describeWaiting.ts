import {
	type BatchLimit,
	isExpired,
	type ParkedBatch,
	type ParkedItem,
} from '../../src/park/parkedBatch';
import type { StoredAnswer } from '../../src/park/settleBatch';

/** The waiting items as JSON (R9); names as on the wire of `_meta.salvor`. An answer itself is not told. */
export const describeWaiting = (
	batch: ParkedBatch,
	answers: readonly StoredAnswer[],
	now: Date,
): Readonly<Record<string, unknown>> => ({
	status: isExpired(batch, now) ? 'expired' : 'waiting',
	items: batch.parked.map((parked) =>
		describeItem(
			parked,
			batch.limit,
			answers.find(({ item }) => item === parked.item),
		),
	),
});

function describeItem(
	{ item, tool, serverName, parkedAt, park, schemaWarning }: ParkedItem,
	limit: BatchLimit | undefined,
	answer: StoredAnswer | undefined,
): Readonly<Record<string, unknown>> {
	return {
		item,
		tool,
		...(serverName === undefined ? {} : { server_name: serverName }),
		kind: park.kind,
		...(park.kind === 'sleep'
			? { sleep_until: park.until }
			: { reason: park.reason, input_schema: park.inputSchema }),
		parked_at: parkedAt,
		deadline: park.kind === 'sleep' ? null : (limit?.deadline ?? null),
		...(answer === undefined ? {} : { answered_at: answer.answeredAt.toISOString() }),
		...(schemaWarning === undefined ? {} : { warning: schemaWarning }),
	};
}
