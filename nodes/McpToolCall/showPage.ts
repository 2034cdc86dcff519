import { randomBytes } from 'node:crypto';

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { pageHeaders } from '../../src/page/pageHeaders';
import type { PageModel } from '../../src/page/pageModel';
import { renderPage } from '../../src/page/renderPage';
import type { ParkedBatch } from '../../src/park/parkedBatch';
import { toFormModel } from '../../src/schema/toFormModel';

/** Shows what waits (R8). Changes nothing: link previews and mail scanners fetch it (I5). */
export function showPage(context: IWebhookFunctions, batch: ParkedBatch): IWebhookResponseData {
	return send(context, 200, toPageModel(batch, context.getWorkflow().name));
}

export const showProblemPage = (
	context: IWebhookFunctions,
	status: number,
	message: string,
): IWebhookResponseData =>
	send(context, status, { kind: 'problem', title: 'Nothing to answer', message });

function toPageModel(batch: ParkedBatch, workflowName: string | undefined): PageModel {
	const { tool, serverName, park, schemaWarning } = batch.parked;
	const origin = {
		tool,
		parkedAt: batch.parkedAt,
		...(serverName === undefined ? {} : { serverName }),
		...(workflowName === undefined ? {} : { workflowName }),
	};
	if (park.kind === 'sleep') return { kind: 'sleep', until: park.until, ...origin };
	return {
		kind: park.kind,
		reason: park.reason,
		form: toFormModel(park.inputSchema),
		schema: park.inputSchema,
		...(schemaWarning === undefined ? {} : { schemaWarning }),
		...origin,
	};
}

function send(context: IWebhookFunctions, status: number, model: PageModel): IWebhookResponseData {
	const nonce = randomBytes(16).toString('base64');
	context.getResponseObject().status(status).set(pageHeaders(nonce)).send(renderPage(model, nonce));
	return { noWebhookResponse: true };
}
