import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { toItems } from '../../src/n8n/parking';
import { readAnswer } from '../../src/n8n/readAnswer';
import type { Ledger, Recording } from '../../src/ledger/ledger';
import type { Result } from '../../src/outcome/failure';
import { judgeAnswer, targetOf, type Verdict } from '../../src/park/judgeAnswer';
import type { ParkedBatch } from '../../src/park/parkedBatch';
import { settleBatch } from '../../src/park/settleBatch';
import { compileSchema } from '../../src/schema/checkSchema';
import { openLedger } from '../shared/openLedger';
import { describeWaiting } from './describeWaiting';
import { claimResume } from './recordedAnswers';
import { openBatch } from './registerBatch';
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
		checkAnswer,
	);
	switch (verdict.kind) {
		case 'accepted':
			return await record(context, batch, verdict.item, reading.answer, now);
		case 'due':
			return resumed([toItems(settleBatch(batch, [], now))]);
		default:
			return refuse(context, batch, verdict);
	}
}

function checkAnswer(schema: unknown, value: unknown) {
	const compiled = compileSchema(schema);
	return compiled.kind === 'compiled' ? compiled.check(value) : [];
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
	const recording = ledger.ok
		? await recordOnce(ledger.value, batch, context.getNode().name, { item, value, answeredAt })
		: ledger;
	if (!ledger.ok || !recording.ok) {
		const failure = ledger.ok ? recording : ledger;
		if (!failure.ok)
			context.logger.error(`An answer could not be recorded: ${failure.failure.message}`);
		return reply(context, 503, {
			status: 'unavailable',
			message: 'The answer could not be recorded; the execution still waits. Send it again later.',
		});
	}
	switch (recording.value.kind) {
		case 'recorded': {
			const { remaining } = recording.value;
			if (remaining > 0) return reply(context, 202, { status: 'recorded', remaining });
			const { workflowData } = await claimResume(context, ledger.value, batch);
			// Another request took over between the record and the claim: it resumes with this answer.
			return workflowData === undefined
				? reply(context, 200, { status: 'resumed' })
				: resumed(workflowData);
		}
		case 'answered-before': {
			const { answeredAt: first, remaining } = recording.value;
			const response = reply(context, 409, {
				status: 'answered',
				answered_at: first.toISOString(),
				message: 'This was answered already; the first answer stands.',
			});
			return remaining > 0
				? response
				: { ...response, ...(await claimResume(context, ledger.value, batch)) };
		}
		case 'unknown':
			return reply(context, 404, {
				status: 'not-waiting',
				message: `Item ${String(item)} does not wait for an answer.`,
			});
	}
}

/** Records an answer; a ledger that has lost or never had the batch learns it from the execution first. */
async function recordOnce(
	ledger: Ledger,
	batch: ParkedBatch,
	nodeName: string,
	given: { readonly item: number; readonly value: unknown; readonly answeredAt: Date },
): Promise<Result<Recording>> {
	const { batchId } = batch;
	const { item, value, answeredAt } = given;
	const first = await ledger.recordAnswer({ batchId, item, answer: value, answeredAt });
	if (!first.ok || first.value.kind !== 'unknown') return first;
	const opened = await openBatch(ledger, batch, nodeName);
	if (!opened.ok) return opened;
	return await ledger.recordAnswer({ batchId, item, answer: value, answeredAt });
}

function refuse(
	context: IWebhookFunctions,
	batch: ParkedBatch,
	verdict: Exclude<Verdict, { kind: 'accepted' | 'due' }>,
): IWebhookResponseData {
	switch (verdict.kind) {
		case 'rejected':
			return reply(context, 422, { status: 'rejected', issues: verdict.issues });
		case 'asleep':
			return reply(context, 409, {
				status: 'sleeping',
				sleep_until: verdict.until,
				remaining_seconds: verdict.remainingSeconds,
			});
		case 'awake':
			return reply(context, 409, {
				status: 'awake',
				message: 'The instant of this item has come; it leaves with the items that still wait.',
			});
		case 'which':
			return reply(context, 400, {
				...describeWaiting(batch, []),
				status: 'which-item',
				message: 'Several items wait here; add item=<number> to the address.',
			});
		case 'not-waiting':
			return reply(context, 404, {
				status: 'not-waiting',
				message: `Item ${verdict.item.slice(0, 40)} does not wait here.`,
			});
		case 'stale':
			return reply(context, 409, {
				status: 'answered',
				message:
					'The park this answer is meant for is over; another one waits at this address now.',
			});
	}
}
