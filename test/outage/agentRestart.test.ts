import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/host/freePort';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { N8nInstance } from '../../scripts/host/n8nInstance';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { CredentialReference, N8nRest } from '../../scripts/host/n8nRest';
import {
	agentWorkflow,
	answered,
	finalText,
	modelConnection,
	relays,
	relayTool,
	repeats,
	waitsFor,
} from '../support/agentRuns';
import type { AgentSetting } from '../support/agentRuns';
import { httpConnection, postAnswer, runUntil } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import { sendsPark, suspends } from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startModelServer } from '../support/servers/modelServer';
import type { ModelServer } from '../support/servers/modelServer';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';

const SCHEMA = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };

/** An n8n of this file's own, on one folder and one port through all its lives. */
let folder: string;
let port: number;
let n8n: N8nInstance;
let rest: N8nRest;
let models: ModelServer;
let parkServer: ParkServer;
let modelCredential: CredentialReference;
let credential: CredentialReference;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-agent-'));
	port = await freePort();
	models = await startModelServer();
	parkServer = await startParkServer();
	n8n = await startN8n({ userFolder: folder, port, extension: 'package' });
	await n8n.rest.signIn(hostOwner);
	rest = n8nRest(n8n.baseUrl, n8n.rest.cookie());
	modelCredential = await modelConnection(rest, models);
	credential = await httpConnection(rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await n8n.kill();
	await models.stop();
	await parkServer.stop();
	await rm(folder, { recursive: true, force: true });
});

/** An agent that makes these calls in one turn, parked at the first. */
async function park(calls: readonly RelayCall[], setting: Partial<AgentSetting> = {}) {
	const model = models.model((got) => (got.length === 0 ? relays(...calls) : repeats(got)));
	return await run({ model, ...setting });
}

async function run(setting: Partial<AgentSetting> & { readonly model: string }): Promise<string> {
	const tools = [relayTool(credential)];
	const spec = agentWorkflow({ modelCredential, tools, ...setting });
	return (await runUntil(rest, spec, ['waiting'])).id;
}

async function parkInHelper(call: RelayCall): Promise<string> {
	const helperModel = models.model((got) => (got.length === 0 ? relays(call) : repeats(got)));
	const model = models.model((got) =>
		got.length === 0 ? { calls: [{ tool: 'Helper', arguments: { task: 'Ask' } }] } : repeats(got),
	);
	return await run({ model, helperModel });
}

async function answer(id: string, reason: string, value: unknown): Promise<void> {
	const url = await rest.resumeUrl(id);
	await waitsFor(url, reason);
	expect((await postAnswer(url, { yes: 'perhaps' })).status).toBe(422);
	const taken = await postAnswer(url, value);
	expect([taken.status, await taken.json()]).toEqual([200, { status: 'resumed' }]);
}

async function textOf(id: string): Promise<string> {
	const done = await rest.waitForExecution(id, ['success']);
	expect(done.error).toBeUndefined();
	return finalText(done);
}

test.each(['SIGTERM', 'kill -9'] as const)(
	'an agent whose tool is parked outlives %s of n8n: an answer, or the instant, resumes it, and it finishes (P20, P23, P28)',
	async (end) => {
		const sleepsUntil = new Date(Date.now() + 75_000).toISOString();
		const calls = {
			asleep: sendsPark({ sleep_until: sleepsUntil }),
			alone: suspends('Alone?', SCHEMA),
			first: suspends('First?', SCHEMA),
			second: suspends('Second?', SCHEMA),
			deep: suspends('Deep?', SCHEMA),
		};
		const asleep = await park([calls.asleep]);
		const alone = await park([calls.alone]);
		const both = await park([calls.first, calls.second]);
		const halfway = await park([
			suspends('Before?', SCHEMA, `${calls.first.tag}-before`),
			suspends('After?', SCHEMA, `${calls.first.tag}-after`),
		]);
		await answer(halfway, 'Before?', { yes: true });
		await waitsFor(await rest.resumeUrl(halfway), 'After?');
		const deep = await parkInHelper(calls.deep);

		if (end === 'SIGTERM') expect((await n8n.stop('SIGTERM')).code).toBe(0);
		else await n8n.kill();
		n8n = await startN8n({ userFolder: folder, port, extension: 'package' });

		await answer(alone, 'Alone?', { yes: true });
		expect(await textOf(alone)).toBe(answered({ yes: true }));
		await answer(both, 'First?', { yes: true });
		await answer(both, 'Second?', { yes: false });
		expect(await textOf(both)).toBe(`${answered({ yes: true })}\n${answered({ yes: false })}`);
		await answer(halfway, 'After?', { yes: false });
		expect(await textOf(halfway)).toBe(`${answered({ yes: true })}\n${answered({ yes: false })}`);
		await answer(deep, 'Deep?', { yes: true });
		expect(await textOf(deep)).toBe(answered({ output: answered({ yes: true }) }));
		const woken = await rest.waitForExecution(asleep, ['success'], 150_000);
		expect(finalText(woken)).toBe(answered({ slept_until: sleepsUntil }));
		expect(woken.error).toBeUndefined();

		for (const { tag } of Object.values(calls)) expect(parkServer.calls(tag)).toHaveLength(1);
		for (const half of ['before', 'after']) {
			expect(parkServer.calls(`${calls.first.tag}-${half}`)).toHaveLength(1);
		}
	},
	240_000,
);
