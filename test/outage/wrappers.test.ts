import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Json } from '../../scripts/host/json';
import { type N8nInstance, startN8n } from '../../scripts/host/n8nInstance';
import { type CredentialReference, n8nRest, type N8nRest } from '../../scripts/host/n8nRest';
import { nodeProgram } from '../../scripts/host/paths';
import { until } from '../../scripts/host/until';
import { jsonCall } from '../support/calls';
import { stdioPeerPath } from '../support/connections';
import { jsonOf, runUntil, stdioConnection } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import { childrenOf, hasProc, pipesOf, processesMarked } from '../support/processes';
import { manualTrigger, toolCall, webhookTrigger, workflow } from '../support/workflow';

const EXECUTIONS = 100;
const AT_ONCE = 4;

let folder: string;
let n8n: N8nInstance;
let rest: N8nRest;
const mark = randomUUID();

beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-wrappers-'));
	n8n = await startN8n({
		userFolder: folder,
		extension: 'package',
		// The second is for a call that is still under way when n8n is told to end.
		env: { SALVOR_STDIO_COMMANDS: 'sh -c', N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' },
	});
	await n8n.rest.signIn(hostOwner);
	rest = n8nRest(n8n.baseUrl, n8n.rest.cookie());
});
afterEach(async () => {
	await n8n.kill();
	for (const pid of processesMarked(mark)) process.kill(pid, 'SIGKILL');
	await rm(folder, { recursive: true, force: true });
});

/** A server behind a shell, with a process of its own. */
const wrapped = async (flags: readonly string[], data: Json): Promise<CredentialReference> =>
	await stdioConnection(
		rest,
		['sh', '-c', '"$0" "$@"; exit $?', nodeProgram, stdioPeerPath, '--helper', ...flags],
		{ environment: { variable: [{ name: 'SALVOR_TEST_MARK', value: mark }] }, ...data },
	);

const nobodyIsLeft = async (): Promise<void> => {
	await until(
		() => (processesMarked(mark).length === 0 ? true : undefined),
		20_000,
		() => `Processes are left: ${processesMarked(mark).join(', ')}`,
	);
};

/** How an execution goes, by its number. */
const fateOf = (number: number) => {
	if (number % 25 === 1) return { deaf: true, tool: 'pid' };
	if (number % 25 === 2) return { deaf: false, tool: 'die' };
	if (number % 25 === 3) return { deaf: false, tool: 'hang' };
	return { deaf: false, tool: 'pid' };
};

describe.runIf(hasProc)('servers behind a wrapper (C7, C9, U13)', () => {
	test('of 100 executions with Session = Per Execution: n8n has no process and no pipe more than before', async () => {
		const own = { session: 'perExecution', requestTimeout: 5 };
		const [tame, deaf] = [await wrapped([], own), await wrapped(['--deaf'], own)];
		const published = async (credential: CredentialReference): Promise<string> => {
			const hook = randomUUID();
			const call = toolCall(credential, jsonCall('={{ $json.body.tool }}', {}), {
				onError: 'continueRegularOutput',
			});
			const { id } = await rest.createWorkflow(workflow([webhookTrigger(hook, 'lastNode'), call]));
			await rest.activate(id);
			return rest.webhookUrl(hook);
		};
		const [tameUrl, deafUrl] = [await published(tame), await published(deaf)];
		const run = async (number: number): Promise<Json> => {
			const fate = fateOf(number);
			const response = await fetch(fate.deaf ? deafUrl : tameUrl, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ tool: fate.tool }),
			});
			return (await response.json()) as Json;
		};
		/** The user stops it while its server runs. */
		const stop = async (): Promise<void> => {
			const { id } = await rest.createWorkflow(
				workflow([manualTrigger(), toolCall(tame, jsonCall('hang', {}))]),
			);
			const running = await rest.runManually(id);
			await until(
				() => (processesMarked(mark).length >= 3 ? true : undefined),
				20_000,
				() => 'No server runs',
			);
			await rest.stopExecution(running);
			await rest.waitForExecution(running, ['canceled']);
			await nobodyIsLeft();
		};
		const held = () => ({ children: childrenOf(n8n.pid).length, pipes: pipesOf(n8n.pid).length });

		await Promise.all([0, 1, 2, 3].map(run));
		await stop();
		const before = held();
		const puts = new Map<number, Json>();
		let next = 0;
		const runInTurn = async (): Promise<void> => {
			while (next < EXECUTIONS) {
				const number = next++;
				puts.set(number, await run(number));
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, runInTurn));
		await nobodyIsLeft();
		for (let stops = 0; stops < 4; stops++) await stop();

		const pids = [...puts.values()].flatMap(({ output }) => (output === undefined ? [] : [output]));
		expect([pids.length, new Set(pids).size]).toEqual([92, 92]);
		const codes = [...puts.values()].flatMap(({ error }) =>
			error === undefined ? [] : [(error as Json).code],
		);
		expect(codes.sort()).toEqual([
			...Array<string>(4).fill('connection-lost'),
			...Array<string>(4).fill('timed-out'),
		]);
		expect(held()).toEqual(before);
	});

	test('end with n8n, in use or not, however deaf', async () => {
		const [idle, busy] = [await wrapped([], {}), await wrapped(['--deaf'], {})];
		const execution = await runUntil(
			rest,
			workflow([manualTrigger(), toolCall(idle, jsonCall('pid', {}))]),
			['success'],
		);
		expect(jsonOf(execution, 'Call')[0]?.output).toBeTypeOf('number');
		const { id } = await rest.createWorkflow(
			workflow([manualTrigger(), toolCall(busy, jsonCall('hang', {}))]),
		);
		await rest.runManually(id);
		await until(
			() => (processesMarked(mark).length === 6 ? true : undefined),
			20_000,
			() => 'Not all run',
		);
		await n8n.stop('SIGTERM');
		await nobodyIsLeft();
	});
});
