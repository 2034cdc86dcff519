import type { IExecuteFunctions } from 'n8n-workflow';

import { isPlainObject, own, type PlainObject } from '../../src/json/plainObject';
import type { Ledger } from '../../src/ledger/ledger';
import { readJson } from '../../src/n8n/readJson';
import { itemUrl, resumeUrlOfExecution } from '../../src/n8n/resumeUrl';
import { fail, type Result, succeed } from '../../src/outcome/failure';
import { notElsewhere } from './notElsewhere';
import { readDecision } from './readDecision';
import { readText } from './readText';
import { refuse } from './refuse';

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
	const here = await notElsewhere(ledger, executionId, context.getInstanceId());
	if (!here.ok) return here;
	const url = await resumeUrlOfExecution(context, executionId);
	if (url === undefined) {
		return refuse(
			`Execution ${executionId} is not there, or does not wait`,
			'List the parked runs and take the execution from there.',
		);
	}
	const target = { executionId, item: parkedItem };
	const answered = await post(context, itemUrl(url, parkedItem), target, answer.value);
	if (!answered.ok) return answered;
	return succeed([{ operation: 'answer', ...answered.value, decision: decision.value }]);
}

async function post(
	context: IExecuteFunctions,
	url: string,
	target: { readonly executionId: string; readonly item: number },
	answer: unknown,
): Promise<Result<PlainObject>> {
	let response: unknown;
	try {
		response = await context.helpers.httpRequest({
			method: 'POST',
			url,
			body: JSON.stringify(answer),
			headers: { 'content-type': 'application/json', accept: 'application/json' },
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
	} catch {
		// What it says may hold the address, which is a secret (I9).
		return unknown('n8n could not be reached at its own webhook address');
	}
	const { statusCode, body } = isPlainObject(response) ? response : {};
	const said = readJson(body, 'The reply', '');
	const told = said.ok && isPlainObject(said.value) ? said.value : {};
	if (statusCode === 200 || statusCode === 202) {
		return succeed({ ...target, ...told, answeredAt: new Date().toISOString() });
	}
	if (typeof statusCode !== 'number' || statusCode >= 500)
		return unknown(reasonOf(told, statusCode));
	return refuse(
		`The answer to item ${target.item} of execution ${target.executionId} was not taken: ${reasonOf(told, statusCode)}`,
		'Correct the answer, or list the parked runs to see which items still wait.',
	);
}

/** The first answer stands, so to send it again does no harm (R6). */
const unknown = (problem: string): ReturnType<typeof fail> =>
	fail({
		code: 'connection-lost',
		disposition: 'in-doubt',
		message: `Whether the answer was taken is not known: ${problem}`,
		remedy: 'Check N8N_WEBHOOK_URL of n8n and send the answer again; it counts once.',
	});

function reasonOf(told: PlainObject, statusCode: unknown): string {
	const issues = own(told, 'issues');
	if (Array.isArray(issues)) return JSON.stringify(issues);
	const message = own(told, 'message') ?? own(told, 'status');
	return typeof message === 'string' ? message : `status ${String(statusCode)}`;
}
