import { randomBytes } from 'node:crypto';

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { clientScript } from '../../src/page/clientScript';
import { pageHeaders } from '../../src/page/pageHeaders';
import type { ListedItem, PageModel } from '../../src/page/pageModel';
import { renderPage } from '../../src/page/renderPage';
import { targetOf } from '../../src/park/judgeAnswer';
import { isExpired, type ParkedBatch, type StoredPark } from '../../src/park/parkedBatch';
import type { StoredAnswer } from '../../src/park/settleBatch';
import { itemUrl } from '../../src/n8n/resumeUrl';
import { pageOf } from './pageOf';

/** Shows what waits, or the list of items when several do (R8). Link previews and mail scanners fetch it (I5). */
export function showPage(
	context: IWebhookFunctions,
	batch: ParkedBatch,
	item: string | undefined,
	answers: readonly StoredAnswer[],
): IWebhookResponseData {
	const target = targetOf(batch, item);
	const workflowName = context.getWorkflow().name;
	const query = listQuery(context);
	const now = new Date();
	const named = workflowName === undefined ? {} : { workflowName };
	if ('kind' in target) {
		return target.kind === 'which'
			? send(context, 200, {
					kind: 'list',
					...named,
					...deadlineOf(batch),
					items: listed(batch, answers, query, now),
				})
			: showProblemPage(context, 404, 'This item does not wait for an answer.');
	}
	const answer = answers.find((recorded) => recorded.item === target.item);
	const page = pageOf(target, {
		now,
		...named,
		...deadlineOf(batch),
		...(batch.parked.length > 1 ? { listHref: query } : {}),
		...(answer === undefined ? {} : { answeredAt: answer.answeredAt }),
	});
	return send(context, 200, page);
}

export const showProblemPage = (
	context: IWebhookFunctions,
	status: number,
	message: string,
): IWebhookResponseData =>
	send(context, status, { kind: 'problem', title: 'Nothing to answer', message });

/** The query of the page's address without an item: n8n's token, as it came. */
function listQuery(context: IWebhookFunctions): string {
	const { originalUrl } = context.getRequestObject();
	const query = new URLSearchParams(originalUrl.split('?')[1] ?? '');
	query.delete('item');
	query.delete('park');
	return `?${query.toString()}`;
}

const listed = (
	batch: ParkedBatch,
	answers: readonly StoredAnswer[],
	query: string,
	now: Date,
): readonly ListedItem[] => {
	const isOver = (park: StoredPark): boolean =>
		park.kind === 'sleep' ? new Date(park.until) <= now : isExpired(batch, now);
	return batch.parked.map(({ item, tool, park }) => {
		const answer = answers.find((recorded) => recorded.item === item);
		return {
			item,
			tool,
			kind: park.kind,
			text: park.kind === 'sleep' ? park.until : park.reason,
			href: itemUrl(query, item),
			...(answer === undefined ? {} : { answeredAt: answer.answeredAt.toISOString() }),
			...(isOver(park) ? { isOver: true as const } : {}),
		};
	});
};

const deadlineOf = ({ limit }: ParkedBatch) =>
	limit === undefined ? {} : { deadline: limit.deadline };

function send(context: IWebhookFunctions, status: number, model: PageModel): IWebhookResponseData {
	const nonce = randomBytes(16).toString('base64');
	context
		.getResponseObject()
		.status(status)
		.set(pageHeaders(nonce))
		.send(renderPage(model, { nonce, script: clientScript }));
	return { noWebhookResponse: true };
}
