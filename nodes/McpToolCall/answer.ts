import { randomUUID } from 'node:crypto';

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readAnswer } from '../../src/n8n/readAnswer';
import { readParkedBatch, toItems } from '../../src/n8n/parking';
import { judgeAnswer, type Verdict } from '../../src/park/judgeAnswer';
import type { ParkedBatch } from '../../src/park/parkedBatch';
import { compileSchema } from '../../src/schema/checkSchema';
import { showPage, showProblemPage } from './showPage';
import { describeWaiting } from './describeWaiting';

/** The request was answered on the response object; the execution stays parked. */
const STAY_PARKED: IWebhookResponseData = { noWebhookResponse: true };

const NOT_ANSWERABLE = {
	nothing: { status: 404, message: 'Nothing waits for an answer here.' },
	foreign: {
		status: 409,
		message:
			'This wait was begun by another version of n8n-nodes-salvor; install that version to answer it.',
	},
} as const;

/** The resume endpoint. Never throws: n8n would wipe the execution and go on with an error (R11, I4). */
export async function answer(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await Promise.resolve(answerRequest(context));
	} catch (error) {
		const id = randomUUID();
		const problem = error instanceof Error ? error.message : String(error);
		context.logger.error(`Resume endpoint failed (${id}): ${problem}`);
		try {
			return reply(context, 500, {
				status: 'error',
				id,
				message: 'The request could not be handled; the execution still waits.',
			});
		} catch {
			return STAY_PARKED;
		}
	}
}

function answerRequest(context: IWebhookFunctions): IWebhookResponseData {
	const request = context.getRequestObject();
	const reading = readParkedBatch(context);
	const wantsJson = prefersJson(request.headers.accept);
	if (reading.kind !== 'batch') {
		const { status, message } = NOT_ANSWERABLE[reading.kind];
		if (request.method === 'GET' && !wantsJson) return showProblemPage(context, status, message);
		return reply(context, status, { status: 'not-waiting', message });
	}
	const { batch } = reading;
	if (request.method === 'GET') {
		if (wantsJson) return reply(context, 200, describeWaiting(batch));
		return showPage(context, batch);
	}
	return acceptAnswer(context, batch);
}

function acceptAnswer(context: IWebhookFunctions, batch: ParkedBatch): IWebhookResponseData {
	// All parks of an execution share one address: an answer meant for an earlier one must not meet this one.
	const meant = context.getRequestObject().headers['x-salvor-parked-at'];
	if (meant !== undefined && meant !== batch.parkedAt) {
		return reply(context, 409, {
			status: 'answered',
			message: 'The park this answer is meant for is over; another one waits at this address now.',
		});
	}
	const reading =
		batch.parked.park.kind === 'sleep'
			? ({ kind: 'answer', answer: undefined } as const)
			: readAnswer(context);
	if (reading.kind === 'unreadable') {
		return reply(context, reading.status, { status: 'unreadable', message: reading.message });
	}
	const { item } = context.getQueryData() as { item?: unknown }; // decode point: query parameters
	const verdict = judgeAnswer(
		batch,
		{
			answer: reading.answer,
			now: new Date(),
			...(item === undefined ? {} : { item: typeof item === 'string' ? item : 'list' }),
		},
		(schema, value) => {
			const compiled = compileSchema(schema);
			return compiled.kind === 'compiled' ? compiled.check(value) : [];
		},
	);
	return act(context, batch, verdict);
}

function act(
	context: IWebhookFunctions,
	batch: ParkedBatch,
	verdict: Verdict,
): IWebhookResponseData {
	switch (verdict.kind) {
		case 'resumed':
			return {
				workflowData: [toItems(verdict.items)],
				webhookResponse: { status: 'resumed' },
			};
		case 'rejected':
			return reply(context, 422, { status: 'rejected', issues: verdict.issues });
		case 'asleep':
			return reply(context, 409, {
				status: 'sleeping',
				sleep_until: verdict.until,
				remaining_seconds: verdict.remainingSeconds,
			});
		case 'not-waiting':
			return reply(context, 404, {
				status: 'not-waiting',
				message: `Item ${verdict.item.slice(0, 40)} does not wait; item ${String(batch.parked.item)} does.`,
			});
	}
}

function reply(
	context: IWebhookFunctions,
	status: number,
	body: Readonly<Record<string, unknown>>,
): IWebhookResponseData {
	context.getResponseObject().status(status).set('Cache-Control', 'no-store').json(body);
	return STAY_PARKED;
}

/** True when JSON is asked for by name and HTML is not (R8, R9). */
const prefersJson = (accept: string | undefined): boolean =>
	accept !== undefined && /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
