import { randomUUID } from 'node:crypto';
import type { Json } from '../scripts/host/json.ts';
import type { CredentialReference, WorkflowSpec } from '../scripts/host/n8nRest.ts';
import { nothing, toolCall, workflow } from '../test/support/workflow.ts';
import type { NodeSpec } from '../test/support/workflow.ts';

/** What the tool asks a person, and an answer that fits. */
const REASON = 'Pay the invoice 2026-0417 of 1,250.00 to Northwind Traders?';
const INPUT_SCHEMA = {
	type: 'object',
	properties: {
		approved: { type: 'boolean', title: 'Approve' },
		note: { type: 'string', title: 'Note', maxLength: 500 },
		due: { type: 'string', format: 'date' },
	},
	required: ['approved'],
};
export const ANSWER = { approved: true, note: 'Fine with me.', due: '2026-12-24' };

/** Our node, calling a tool of the park server that suspends for a person. */
export function salvorNode(credential: CredentialReference): NodeSpec {
	const salvor = { suspend: { reason: REASON, input_schema: INPUT_SCHEMA } };
	const result = { content: [], _meta: { salvor } };
	return toolCall(
		credential,
		{
			operation: 'call',
			tool: { __rl: true, mode: 'name', value: 'look' },
			argumentsMode: 'json',
			argumentsJson: JSON.stringify({ tag: 'bench', result }),
			options: {},
		},
		{},
		'Park',
	);
}

/** n8n's own Wait node, resumed by a POST. */
export const waitNode = (): NodeSpec => ({
	name: 'Park',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
	settings: { webhookId: randomUUID() },
});

/** A production workflow: a webhook that is answered with the address that resumes it, the node that waits, and one after it. */
export function parkingWorkflow(path: string, park: NodeSpec): WorkflowSpec {
	const start: NodeSpec = {
		name: 'Start',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { path, httpMethod: 'POST', responseMode: 'responseNode', options: {} },
		settings: { webhookId: randomUUID() },
	};
	const respond: NodeSpec = {
		name: 'Respond',
		type: 'n8n-nodes-base.respondToWebhook',
		typeVersion: 1.5,
		parameters: {
			respondWith: 'text',
			responseBody: '={{ $execution.resumeUrl }}',
			options: {},
		} satisfies Json,
	};
	return workflow([start, respond, park, nothing('After')]);
}
