import type { IExecuteFunctions } from 'n8n-workflow';

import { isPlainObject, own, type PlainObject } from '../../src/json/plainObject';
import type { Ledger } from '../../src/ledger/ledger';
import { readJson } from '../../src/n8n/readJson';
import { itemUrl, resumeUrlOfExecution } from '../../src/n8n/resumeUrl';
import { fail, type Result, succeed } from '../../src/outcome/failure';
import { notElsewhere } from './notElsewhere';
import { readDecision } from './readDecision';
import { asText, readText } from './readText';
import { refuse } from './refuse';
import { replyWords } from './replyWords';
import { type Reply, resumeRequest } from './resumeRequest';
import { sameWait } from './sameWait';

/** Answers a parked item over its resume address, so that every rule of the page holds for this answer too (R1 to R7, R10). */
export async function answerParked(
	context: IExecuteFunctions,
	ledger: Ledger,
	item: number,
): Promise<Result<readonly PlainObject[]>> {
	const texts = readText(context, item, { executionId: 'Execution ID' });
	if (!texts.ok) return texts;
	const { executionId } = texts.value;
	const parkedItem: unknown = context.getNodeParameter('item', item, 0);
	if (typeof parkedItem !== 'number' || !Number.isInteger(parkedItem) || parkedItem < 0) {
		return refuse('Item must be a whole number from 0', 'Enter the number of the waiting item.');
	}
	const given: unknown = context.getNodeParameter('answer', item, '{}');
	const answer = readJson(given, 'Answer', 'Enter JSON, such as { "approved": true }.');
	if (!answer.ok) return answer;
	const decision = readDecision(context, item, new Date());
	if (!decision.ok) return decision;
	const since = asText(context.getNodeParameter('since', item, ''))?.trim();
	if (since === undefined)
		return refuse('Waiting Since must be a text', 'Leave it empty, or enter a text.');
	const instanceId = context.getInstanceId();
	const here = await notElsewhere(ledger, executionId, instanceId);
	if (!here.ok) return here;
	const resumeUrl = await resumeUrlOfExecution(context, executionId);
	if (resumeUrl === undefined) {
		return refuse(
			`Execution ${executionId} is not there, or does not wait`,
			'List the parked runs and take the execution from there.',
		);
	}
	const url = itemUrl(resumeUrl, parkedItem);
	// Looked at before the ledger is asked, so that what is answered is of the wait that was listed.
	const looked = await resumeRequest(context, { method: 'GET', url });
	const same =
		since === '' ? succeed(undefined) : await sameWait(ledger, { executionId, instanceId, since });
	if (!same.ok) return same;
	const park = parkIn(looked, parkedItem);
	const reply = await resumeRequest(context, {
		method: 'POST',
		url,
		body: JSON.stringify(answer.value),
		headers: {
			'content-type': 'application/json',
			...(park === undefined ? {} : { 'x-salvor-parked-at': park.parkedAt }),
		},
	});
	const { status, body } = reply;
	if (status === undefined || status >= 500) return unknown(replyWords(reply));
	if (status !== 200 && status !== 202) {
		return refuse(
			`The answer to item ${parkedItem} of execution ${executionId} was not taken: ${replyWords(reply)}`,
			'Correct the answer, or list the parked runs to see which items still wait.',
		);
	}
	const answeredAt = new Date().toISOString();
	return succeed([
		{
			operation: 'answer',
			executionId,
			item: parkedItem,
			...park,
			...body,
			answeredAt,
			decision: decision.value,
		},
	]);
}

/** What the item asks for, as its address tells it; undefined where it waits no more. */
function parkIn({ body }: Reply, item: number) {
	const items = own(body, 'items');
	const found = Array.isArray(items)
		? items.filter(isPlainObject).find((entry) => own(entry, 'item') === item)
		: undefined;
	const parkedAt = found && own(found, 'parked_at');
	if (found === undefined || typeof parkedAt !== 'string') return undefined;
	return { tool: own(found, 'tool'), reason: own(found, 'reason') ?? null, parkedAt };
}

/** The first answer stands, so to send it again does no harm (R6). */
const unknown = (problem: string): ReturnType<typeof fail> =>
	fail({
		code: 'connection-lost',
		disposition: 'in-doubt',
		message: `Whether the answer was taken is not known: ${problem}`,
		remedy: 'Check N8N_WEBHOOK_URL of n8n and send the answer again; it counts once.',
	});
