import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Execution } from '../../scripts/host/executionData';
import type { CredentialReference, WorkflowSpec } from '../../scripts/host/n8nRest';
import { agentWorkflow, modelConnection, relays, relayTool, repeats } from '../support/agentRuns';
import { callWebhook, streamedText } from '../support/callWebhook';
import { host, httpConnection, jsonOf, postAnswer } from '../support/host';
import { parkOf, relay, sendsPark, suspends } from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startModelServer } from '../support/servers/modelServer';
import type { ModelServer } from '../support/servers/modelServer';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { createChild, parentNodes, waitingRuns } from '../support/subWorkflows';
import { respond, setFields, webhookTrigger, workflow } from '../support/workflow';
import type { NodeSpec, ResponseMode } from '../support/workflow';

let models: ModelServer;
let parkServer: ParkServer;
let modelCredential: CredentialReference;
let credential: CredentialReference;

beforeAll(async () => {
	const { rest } = host();
	models = await startModelServer();
	parkServer = await startParkServer();
	modelCredential = await modelConnection(rest, models);
	credential = await httpConnection(rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await models.stop();
	await parkServer.stop();
});

const after = setFields({ said: '{{ $json.output }}' });

/** Calls a published workflow whose call parks; gives the caller's response, still to come or not, and the parked run. */
async function call(
	mode: ResponseMode,
	behind: readonly NodeSpec[] = [after],
	parks: RelayCall = suspends(),
) {
	const path = `response-${randomUUID()}`;
	const row = [webhookTrigger(path, mode), relay(credential, parks), ...behind];
	return await callWebhook(host().rest, workflow(row), path);
}

/** Answers, and gives the finished execution. */
async function finish(parked: Execution): Promise<Execution> {
	const { rest } = host();
	expect((await postAnswer(await rest.resumeUrl(parked.id), 'yes')).status).toBe(200);
	return await rest.waitForExecution(parked.id, ['success']);
}

describe('the caller of a webhook whose run parks', () => {
	test.each(['person', 'signal'])(
		'is answered before the call when it responds immediately (a %s answers)',
		async (kind) => {
			const suspend = {
				reason: 'Say something',
				input_schema: true,
				kind: kind === 'signal' ? kind : null,
			};
			const { response, parked } = await call('onReceived', [after], sendsPark({ suspend }));
			expect(parkOf(parked).kind).toBe(kind);
			expect(await (await response).json()).toEqual({ message: 'Workflow was started' });
			expect(parkOf(parked).resumeUrl).toBe(await host().rest.resumeUrl(parked.id));
			expect(jsonOf(await finish(parked), 'After')).toEqual([{ said: 'yes' }]);
		},
	);

	test('gets the parked item without its address when the last node responds: who asks cannot answer', async () => {
		const { response, parked } = await call('lastNode');
		const answer = await response;
		const body = await answer.text();
		expect(answer.status).toBe(200);
		expect(JSON.parse(body)).toEqual({
			output: null,
			call: expect.objectContaining({
				outcome: 'suspended',
				park: {
					kind: 'person',
					reason: 'Say something',
					inputSchema: true,
					parkedAt: expect.any(String),
				},
			}),
		});
		expect(body).not.toContain('webhook-waiting');
		expect(body).not.toContain(parked.resumeToken);
		expect(jsonOf(await finish(parked), 'After')).toEqual([{ said: 'yes' }]);
	});

	test('gets it without its address when a sub-workflow parked', async () => {
		const { rest } = host();
		const childId = await createChild(rest, credential);
		const path = `response-${randomUUID()}`;
		const spec = workflow([
			webhookTrigger(path, 'lastNode'),
			...parentNodes(childId, [suspends('Below')]),
		]);
		const { response, parked } = await callWebhook(rest, spec, path);
		const body = await (await response).text();
		expect(body).toContain('Below');
		expect(body).not.toContain('webhook-waiting');
		const [child = ''] = await waitingRuns(rest, childId, 1);
		expect(body).not.toContain((await rest.execution(child)).resumeToken);
		expect((await postAnswer(await rest.resumeUrl(child), 'yes')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'Child')).toEqual([{ done: '"yes"' }]);
	});

	test('waits for the answer with the run when a Respond to Webhook node behind the call responds', async () => {
		const { response, parked } = await call('responseNode', [after, respond()]);
		let arrived = false;
		void response.then(() => (arrived = true));
		const url = await host().rest.resumeUrl(parked.id);
		expect(arrived).toBe(false);
		expect((await postAnswer(url, 'yes')).status).toBe(200);
		const answer = await response;
		expect([answer.status, await answer.json()]).toEqual([200, { said: 'yes' }]);
		await host().rest.waitForExecution(parked.id, ['success']);
	});
});

describe('a streamed response', () => {
	const agent = (park: ReturnType<typeof suspends>, trigger: NodeSpec): WorkflowSpec => {
		const model = models.model((got) => (got.length === 0 ? relays(park) : repeats(got)));
		return agentWorkflow({ model, modelCredential, tools: [relayTool(credential)], trigger });
	};
	const chatTrigger = (webhookId: string): NodeSpec => ({
		name: 'Start',
		type: '@n8n/n8n-nodes-langchain.chatTrigger',
		typeVersion: 1.4,
		parameters: { public: true, mode: 'webhook', options: { responseMode: 'streaming' } },
		settings: { webhookId },
	});

	test.each(['webhook', 'chat'])(
		'of an agent whose tool parks (%s) says that the run waits and ends; the run goes on unstreamed (P28)',
		async (how) => {
			const path = `stream-${randomUUID()}`;
			const trigger = how === 'chat' ? chatTrigger(path) : webhookTrigger(path, 'streaming');
			const spec = agent(suspends('A secret reason'), trigger);
			const { response, parked } = await callWebhook(
				host().rest,
				spec,
				how === 'chat' ? `${path}/chat` : path,
				{ action: 'sendMessage', chatInput: 'Do it.', sessionId: 'one' },
			);
			const answer = await response;
			const body = await answer.text();
			expect(answer.status).toBe(200);
			expect(streamedText(body)).toBe(
				'The run waits for an answer and goes on later. This response ends here.',
			);
			expect(body).not.toContain('A secret reason');
			expect(body).not.toContain(parked.resumeToken);
			expect(jsonOf(await finish(parked), 'After')).toEqual([{ answer: '[{"output":"yes"}]' }]);
		},
	);

	test('of a run whose call sleeps says until when', async () => {
		const { rest } = host();
		const path = `stream-${randomUUID()}`;
		const until = new Date(Date.now() + 3_600_000).toISOString();
		const spec = workflow([
			webhookTrigger(path, 'streaming'),
			relay(credential, sendsPark({ sleep_until: until })),
		]);
		const { response, parked } = await callWebhook(rest, spec, path);
		expect(streamedText(await (await response).text())).toBe(
			`The run waits until ${until} and goes on later. This response ends here.`,
		);
		await rest.stopExecution(parked.id);
	});

	test('of an agent whose tool does not park is the model’s own, to its end', async () => {
		const path = `stream-${randomUUID()}`;
		const spec = agentWorkflow({
			model: models.model(() => ({ says: 'Good morning' })),
			modelCredential,
			tools: [relayTool(credential)],
			trigger: webhookTrigger(path, 'streaming'),
		});
		const { rest } = host();
		const { id } = await rest.createWorkflow(spec);
		await rest.activate(id);
		const answer = await fetch(rest.webhookUrl(path), { method: 'POST' });
		expect(streamedText(await answer.text())).toBe('Good morning');
	});
});

test('the caller of a chat whose agent’s tool parks gets an error from n8n when the last node responds; the run waits all the same', async () => {
	const path = `response-${randomUUID()}`;
	const model = models.model((got) => (got.length === 0 ? relays(suspends()) : repeats(got)));
	const tools = [relayTool(credential)];
	const trigger = webhookTrigger(path, 'lastNode');
	const spec = agentWorkflow({ model, modelCredential, tools, trigger });
	const { response, parked } = await callWebhook(host().rest, spec, path);
	const answer = await response;
	expect([answer.status, await answer.json()]).toEqual([
		500,
		expect.objectContaining({ message: 'No item to return was found' }),
	]);
	expect(jsonOf(await finish(parked), 'After')).toEqual([{ answer: '[{"output":"yes"}]' }]);
});
