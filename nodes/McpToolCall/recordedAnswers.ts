import type { IWebhookResponseData } from 'n8n-workflow';

import { forwarded } from '../../src/n8n/parking';
import type { Ledger } from '../../src/ledger/ledger';
import { fail, type Result, succeed } from '../../src/outcome/failure';
import { answerable, type ParkedBatch } from '../../src/park/parkedBatch';
import type { StoredAnswer } from '../../src/park/settleBatch';
import { openLedger } from '../shared/openLedger';

/** How long the request that may resume an execution has for it, before the next request takes over (R10). */
const RESUME_LEASE_MS = 30_000;

type Resume = Pick<IWebhookResponseData, 'workflowData'>;

/**
 * The answers recorded so far; and what resumes the execution if all are there, nobody resumes it and it still waits:
 * a process died between the last answer and the resume (R10). A ledger that is away has no answers to tell.
 */
export async function resumeIfAnswered(
	batch: ParkedBatch,
): Promise<{ readonly answers: readonly StoredAnswer[]; readonly resume: Resume }> {
	if (answerable(batch).length === 0) return { answers: [], resume: {} };
	const ledger = await openLedger();
	const reading = ledger.ok ? await ledger.value.readAnswers(batch.batchId) : ledger;
	if (!ledger.ok || !reading.ok || reading.value.kind !== 'batch')
		return { answers: [], resume: {} };
	const { answers, unanswered } = reading.value;
	if (unanswered.length > 0) return { answers, resume: {} };
	const claimed = await claim(ledger.value, batch, answers);
	return { answers, resume: claimed.ok ? claimed.value : {} };
}

/** What resumes the execution with the recorded answers, for the one caller that may; nothing for all others. */
export async function claimResume(ledger: Ledger, batch: ParkedBatch): Promise<Result<Resume>> {
	const reading = await ledger.readAnswers(batch.batchId);
	if (!reading.ok) return reading;
	if (reading.value.kind === 'batch' && reading.value.unanswered.length === 0) {
		return await claim(ledger, batch, reading.value.answers);
	}
	return fail({
		code: 'ledger-unavailable',
		disposition: 'did-not-happen',
		message: 'The ledger has lost answers that it had recorded',
	});
}

/** The last thing that is asked of the ledger: a failure before it leaves the lease to the next request. */
async function claim(
	ledger: Ledger,
	batch: ParkedBatch,
	answers: readonly StoredAnswer[],
): Promise<Result<Resume>> {
	const now = new Date();
	const { batchId } = batch;
	const claimed = await ledger.claimResume({ batchId, now, leaseMs: RESUME_LEASE_MS });
	if (!claimed.ok) return claimed;
	return succeed(claimed.value ? { workflowData: forwarded(batch, answers, now) } : {});
}
