import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { NamedValue, StdioSettings } from '../../src/call/connectionSettings';
import type { Result } from '../../src/outcome/failure';
import { until } from '../../scripts/host/until';
import { stdio, stdioPeerPath, temporaryFolder, textJson } from '../support/connections';
import { numberFrom } from '../support/fuzz/random';
import { testPool } from '../support/pools';
import { childrenOf, descriptorsOf, hasProc, processesMarked } from '../support/processes';

const AT_ONCE = 4;
const MARK = 'SALVOR_TEST_MARK';

/** A thousand of each take about six minutes. */
const CALLS = {
	shell: numberFrom('SALVOR_SHELL_CALLS', 900),
	npx: numberFrom('SALVOR_NPX_CALLS', 100),
};

/** How a call goes: the flags of its server, its tool, and when it is cancelled. */
interface Fate {
	readonly flags?: readonly string[];
	readonly tool?: string;
	readonly cancelled?: 'at-start' | 'under-way';
	readonly requestTimeoutMs?: number;
	/** `answered`, or the failure's code. */
	readonly ends: string;
}

/** What may happen to a connection that is not simply used and closed; each fate comes once in fifty calls. */
const fates: readonly Fate[] = [
	{ flags: ['--deaf'], ends: 'answered' },
	{ flags: ['--deaf'], tool: 'hang', cancelled: 'under-way', ends: 'cancelled' },
	{ tool: 'hang', cancelled: 'under-way', ends: 'cancelled' },
	{ flags: ['--hang'], cancelled: 'at-start', ends: 'cancelled' },
	{ tool: 'hang', requestTimeoutMs: 3_000, ends: 'timed-out' },
	{ flags: ['--hang'], requestTimeoutMs: 3_000, ends: 'timed-out' },
	{ flags: ['--exit-at-start', '7'], ends: 'spawn-failed' },
	{ tool: 'die', ends: 'connection-lost' },
	{ tool: 'killed', ends: 'connection-lost' },
	{ tool: 'kill-parent', ends: 'connection-lost' },
	{ tool: 'unreadable', ends: 'result-unreadable' },
];
const fateOf = (index: number): Fate => fates[index % 50] ?? { ends: 'answered' };

interface Wrapper extends Partial<StdioSettings> {
	readonly arguments: readonly string[];
	readonly environment: readonly NamedValue[];
	/** Processes of one connection at least: the wrapper's, the server, and the one that the server starts. */
	readonly processes: number;
}

const shell = (): Wrapper => ({
	command: 'sh',
	// The last command keeps the shell from giving its place to the server.
	arguments: ['-c', '"$0" "$@"; exit $?', process.execPath, stdioPeerPath],
	environment: [],
	processes: 3,
});

/** The server as a package in a folder's `node_modules`, which npx takes without asking a registry. */
function npx(): Wrapper {
	const workingDirectory = temporaryFolder();
	const program = join(workingDirectory, 'node_modules', '.bin', 'stdio-peer');
	mkdirSync(dirname(program), { recursive: true });
	writeFileSync(program, `#!/usr/bin/env node\nimport(${JSON.stringify(stdioPeerPath)});\n`);
	chmodSync(program, 0o755);
	return {
		command: 'npx',
		arguments: ['--no-install', 'stdio-peer'],
		workingDirectory,
		environment: [
			{ name: 'npm_config_cache', value: join(workingDirectory, 'cache') },
			{ name: 'npm_config_offline', value: 'true' },
			{ name: 'npm_config_update_notifier', value: 'false' },
		],
		// The shell that npm starts may give its place to the server.
		processes: 3,
	};
}

/** Plays calls, a few at a time, each over a connection of its own; gives how often each end was met. */
async function play(
	wrapper: Wrapper,
	run: string,
	calls: number,
): Promise<ReadonlyMap<string, number>> {
	const pool = testPool();
	const ends = new Map<string, number>();
	const servers = new Set<unknown>();
	let next = 0;

	const playOne = async (index: number): Promise<string> => {
		const { flags = [], tool = 'pid', cancelled, requestTimeoutMs } = fateOf(index);
		const mark = `${run}/${String(index)}/`;
		const { processes, ...started } = wrapper;
		const settings = stdio(
			{
				...started,
				arguments: [...started.arguments, '--helper', ...flags],
				environment: [...started.environment, { name: MARK, value: mark }],
			},
			requestTimeoutMs === undefined ? {} : { requestTimeoutMs },
		);
		const owner = {};
		const cancel = new AbortController();
		try {
			const leasing = pool.lease({ settings, listing: 'anew', owner, signal: cancel.signal });
			if (cancelled === 'at-start') {
				await allRun(mark, processes);
				cancel.abort();
			}
			const lease = await leasing;
			if (!lease.ok) return endOf(lease);
			const session = lease.value;
			const calling = session.callTool({ name: tool, arguments: {} }, cancel.signal);
			if (cancelled === 'under-way') {
				await session.callTool({ name: 'pid', arguments: {} });
				cancel.abort();
			}
			const called = await calling;
			if (called.ok) {
				servers.add(textJson(called.value));
				await allRun(mark, processes);
			}
			await session.close();
			return endOf(called);
		} finally {
			pool.end(owner);
		}
	};

	const playInTurn = async (): Promise<void> => {
		while (next < calls) {
			const end = await playOne(next++);
			ends.set(end, (ends.get(end) ?? 0) + 1);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, playInTurn));
	await pool.close();
	// No process served two of them.
	expect(servers.size).toBe(ends.get('answered'));
	return ends;
}

async function allRun(mark: string, processes: number): Promise<void> {
	await until(
		() => (processesMarked(mark).length >= processes ? true : undefined),
		20_000,
		() => `${String(processesMarked(mark).length)} instead of ${String(processes)} processes run`,
		10,
	);
}

const endOf = (result: Result<unknown>): string => (result.ok ? 'answered' : result.failure.code);

function expectedEnds(calls: number): ReadonlyMap<string, number> {
	const ends = new Map<string, number>();
	for (let index = 0; index < calls; index++) {
		const { ends: end } = fateOf(index);
		ends.set(end, (ends.get(end) ?? 0) + 1);
	}
	return ends;
}

/** What this process holds. */
const held = () => ({
	descriptors: descriptorsOf(process.pid).length,
	children: childrenOf(process.pid).length,
	resources: process.getActiveResourcesInfo().sort(),
	listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
});

describe.runIf(hasProc)('calls over new connections through a wrapper (C7, C8, U13)', () => {
	test.each([
		{ name: 'sh -c', wrapper: shell, calls: CALLS.shell },
		{ name: 'npx', wrapper: npx, calls: CALLS.npx },
	])(
		'$name: $calls of them leave no process and no descriptor behind, however they end',
		async ({ wrapper: make, calls }) => {
			const run = randomUUID();
			const wrapper = make();
			onTestFinished(() => {
				for (const pid of processesMarked(run)) process.kill(pid, 'SIGKILL');
			});
			await play(wrapper, `${run}/warm-up`, fates.length);
			const before = held();
			expect(await play(wrapper, run, calls)).toEqual(expectedEnds(calls));
			await until(
				() => (processesMarked(run).length === 0 ? true : undefined),
				5_000,
				() => `Processes are left: ${processesMarked(run).join(', ')}`,
			);
			expect(held()).toEqual(before);
		},
		3_600_000,
	);
});
