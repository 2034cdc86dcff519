import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/host/freePort';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { N8nInstance } from '../../scripts/host/n8nInstance';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { N8nRest } from '../../scripts/host/n8nRest';
import { agentParks, SCHEMA } from '../support/agentParks';
import type { AgentParks } from '../support/agentParks';
import { answered, finalText, waitsFor } from '../support/agentRuns';
import { hostOwner } from '../support/hostPeers';
import { sendsPark, suspends } from '../support/parkRuns';
import { startModelServer } from '../support/servers/modelServer';
import type { ModelServer } from '../support/servers/modelServer';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';

/** An n8n of this file's own, on one folder and one port through all its lives. */
let folder: string;
let port: number;
let n8n: N8nInstance;
let rest: N8nRest;
let models: ModelServer;
let parkServer: ParkServer;
let agents: AgentParks;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-agent-'));
	port = await freePort();
	models = await startModelServer();
	parkServer = await startParkServer();
	n8n = await startN8n({ userFolder: folder, port, extension: 'package' });
	await n8n.rest.signIn(hostOwner);
	rest = n8nRest(n8n.baseUrl, n8n.rest.cookie());
	agents = await agentParks(rest, { models, parkServer }, 'by hand');
});
afterAll(async () => {
	await n8n.kill();
	await models.stop();
	await parkServer.stop();
	await rm(folder, { recursive: true, force: true });
});

test.each(['SIGTERM', 'kill -9'] as const)(
	'an agent whose tool is parked outlives %s of n8n: an answer, or the instant, resumes it, and it finishes (P20, P23, P28)',
	async (end) => {
		const sleepsUntil = new Date(Date.now() + 75_000).toISOString();
		const calls = {
			asleep: sendsPark({ sleep_until: sleepsUntil }),
			alone: suspends('Alone?', SCHEMA),
			first: suspends('First?', SCHEMA),
			second: suspends('Second?', SCHEMA),
			before: suspends('Before?', SCHEMA),
			after: suspends('After?', SCHEMA),
			deep: suspends('Deep?', SCHEMA),
		};
		const asleep = await agents.park([calls.asleep]);
		const alone = await agents.park([calls.alone]);
		const both = await agents.park([calls.first, calls.second]);
		const halfway = await agents.park([calls.before, calls.after]);
		await agents.answer(halfway, 'Before?', { yes: true });
		await waitsFor(await rest.resumeUrl(halfway), 'After?');
		const deep = await agents.parkInHelper(calls.deep);

		if (end === 'SIGTERM') expect((await n8n.stop('SIGTERM')).code).toBe(0);
		else await n8n.kill();
		n8n = await startN8n({ userFolder: folder, port, extension: 'package' });

		await agents.answer(alone, 'Alone?', { yes: true });
		expect(await agents.textOf(alone)).toBe(answered({ yes: true }));
		await agents.answer(both, 'First?', { yes: true });
		await agents.answer(both, 'Second?', { yes: false });
		const bothAnswers = `${answered({ yes: true })}\n${answered({ yes: false })}`;
		expect(await agents.textOf(both)).toBe(bothAnswers);
		await agents.answer(halfway, 'After?', { yes: false });
		expect(await agents.textOf(halfway)).toBe(bothAnswers);
		await agents.answer(deep, 'Deep?', { yes: true });
		expect(await agents.textOf(deep)).toBe(answered({ output: answered({ yes: true }) }));
		const woken = await rest.waitForExecution(asleep, ['success'], 150_000);
		expect(finalText(woken)).toBe(answered({ slept_until: sleepsUntil }));
		expect(woken.error).toBeUndefined();

		for (const { tag } of Object.values(calls)) expect(parkServer.calls(tag)).toHaveLength(1);
	},
	240_000,
);
