import { expect, test } from 'vitest';
import { host, jsonOf, postAnswer, runUntil } from '../support/host';
import { items, manualTrigger, setFields, webhookTrigger, workflow } from '../support/workflow';
import type { NodeSpec } from '../support/workflow';

const waitForWebhook: NodeSpec = {
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
	settings: { webhookId: 'c0ffee00-0000-4000-8000-000000000001' },
};

test('the shared n8n loaded both nodes as an installed package', async () => {
	const types = await host().rest.nodeTypes();
	expect(types).toContain('n8n-nodes-salvor.mcpToolCall');
	expect(types).toContain('n8n-nodes-salvor.mcpToolPicker');
});

test('a workflow run by hand ends with the items that its nodes made', async () => {
	const execution = await runUntil(
		host().rest,
		workflow([
			manualTrigger(),
			items([{ n: 1 }, { n: 2 }]),
			setFields({ was: "{{ $('Items').item.json.n }}" }),
		]),
		['success'],
	);
	expect(jsonOf(execution, 'After')).toEqual([{ was: '1' }, { was: '2' }]);
});

test('a Wait node parks the run, and a request to its resume address lets it go on', async () => {
	const { rest } = host();
	const parked = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			setFields({ resumeUrl: '{{ $execution.resumeUrl }}' }, 'Before'),
			waitForWebhook,
			setFields({ got: '{{ $json.body.answer }}' }),
		]),
		['waiting'],
	);
	expect(parked.waitTill?.getUTCFullYear()).toBe(3000);
	expect(parked.runData).not.toHaveProperty('After');

	const url = await rest.resumeUrl(parked.id);
	expect(jsonOf(parked, 'Before')).toEqual([{ resumeUrl: url }]);
	expect((await postAnswer(url, { answer: 'yes' })).status).toBe(200);
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, 'After')).toEqual([{ got: 'yes' }]);
});

test('a run that fails names the node and the error', async () => {
	const execution = await runUntil(
		host().rest,
		workflow([
			manualTrigger(),
			{
				name: 'Stop',
				type: 'n8n-nodes-base.stopAndError',
				parameters: { errorMessage: 'no further' },
			},
		]),
		['error'],
	);
	expect(execution.lastNode).toBe('Stop');
	expect(execution.error?.message).toBe('no further');
	expect(execution.runData.Stop?.[0]?.error?.message).toBe('no further');
});

test('an active workflow runs in production mode when its webhook is called', async () => {
	const { rest } = host();
	const path = 'smoke-hook';
	const { id } = await rest.createWorkflow(workflow([webhookTrigger(path), items([{ n: 1 }])]));
	await rest.activate(id);
	const response = await fetch(rest.webhookUrl(path), { method: 'POST' });
	expect(response.status).toBe(200);
	await expect
		.poll(async () => (await rest.listExecutions(id)).map((e) => e.status))
		.toEqual(['success']);
	await rest.deactivate(id);
	expect((await fetch(rest.webhookUrl(path), { method: 'POST' })).status).toBe(404);
});
