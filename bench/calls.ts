import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort } from '../scripts/host/freePort.ts';
import { startN8n } from '../scripts/host/n8nInstance.ts';
import { nodeProgram } from '../scripts/host/paths.ts';
import { stdioCommands } from '../scripts/host/stdioCommands.ts';
import type { Benchmark, BenchmarkContext } from './benchmark.ts';
import { calledMs, callSpec, casesOf, contendersFor, inputOf } from './callCases.ts';
import type { Peers, Way } from './callCases.ts';
import { openCallNodes } from './callNodes.ts';
import { presentCalls } from './callReport.ts';
import type { CallFindings } from './callReport.ts';
import { layOutCommunityNode } from './communityNode.ts';
import { usedHeapMiB, withInspector } from './heap.ts';
import { inTurns } from './inTurns.ts';
import { measureOneCall } from './oneCall.ts';
import { countProcesses } from './processes.ts';
import { openRawCalls } from './rawCalls.ts';
import type { RawCalls } from './rawCalls.ts';
import { storeRun } from './storedRun.ts';

const OWNER = { email: 'owner@example.com', password: 'Salvor-bench-1' };
const SERVER = path.join(import.meta.dirname, 'callServer.ts');
const WHOLE = { rounds: { 1: 20, 100: 10, 1000: 5 }, oneCall: 40, thousands: 10 };
const QUICK = { rounds: { 1: 2, 100: 1, 1000: 1 }, oneCall: 3, thousands: 2 };

/** Calls by our node, n8n's own, a community package's and the SDK's client, on one machine and taking turns. */
export const calls: Benchmark = {
	name: 'calls',
	about: 'calls beside the SDK’s own client, n8n’s MCP Client and n8n-nodes-mcp',
	needsN8n: true,
	run: async (context) => {
		const server = fork(SERVER);
		const raw = openRawCalls(context.signal);
		try {
			// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the one message of callServer.ts
			const [endpoint] = (await once(server, 'message', { signal: context.signal })) as [string];
			const mark = path.basename(context.folder);
			const { whileRunning, ...found } = await measureInN8n(context, endpoint, raw, mark);
			const afterStop = await countServers(mark);
			return presentCalls({ ...found, processes: { whileRunning, afterStop } });
		} finally {
			await raw.stop();
			server.kill();
		}
	},
};

/** The server over stdio, started with an argument that tells in the list of processes whose it is. */
const serverOf = (whose: Way, mark: string) =>
	[nodeProgram, SERVER, 'stdio', `${whose}-of-${mark}`] as const;

const countServers = async (mark: string) => ({
	salvor: await countProcesses(`salvor-of-${mark}`),
	community: await countProcesses(`community-of-${mark}`),
});

async function measureInN8n(
	context: BenchmarkContext,
	endpoint: string,
	raw: RawCalls,
	mark: string,
) {
	const inspector = await freePort();
	const n8n = await startN8n({
		userFolder: context.folder,
		extension: 'package',
		env: {
			...withInspector(inspector),
			SALVOR_STDIO_COMMANDS: stdioCommands([[nodeProgram, SERVER]]),
			// Who takes turns with many others uses its connection rarely.
			SALVOR_POOL_IDLE_SECONDS: '3600',
		},
		prepare: () => layOutCommunityNode(context.folder),
		signal: context.signal,
	});
	try {
		const { rest } = n8n;
		await rest.signIn(OWNER);
		const nodes = await openCallNodes(rest, endpoint, {
			salvor: serverOf('salvor', mark),
			community: serverOf('community', mark),
		});
		const [command, ...args] = serverOf('raw', mark);
		const rawPeers = {
			http: { kind: 'http', endpoint },
			stdio: { kind: 'stdio', command, args },
		} as const;
		const found = await measure(context, { rest, nodes, raw, rawPeers }, () =>
			usedHeapMiB(inspector),
		);
		return { ...found, whileRunning: await countServers(mark) };
	} finally {
		await n8n.stop();
	}
}

async function measure(
	{ quick, say, signal }: BenchmarkContext,
	peers: Peers,
	heap: () => Promise<number>,
): Promise<Omit<CallFindings, 'processes'>> {
	const plan = quick ? QUICK : WHOLE;
	const nodeMs = new Map<string, readonly number[]>();
	for (const size of [1, 100, 1000] as const) {
		const rounds = plan.rounds[size];
		say(`${String(size)} items: one round to warm up and ${String(rounds)} that count`);
		const contenders = await contendersFor(peers, casesOf(size));
		const samples = await inTurns(contenders, { warmUp: 1, rounds, signal });
		for (const [name, figures] of samples) nodeMs.set(name, figures);
	}
	say(`one call beside none, ${String(plan.oneCall)} executions of each kind`);
	const oneCall = await measureOneCall(peers.rest, peers.nodes, plan.oneCall, signal);
	say(`${String(plan.thousands * 1000)} calls, and the memory after each thousand`);
	const heapMiB = await measureMemory(peers, plan.thousands, heap, signal);
	say('done');
	return { nodeMs, oneCall, heapMiB };
}

/** The heap in use before the first thousand calls and after each. */
async function measureMemory(
	{ rest, nodes }: Peers,
	thousands: number,
	heap: () => Promise<number>,
	signal: AbortSignal,
): Promise<readonly number[]> {
	const of = {
		transport: 'http',
		items: 1000,
		load: 'reads8',
		isWarm: true,
		isConstant: false,
	} as const;
	const run = await storeRun(rest, [inputOf(of.items), nodes.salvor(callSpec(of))]);
	calledMs(await run(), of.items);
	const sizes = [await heap()];
	for (let thousand = 0; thousand < thousands; thousand += 1) {
		signal.throwIfAborted();
		calledMs(await run(), of.items);
		sizes.push(await heap());
	}
	return sizes;
}
