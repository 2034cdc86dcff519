import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type N8nInstance, startN8n } from '../../scripts/host/n8nInstance';
import { n8nRest, type N8nRest } from '../../scripts/host/n8nRest';
import { stdioCommands } from '../../scripts/host/stdioCommands';
import { until } from '../../scripts/host/until';
import { jsonCall } from '../support/calls';
import { isRunning } from '../support/connections';
import { httpConnection, jsonOf, runUntil, stdioConnection } from '../support/host';
import { hostOwner, stdioPeerCommand } from '../support/hostPeers';
import { listed, startToolServer, type ToolServer } from '../support/servers/toolServer';
import { manualTrigger, toolCall, workflow } from '../support/workflow';

let folder: string;
let server: ToolServer;
let n8n: N8nInstance | undefined;

/** An n8n of the test's own. */
async function start(env: NodeJS.ProcessEnv = {}): Promise<N8nRest> {
	n8n = await startN8n({
		userFolder: folder,
		extension: 'package',
		env: { SALVOR_STDIO_COMMANDS: stdioCommands([stdioPeerCommand]), ...env },
	});
	await n8n.rest.signIn(hostOwner);
	return n8nRest(n8n.baseUrl, n8n.rest.cookie());
}

beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-pool-'));
	server = await startToolServer([{ listed: listed('work') }]);
});
afterEach(async () => {
	await n8n?.kill();
	n8n = undefined;
	await server.stop();
	await rm(folder, { recursive: true, force: true });
});

describe('connections that nobody uses (C9)', () => {
	test('end with n8n: no child is left, however deaf, and no session', async () => {
		const rest = await start();
		const byHttp = await httpConnection(rest, { endpoint: server.endpoint });
		const tame = await stdioConnection(rest, stdioPeerCommand);
		const deaf = await stdioConnection(rest, [...stdioPeerCommand, '--deaf']);
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				toolCall(byHttp, jsonCall('work', {}), {}, 'Http'),
				toolCall(tame, jsonCall('pid', {}), {}, 'Tame'),
				toolCall(deaf, jsonCall('pid', {}), {}, 'Deaf'),
			]),
			['success'],
		);
		const pids = ['Tame', 'Deaf'].map((node) => Number(jsonOf(execution, node)[0]?.['output']));
		expect(pids.map(isRunning)).toEqual([true, true]);
		expect(server.open()).toBe(1);
		// The children lead groups of their own, which the end of n8n's group does not reach.
		await n8n?.stop('SIGTERM');
		expect(server.open()).toBe(0);
		await until(
			() => (pids.some(isRunning) ? undefined : true),
			5_000,
			() => `A child of ${pids.join(' and ')} is left`,
		);
	});

	test('are closed after the seconds of SALVOR_POOL_IDLE_SECONDS', async () => {
		const rest = await start({ SALVOR_POOL_IDLE_SECONDS: '1' });
		const byHttp = await httpConnection(rest, { endpoint: server.endpoint });
		const byPipe = await stdioConnection(rest, stdioPeerCommand);
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				toolCall(byHttp, jsonCall('work', {}), {}, 'Http'),
				toolCall(byPipe, jsonCall('pid', {})),
			]),
			['success'],
		);
		const pid = Number(jsonOf(execution, 'Call')[0]?.['output']);
		await until(
			() => (server.open() === 0 && !isRunning(pid) ? true : undefined),
			15_000,
			() => 'An idle connection is still there',
		);
	});
});

test('SALVOR_POOL_IDLE_SECONDS that is no number of seconds fails calls by its name, and connects nothing', async () => {
	const rest = await start({ SALVOR_POOL_IDLE_SECONDS: 'a minute' });
	const credential = await httpConnection(rest, { endpoint: server.endpoint });
	const spec = workflow([
		manualTrigger(),
		toolCall(credential, jsonCall('work', {}), { onError: 'continueRegularOutput' }),
	]);
	const execution = await runUntil(rest, spec, ['success']);
	expect(jsonOf(execution, 'Call')[0]?.error).toMatchObject({
		code: 'connection-invalid',
		message: expect.stringContaining('SALVOR_POOL_IDLE_SECONDS'),
	});
	expect(server.initialised()).toBe(0);
});
