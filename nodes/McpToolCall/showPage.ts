import { randomBytes } from 'node:crypto';

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { utcText } from '../../src/page/instantText';
import { pageHeaders } from '../../src/page/pageHeaders';
import type { PageModel } from '../../src/page/pageModel';
import { renderPage } from '../../src/page/renderPage';
import { targetOf } from '../../src/park/judgeAnswer';
import {
	type BatchLimit,
	isExpired,
	type ParkedBatch,
	type ParkedItem,
} from '../../src/park/parkedBatch';
import type { StoredAnswer } from '../../src/park/settleBatch';
import { itemUrl } from '../../src/n8n/resumeUrl';
import { toFormModel } from '../../src/schema/toFormModel';

/** Shows what waits, or the list of items when several do (R8). Link previews and mail scanners fetch it (I5). */
export function showPage(
	context: IWebhookFunctions,
	batch: ParkedBatch,
	item: string | undefined,
	answers: readonly StoredAnswer[],
): IWebhookResponseData {
	const target = targetOf(batch, item);
	const workflowName = context.getWorkflow().name;
	if ('kind' in target) {
		return target.kind === 'which'
			? send(context, 200, listModel(context, batch, answers, workflowName))
			: showProblemPage(context, 404, 'This item does not wait for an answer.');
	}
	const answer = answers.find((recorded) => recorded.item === target.item);
	if (answer === undefined) {
		const { limit } = batch;
		return limit !== undefined && target.park.kind !== 'sleep' && isExpired(batch, new Date())
			? send(context, 200, tooLateModel(limit))
			: send(context, 200, itemModel(target, limit, workflowName));
	}
	const at = answer.answeredAt.toISOString();
	return send(context, 200, {
		kind: 'problem',
		title: 'Answered already',
		message: `This was answered at ${at}. The first answer stands; there is nothing left to do here.`,
	});
}

const tooLateModel = ({ deadline }: BatchLimit): PageModel => ({
	kind: 'problem',
	title: 'Too late to answer',
	message: `This could be answered until ${utcText(deadline)}. The workflow goes on without an answer; there is nothing left to do here.`,
});

export const showProblemPage = (
	context: IWebhookFunctions,
	status: number,
	message: string,
): IWebhookResponseData =>
	send(context, status, { kind: 'problem', title: 'Nothing to answer', message });

function itemModel(
	parked: ParkedItem,
	limit: BatchLimit | undefined,
	workflowName: string | undefined,
): PageModel {
	const { tool, serverName, parkedAt, park, schemaWarning } = parked;
	const origin = {
		tool,
		parkedAt,
		...(serverName === undefined ? {} : { serverName }),
		...(workflowName === undefined ? {} : { workflowName }),
	};
	if (park.kind === 'sleep') return { kind: 'sleep', until: park.until, ...origin };
	return {
		kind: park.kind,
		reason: park.reason,
		form: toFormModel(park.inputSchema),
		schema: park.inputSchema,
		...(limit === undefined ? {} : { deadline: limit.deadline }),
		...(schemaWarning === undefined ? {} : { schemaWarning }),
		...origin,
	};
}

function listModel(
	context: IWebhookFunctions,
	batch: ParkedBatch,
	answers: readonly StoredAnswer[],
	workflowName: string | undefined,
): PageModel {
	const { originalUrl } = context.getRequestObject();
	const query = originalUrl.slice(originalUrl.indexOf('?'));
	return {
		kind: 'list',
		...(workflowName === undefined ? {} : { workflowName }),
		...(batch.limit === undefined ? {} : { deadline: batch.limit.deadline }),
		items: batch.parked.map(({ item, tool, park }) => {
			const answer = answers.find((recorded) => recorded.item === item);
			return {
				item,
				tool,
				kind: park.kind,
				text: park.kind === 'sleep' ? park.until : park.reason,
				href: itemUrl(query, item),
				...(answer === undefined ? {} : { answeredAt: answer.answeredAt.toISOString() }),
			};
		}),
	};
}

function send(context: IWebhookFunctions, status: number, model: PageModel): IWebhookResponseData {
	const nonce = randomBytes(16).toString('base64');
	context.getResponseObject().status(status).set(pageHeaders(nonce)).send(renderPage(model, nonce));
	return { noWebhookResponse: true };
}
