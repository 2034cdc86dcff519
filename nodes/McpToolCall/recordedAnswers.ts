import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { toItems } from '../../src/n8n/parking';
import type { Ledger } from '../../src/ledger/ledger';
import { answerable, type ParkedBatch } from '../../src/park/parkedBatch';
import { settleBatch, type StoredAnswer } from '../../src/park/settleBatch';
import { openLedger } from '../shared/openLedger';

/** How long the request that may resume an execution has for it, before the next request takes over (R10). */
const RESUME_LEASE_MS = 30_000;

type Resume = Pick<IWebhookResponseData, 'workflowData'>;

/**
 * The answers recorded so far; and what resumes the execution if all are there, nobody resumes it and it still waits:
 * a process died between the last answer and the resume (R10). A ledger that is away has no answers to tell.
 */
export async function resumeIfAnswered(
	context: IWebhookFunctions,
	batch: ParkedBatch,
): Promise<{ readonly answers: readonly StoredAnswer[]; readonly resume: Resume }> {
	if (answerable(batch).length === 0) return { answers: [], resume: {} };
	const ledger = await openLedger();
	const reading = ledger.ok ? await ledger.value.readAnswers(batch.batchId) : ledger;
	if (!ledger.ok || !reading.ok || reading.value.kind !== 'batch')
		return { answers: [], resume: {} };
	const { answers, unanswered } = reading.value;
	if (unanswered.length > 0) return { answers, resume: {} };
	return { answers, resume: await claimResume(context, ledger.value, batch) };
}

/** What resumes the execution with the recorded answers, for the one caller that may; nothing for all others. */
export async function claimResume(
	context: IWebhookFunctions,
	ledger: Ledger,
	batch: ParkedBatch,
): Promise<Resume> {
	const { batchId } = batch;
	const now = new Date();
	const claimed = await ledger.claimResume({ batchId, now, leaseMs: RESUME_LEASE_MS });
	if (!claimed.ok || !claimed.value) return {};
	const reading = await ledger.readAnswers(batchId);
	if (!reading.ok || reading.value.kind !== 'batch' || reading.value.unanswered.length > 0) {
		context.logger.warn(
			'A parked run has all its answers, but they could not be read; the next request tries again.',
		);
		return {};
	}
	return { workflowData: [toItems(settleBatch(batch, reading.value.answers, now))] };
}
