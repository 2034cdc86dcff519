import type { IExecuteFunctions } from 'n8n-workflow';

import type { BatchReading, Ledger } from '../../src/ledger/ledger';
import { type Result, succeed } from '../../src/outcome/failure';
import { judgeEnd } from '../../src/park/endOfWait';
import { answerable, type ParkedBatch } from '../../src/park/parkedBatch';
import type { StoredAnswer } from '../../src/park/settleBatch';
import { openLedger } from '../shared/openLedger';
import { openBatch } from './registerBatch';

/** How long a wait goes on whose answers cannot be read when it ends. */
const TRY_AGAIN_MS = 60_000;

export type Ending =
	| {
			readonly kind: 'over';
			readonly answers: readonly StoredAnswer[];
			readonly at: Date;
			/** The ledger has lost the batch, so it is not known whether items without an answer had one. */
			readonly lost: boolean;
	  }
	/** n8n ended the wait too soon. */
	| { readonly kind: 'early' }
	/** The ledger is away. An answer may lie there, so nothing is said to have expired: the wait goes on. */
	| { readonly kind: 'unreadable'; readonly tryAt: Date };

/**
 * Ends a wait that n8n has ended, if it is over (P24 to P26). The ledger closes an expired batch in the same step in which
 * it gives the answers: an answer is either in them or was refused.
 */
export async function endWait(context: IExecuteFunctions, batch: ParkedBatch): Promise<Ending> {
	const ended = await judge(context, batch, new Date());
	if (ended.ok) return ended.value;
	const { message } = ended.failure;
	context.logger.error(`A wait that has ended goes on, for its answers cannot be read: ${message}`);
	context.addExecutionHints({
		message: `The wait goes on for a minute at a time, because answers cannot be read: ${message}`,
		type: 'warning',
		location: 'outputPane',
	});
	return { kind: 'unreadable', tryAt: new Date(Date.now() + TRY_AGAIN_MS) };
}

async function judge(
	context: IExecuteFunctions,
	batch: ParkedBatch,
	now: Date,
): Promise<Result<Ending>> {
	if (answerable(batch).length === 0) {
		const { kind } = judgeEnd(batch, [], now);
		return succeed(kind === 'early' ? { kind } : over({ kind: 'unknown' }, now));
	}
	const ledger = await openLedger();
	if (!ledger.ok) return ledger;
	const reading = await ledger.value.readAnswers(batch.batchId);
	if (!reading.ok) return reading;
	// Closed by an earlier try of this run: what was found then stands.
	if (reading.value.kind === 'batch' && reading.value.closedAt !== undefined) {
		return succeed(over(reading.value, reading.value.closedAt));
	}
	const answered = answersOf(reading.value).map(({ item }) => item);
	const { kind } = judgeEnd(batch, answered, now);
	switch (kind) {
		case 'over':
			return succeed(over(reading.value, now));
		case 'early':
			return succeed({ kind });
		case 'expired':
			return await close(context, ledger.value, batch, now);
	}
}

async function close(
	context: IExecuteFunctions,
	ledger: Ledger,
	batch: ParkedBatch,
	closedAt: Date,
): Promise<Result<Ending>> {
	const { batchId } = batch;
	const closed = await ledger.closeBatch({ batchId, closedAt });
	if (!closed.ok) return closed;
	if (closed.value.kind === 'batch') return succeed(over(closed.value, closedAt));
	// Where one item alone is awaited, its answer would have ended the wait.
	if (batch.registered === true && answerable(batch).length > 1) {
		return succeed({ ...over(closed.value, closedAt), lost: true });
	}
	// Nobody has answered; an answer that comes now finds it closed.
	const opened = await openBatch(context, ledger, batch);
	if (!opened.ok) return opened;
	const again = await ledger.closeBatch({ batchId, closedAt });
	return again.ok ? succeed(over(again.value, closedAt)) : again;
}

const over = (reading: BatchReading, at: Date): Extract<Ending, { readonly kind: 'over' }> => ({
	kind: 'over',
	answers: answersOf(reading),
	at,
	lost: false,
});

const answersOf = (reading: BatchReading): readonly StoredAnswer[] =>
	reading.kind === 'batch' ? reading.answers : [];
