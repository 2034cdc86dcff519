import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { targetOf, Verdict } from '../../src/park/judgeAnswer';
import type { ParkedBatch } from '../../src/park/parkedBatch';
import type { StoredAnswer } from '../../src/park/settleBatch';
import { describeWaiting } from './describeWaiting';
import { resumeIfAnswered } from './recordedAnswers';
import { reply } from './reply';

type Refusal = Exclude<Verdict, { kind: 'accepted' | 'due' }>;

/** Says why a request changes nothing; of an item that has its answer, that it has (R6). */
export async function refuseAnswer(
	context: IWebhookFunctions,
	batch: ParkedBatch,
	target: ReturnType<typeof targetOf>,
	verdict: Refusal,
): Promise<IWebhookResponseData> {
	const { answers, resume } = await resumeIfAnswered(batch);
	const answer =
		'kind' in target || verdict.kind === 'stale'
			? undefined
			: answers.find(({ item }) => item === target.item);
	const response =
		answer === undefined
			? explain(context, batch, answers, verdict)
			: answeredBefore(context, answer.answeredAt);
	return { ...response, ...resume };
}

function explain(
	context: IWebhookFunctions,
	batch: ParkedBatch,
	answers: readonly StoredAnswer[],
	verdict: Refusal,
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
		case 'expired':
			return tooLate(context, verdict.deadline);
		case 'which':
			return reply(context, 400, {
				...describeWaiting(batch, answers, new Date()),
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

/** The limit has passed; nothing is recorded, and whether the execution goes on or fails is On Expiry's and On Error's to say (P26). */
export const tooLate = (context: IWebhookFunctions, deadline: string): IWebhookResponseData =>
	reply(context, 409, {
		status: 'expired',
		deadline,
		message: 'The time for an answer is over; no answer is taken any more.',
	});

/** The item has its answer, and keeps it (R6). */
export const answeredBefore = (
	context: IWebhookFunctions,
	answeredAt: Date,
): IWebhookResponseData =>
	reply(context, 409, {
		status: 'answered',
		answered_at: answeredAt.toISOString(),
		message: 'This was answered already; the first answer stands.',
	});
