import { randomUUID } from 'node:crypto';

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readParkedBatch } from '../../src/n8n/parking';
import type { ParkedBatch } from '../../src/park/parkedBatch';
import { acceptAnswer } from './acceptAnswer';
import { describeWaiting } from './describeWaiting';
import { resumeIfAnswered } from './recordedAnswers';
import { reply, STAY_PARKED } from './reply';
import { showPage, showProblemPage } from './showPage';

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
		return await answerRequest(context);
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

async function answerRequest(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const reading = readParkedBatch(context);
	const wantsJson = prefersJson(request.headers.accept);
	if (reading.kind !== 'batch') {
		const { status, message } = NOT_ANSWERABLE[reading.kind];
		if (request.method === 'GET' && !wantsJson) return showProblemPage(context, status, message);
		return reply(context, status, { status: 'not-waiting', message });
	}
	const { batch } = reading;
	const item = readItem(context, batch);
	if (item === ELSEWHERE) {
		if (request.method === 'GET' && !wantsJson) return showProblemPage(context, 409, NOT_NOW);
		return reply(context, 409, { status: 'not-waiting', message: NOT_NOW });
	}
	if (request.method !== 'GET') return await acceptAnswer(context, batch, item);
	const recorded = await resumeIfAnswered(batch);
	const response = wantsJson
		? reply(context, 200, describeWaiting(batch, recorded.answers, new Date()))
		: showPage(context, batch, item, recorded.answers);
	return { ...response, ...recorded.resume };
}

/** The address names a park, and that one does not wait here now: it is over, or its item is awaited later. */
const ELSEWHERE = Symbol('elsewhere');
const NOT_NOW =
	'The park of this address does not wait now: it is over, or its item is not awaited yet.';

/**
 * The item that the address names: by its park, which counts for more than a number that may have changed since the server
 * got the address, or by the `item` parameter. One that is not a single text names no item.
 */
function readItem(
	context: IWebhookFunctions,
	batch: ParkedBatch,
): string | undefined | typeof ELSEWHERE {
	const { item, park }: { item?: unknown; park?: unknown } = context.getQueryData();
	if (park !== undefined) {
		const named = batch.parked.find(({ parkId }) => parkId !== undefined && parkId === park);
		return named === undefined ? ELSEWHERE : String(named.item);
	}
	return item === undefined || typeof item === 'string' ? item : 'list';
}

/** True when JSON is asked for by name and HTML is not (R8, R9). */
const prefersJson = (accept: string | undefined): boolean =>
	accept !== undefined && /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
