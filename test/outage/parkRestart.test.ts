import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/host/freePort';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { N8nInstance } from '../../scripts/host/n8nInstance';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { CredentialReference, N8nRest, WorkflowSpec } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { httpConnection, jsonOf, postAnswer } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import {
	answers,
	callOf,
	parkOf,
	relayEach,
	runInProduction,
	sendsPark,
	shownUrl,
	suspends,
} from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { items, manualTrigger, setFields, webhookTrigger, workflow } from '../support/workflow';

const SCHEMA = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };

/** An n8n of this file's own, on one folder and one port through all its lives. */
let folder: string;
let port: number;
let n8n: N8nInstance;
let rest: N8nRest;
let parkServer: ParkServer;
let credential: CredentialReference;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-restart-'));
	port = await freePort();
	parkServer = await startParkServer();
	n8n = await startN8n({ userFolder: folder, port, extension: 'package' });
	await n8n.rest.signIn(hostOwner);
	rest = n8nRest(n8n.baseUrl, n8n.rest.cookie());
	credential = await httpConnection(rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await n8n.kill();
	await parkServer.stop();
	await rm(folder, { recursive: true, force: true });
});

async function startAgain(): Promise<void> {
	n8n = await startN8n({ userFolder: folder, port, extension: 'package' });
}

function spec(calls: readonly RelayCall[], hook?: string): WorkflowSpec {
	return workflow([
		hook === undefined ? manualTrigger() : webhookTrigger(hook),
		items(
			calls.map((call, x) => ({ x, call })),
			'Before',
		),
		relayEach(credential),
		setFields({ x: "{{ $('Before').item.json.x }}", output: '{{ JSON.stringify($json.output) }}' }),
	]);
}

async function parkByHand(calls: readonly RelayCall[]) {
	const id = await rest.runManually((await rest.createWorkflow(spec(calls))).id);
	return await rest.waitForExecution(id, ['waiting']);
}

test('a run that is parked outlives SIGTERM and kill -9 of n8n, and a sleeper wakes though its instant passed while n8n was down (P20, P28)', async () => {
	const wakesAt = new Date(Date.now() + 75_000);
	const calls = {
		asleep: [sendsPark({ sleep_until: wakesAt.toISOString() })],
		termed: [suspends('Outlive SIGTERM', SCHEMA), answers('beside')],
		killed: [suspends('Outlive both', SCHEMA), answers('beside')],
		production: [suspends('Outlive both, in production', SCHEMA)],
	};
	const asleep = await parkByHand(calls.asleep);
	const termed = await parkByHand(calls.termed);
	const killed = await parkByHand(calls.killed);
	const { executionId, workflowId } = await runInProduction(
		rest,
		spec(calls.production, 'restart-hook'),
		'restart-hook',
	);
	const production = await rest.waitForExecution(executionId, ['waiting']);

	expect((await n8n.stop('SIGTERM')).code).toBe(0);
	await expect(postAnswer(shownUrl(termed), { yes: true })).rejects.toThrow();
	await startAgain();
	expect((await postAnswer(shownUrl(asleep), {})).status).toBe(409);
	expect((await rest.execution(asleep.id)).status).toBe('waiting');
	await finish(termed);

	await n8n.kill();
	await until(
		() => (Date.now() > wakesAt.getTime() ? true : undefined),
		90_000,
		() => 'The clock stands still',
	);
	await startAgain();
	await finish(killed);
	await finish(production);
	await rest.deactivate(workflowId);
	const woken = await rest.waitForExecution(asleep.id, ['success']);
	const output = { slept_until: wakesAt.toISOString() };
	expect(jsonOf(woken, 'Call')[0]?.output).toEqual(output);
	expect(callOf(woken)).toMatchObject({ outcome: 'woke', attempts: 1 });
	expect(jsonOf(woken, 'After')).toEqual([{ x: '0', output: JSON.stringify(output) }]);

	for (const call of Object.values(calls).flat()) {
		expect(parkServer.calls(call.tag)).toHaveLength(1);
	}
}, 240_000);

/** A wrong answer is refused, the right one goes on, a later one is too late; all items arrive, paired. */
async function finish(parked: Awaited<ReturnType<typeof parkByHand>>): Promise<void> {
	const url = shownUrl(parked);
	expect((await rest.execution(parked.id)).status).toBe('waiting');
	expect((await fetch(url)).status).toBe(200);
	expect((await postAnswer(url, { yes: 'perhaps' })).status).toBe(422);
	expect((await rest.execution(parked.id)).status).toBe('waiting');
	const taken = await postAnswer(url, { yes: true });
	expect([taken.status, await taken.json()]).toEqual([200, { status: 'resumed' }]);
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect((await postAnswer(url, { yes: true })).status).toBe(409);
	const outputs = jsonOf(done, 'Call').map(({ output }) => output);
	expect(outputs).toEqual([{ yes: true }, 'beside'].slice(0, outputs.length));
	expect(outputs).toHaveLength(jsonOf(parked, 'Call').length);
	expect(jsonOf(done, 'After')).toEqual(
		outputs.map((output, x) => ({ x: String(x), output: JSON.stringify(output) })),
	);
	expect(callOf(done)).toMatchObject({ outcome: 'resumed', attempts: 1 });
	expect(parkOf(done)).not.toHaveProperty('resumeUrl');
}
