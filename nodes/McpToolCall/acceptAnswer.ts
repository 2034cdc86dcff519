import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { forwarded } from '../../src/n8n/parking';
import { readAnswer } from '../../src/n8n/readAnswer';
import type { Ledger, Recording } from '../../src/ledger/ledger';
import type { Failure, Result } from '../../src/outcome/failure';
import { judgeAnswer, targetOf } from '../../src/park/judgeAnswer';
import type { ParkedBatch } from '../../src/park/parkedBatch';
import { openLedger } from '../shared/openLedger';
import { checkAnswer } from './checkAnswer';
import { claimResume } from './recordedAnswers';
import { openBatch } from './registerBatch';
import { answeredBefore, refuseAnswer, tooLate } from './refuseAnswer';
import { reply } from './reply';

/** A POST on the resume address: judged here, recorded once, and the last answer resumes the execution (R1 to R7, R10). */
export async function acceptAnswer(
	context: IWebhookFunctions,
	batch: ParkedBatch,
	item: string | undefined,
): Promise<IWebhookResponseData> {
	const target = targetOf(batch, item);
	const needsBody = !('kind' in target) && target.park.kind !== 'sleep';
	const reading = needsBody ? readAnswer(context) : { kind: 'answer' as const, answer: undefined };
	if (reading.kind === 'unreadable') {
		return reply(context, reading.status, { status: 'unreadable', message: reading.message });
	}
	const meantFor = context.getRequestObject().headers['x-salvor-parked-at'];
	const now = new Date();
	const verdict = judgeAnswer(
		batch,
		{
			answer: reading.answer,
			now,
			...(item === undefined ? {} : { item }),
			...(typeof meantFor === 'string' ? { meantFor } : {}),
		},
		checkAnswer('kind' in target ? undefined : target.schemaWarning),
	);
	switch (verdict.kind) {
		case 'accepted':
			return await record(context, batch, verdict.item, reading.answer, now);
		case 'due':
			return resumed(forwarded(batch, [], now));
		default:
			return await refuseAnswer(context, batch, target, verdict);
	}
}

const resumed = (workflowData: NonNullable<IWebhookResponseData['workflowData']>) => ({
	workflowData,
	webhookResponse: { status: 'resumed' },
});

async function record(
	context: IWebhookFunctions,
	batch: ParkedBatch,
	item: number,
	value: unknown,
	answeredAt: Date,
): Promise<IWebhookResponseData> {
	const ledger = await openLedger();
	if (!ledger.ok) return unavailable(context, ledger.failure, NOT_RECORDED);
	const given = { item, value, answeredAt };
	const recording = await recordOnce(context, ledger.value, batch, given);
	if (!recording.ok) {
		const inDoubt = recording.failure.disposition === 'in-doubt';
		return unavailable(context, recording.failure, inDoubt ? PERHAPS_RECORDED : NOT_RECORDED);
	}
	switch (recording.value.kind) {
		case 'recorded': {
			const { remaining } = recording.value;
			if (remaining > 0) return reply(context, 202, { status: 'recorded', remaining });
			const claimed = await claimResume(ledger.value, batch);
			if (!claimed.ok) return unavailable(context, claimed.failure, NOT_RESUMED);
			const { workflowData } = claimed.value;
			// Another request took over between the record and the claim: it resumes with this answer.
			return workflowData === undefined
				? reply(context, 200, { status: 'resumed' })
				: resumed(workflowData);
		}
		case 'answered-before': {
			const { answeredAt: first, remaining } = recording.value;
			if (remaining > 0) return answeredBefore(context, first);
			const claimed = await claimResume(ledger.value, batch);
			return claimed.ok
				? { ...answeredBefore(context, first), ...claimed.value }
				: unavailable(context, claimed.failure, NOT_RESUMED);
		}
		case 'closed':
			return tooLate(context, batch.limit?.deadline ?? recording.value.closedAt.toISOString());
		case 'unknown':
			return reply(context, 404, {
				status: 'not-waiting',
				message: `Item ${String(item)} does not wait for an answer.`,
			});
	}
}

const NOT_RECORDED =
	'The answer could not be recorded; the execution still waits. Send it again later.';
const PERHAPS_RECORDED =
	'Whether the answer was recorded is not known; the execution still waits. Send it again later: it counts once.';
const NOT_RESUMED =
	'The answer is recorded, but the execution could not go on and still waits. Send it again later.';

function unavailable(
	context: IWebhookFunctions,
	failure: Failure,
	message: string,
): IWebhookResponseData {
	context.logger.error(`The ledger failed while an answer was taken: ${failure.message}`);
	return reply(context, 503, { status: 'unavailable', message });
}

/** Records an answer; a ledger that has lost or never had the batch learns it from the execution first. */
async function recordOnce(
	context: IWebhookFunctions,
	ledger: Ledger,
	batch: ParkedBatch,
	given: { readonly item: number; readonly value: unknown; readonly answeredAt: Date },
): Promise<Result<Recording>> {
	const { batchId } = batch;
	const { item, value, answeredAt } = given;
	const first = await ledger.recordAnswer({ batchId, item, answer: value, answeredAt });
	if (!first.ok || first.value.kind !== 'unknown') return first;
	const opened = await openBatch(context, ledger, batch);
	if (!opened.ok) return opened;
	return await ledger.recordAnswer({ batchId, item, answer: value, answeredAt });
}
