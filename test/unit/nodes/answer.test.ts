import type { IWebhookFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { answer } from '../../../nodes/McpToolCall/answer';

/** The host's side of a request, as far as the endpoint uses it; `broken` parts throw as a failing host would. */
function hostWith(broken: {
	readonly expression?: string;
	readonly response?: string;
	readonly stored?: string;
}) {
	const sent: { status?: number; body?: unknown } = {};
	const logged: string[] = [];
	const response = {
		status(code: number) {
			if (broken.response !== undefined) throw new Error(broken.response);
			sent.status = code;
			return response;
		},
		set: () => response,
		json(body: unknown) {
			sent.body = body;
			return response;
		},
	};
	const context = {
		evaluateExpression() {
			if (broken.expression !== undefined) throw new Error(broken.expression);
			return broken.stored;
		},
		getNode: () => ({ name: 'Call' }),
		getRequestObject: () => ({ method: 'POST', headers: {} }),
		getResponseObject: () => response,
		logger: { error: (line: string) => logged.push(line) },
	};
	return { context: context as unknown as IWebhookFunctions, sent, logged };
}

describe('the resume endpoint never throws and never resumes by accident (R11, I4)', () => {
	it('a failing host gives 500 with an id that the log has too, and the run stays parked', async () => {
		const { context, sent, logged } = hostWith({ expression: 'isolate is gone' });
		expect(await answer(context)).toEqual({ noWebhookResponse: true });
		expect(sent.status).toBe(500);
		const { id } = sent.body as { id: string };
		expect(id).toMatch(/^[0-9a-f-]{36}$/);
		expect(logged).toEqual([`Resume endpoint failed (${id}): isolate is gone`]);
		expect(JSON.stringify(sent.body)).not.toContain('isolate');
	});

	it.each([
		[404, undefined],
		[409, '{"version":99,"items":[]}'],
		[409, 'not JSON'],
	])('%i for a wait that this version cannot read: %s', async (status, stored) => {
		const { context, sent } = hostWith(stored === undefined ? {} : { stored });
		expect(await answer(context)).toEqual({ noWebhookResponse: true });
		expect(sent).toMatchObject({ status, body: { status: 'not-waiting' } });
	});

	it('a response that cannot be written leaves the run parked', async () => {
		const { context } = hostWith({ response: 'socket is gone' });
		expect(await answer(context)).toEqual({ noWebhookResponse: true });
	});
});
