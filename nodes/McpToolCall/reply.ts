import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** The request was answered on the response object; the execution stays parked. */
export const STAY_PARKED: IWebhookResponseData = { noWebhookResponse: true };

/** Answers a request as JSON and leaves the execution parked. */
export function reply(
	context: IWebhookFunctions,
	status: number,
	body: Readonly<Record<string, unknown>>,
): IWebhookResponseData {
	context.getResponseObject().status(status).set('Cache-Control', 'no-store').json(body);
	return STAY_PARKED;
}
