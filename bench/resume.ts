import { freePort } from '../scripts/host/freePort.ts';
import { startN8n } from '../scripts/host/n8nInstance.ts';
import type { N8nInstance } from '../scripts/host/n8nInstance.ts';
import { startParkServer } from '../test/support/servers/parkServer.ts';
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts';
import { usedHeapMiB, withInspector } from './heap.ts';
import { inParallel } from './inParallel.ts';
import { CLIENTS, openWaits, parkMany } from './parkedExecutions.ts';
import type { Parked, Post, Waits } from './parkedExecutions.ts';
import { median, quantile, rounded, sum } from './statistics.ts';
import { ANSWER, parkingWorkflow, salvorNode, waitNode } from './waits.ts';

const OWNER = { email: 'owner@example.com', password: 'Salvor-bench-1' };
const WARM_UP = 10;
const SINGLE = 100;
const MANY = 1000;
/** So many of one kind follow each other before the other kind has its turn. */
const BLOCK = 50;

type Kind = 'salvor' | 'wait';
const KINDS: readonly Kind[] = ['salvor', 'wait'];

/** From the answer's POST to the next node, ours beside n8n's own Wait node, on one n8n and taking turns. */
export const resume: Benchmark = {
	name: 'resume',
	about: 'from the answer to the next node, beside n8n’s own Wait node',
	needsN8n: true,
	run: async (context) => {
		const server = await startParkServer();
		let n8n: N8nInstance | undefined;
		try {
			const inspector = await freePort();
			n8n = await startN8n({
				userFolder: context.folder,
				extension: 'package',
				env: withInspector(inspector),
				signal: context.signal,
			});
			return await measure(context, n8n, server.endpoint, () => usedHeapMiB(inspector));
		} finally {
			await Promise.all([n8n?.stop(), server.stop()]);
		}
	},
};

async function measure(
	{ say, signal }: BenchmarkContext,
	{ rest }: N8nInstance,
	endpoint: string,
	heap: () => Promise<number>,
): Promise<Measured> {
	await rest.signIn(OWNER);
	const credential = await rest.createCredential({
		name: 'Bench',
		type: 'mcpConnectionApi',
		data: { transport: 'streamableHttp', endpoint, serverName: 'bench' },
	});
	const nodes = { salvor: salvorNode(credential), wait: waitNode() };
	const open = (kind: Kind) =>
		openWaits(rest, parkingWorkflow(`bench-${kind}`, nodes[kind]), `bench-${kind}`, ANSWER);
	const waits = { salvor: await open('salvor'), wait: await open('wait') };

	say(`one parked execution at a time, ${String(SINGLE)} of each kind`);
	const single = await measureSingle(waits, signal);
	const memory = [await heap()];
	say(`${String(MANY)} of each kind are parked`);
	const parked = await parkAll(waits, signal);
	memory.push(await heap());
	say('and answered');
	const many = await resumeAll(waits, parked, signal);
	memory.push(await heap());
	say('done');
	return present(single, parked, many, memory);
}

interface Sample {
	/** From the POST to the start of the next node. */
	readonly nextNodeMs: number;
	/** From the POST to its answer. */
	readonly responseMs: number;
}

type ByKind<T> = Readonly<Record<Kind, T>>;

async function measureSingle(
	waits: ByKind<Waits>,
	signal: AbortSignal,
): Promise<ByKind<readonly Sample[]>> {
	const samples: ByKind<Sample[]> = { salvor: [], wait: [] };
	for (let round = 0; round < WARM_UP + SINGLE; round += 1) {
		for (const kind of inTurn(round)) {
			signal.throwIfAborted();
			const [parked] = (await parkMany(waits[kind], 1, 1)).parked;
			if (parked === undefined) throw new Error('Nothing was parked.');
			const sample = sampleOf(await waits[kind].resume(parked), await waits[kind].wentOnAt(parked));
			if (round >= WARM_UP) samples[kind].push(sample);
		}
	}
	return samples;
}

/** Who comes first changes with each round: A B, B A, A B, and so on. */
const inTurn = (round: number): readonly Kind[] => (round % 2 === 0 ? KINDS : KINDS.toReversed());

const sampleOf = ({ sentAt, answeredAt }: Post, wentOnAt: number): Sample => ({
	nextNodeMs: wentOnAt - sentAt,
	responseMs: answeredAt - sentAt,
});

interface Block {
	readonly parked: readonly Parked[];
	readonly tookMs: number;
}

async function parkAll(
	waits: ByKind<Waits>,
	signal: AbortSignal,
): Promise<ByKind<readonly Block[]>> {
	const blocks: ByKind<Block[]> = { salvor: [], wait: [] };
	for (let round = 0; round < MANY / BLOCK; round += 1) {
		for (const kind of inTurn(round)) {
			signal.throwIfAborted();
			blocks[kind].push(await parkMany(waits[kind], BLOCK, (round + 1) * BLOCK));
		}
	}
	return blocks;
}

interface Resumed {
	readonly samples: readonly Sample[];
	/** From each block's first POST until its last execution went on, added up. */
	readonly tookMs: number;
}

async function resumeAll(
	waits: ByKind<Waits>,
	blocks: ByKind<readonly Block[]>,
	signal: AbortSignal,
): Promise<ByKind<Resumed>> {
	const posts: ByKind<(readonly Post[])[]> = { salvor: [], wait: [] };
	for (let round = 0; round < MANY / BLOCK; round += 1) {
		for (const kind of inTurn(round)) {
			signal.throwIfAborted();
			const { parked } = blocks[kind][round] ?? { parked: [] };
			posts[kind].push(await inParallel(parked, CLIENTS, waits[kind].resume));
			await waits[kind].untilCount('success', WARM_UP + SINGLE + (round + 1) * BLOCK);
		}
	}
	const resumed = async (kind: Kind): Promise<Resumed> => {
		const ofBlocks = await inParallel(blocks[kind], 1, async ({ parked }) =>
			inParallel(parked, CLIENTS, waits[kind].wentOnAt),
		);
		const timed = ofBlocks.map((wentOnAt, block) => {
			const sent = posts[kind][block] ?? [];
			const samples = sent.map((post, at) => sampleOf(post, wentOnAt[at] ?? NaN));
			const begunAt = Math.min(...sent.map(({ sentAt }) => sentAt));
			return { samples, tookMs: Math.max(...wentOnAt) - begunAt };
		});
		return {
			samples: timed.flatMap(({ samples }) => samples),
			tookMs: sum(timed.map(({ tookMs }) => tookMs)),
		};
	};
	return { salvor: await resumed('salvor'), wait: await resumed('wait') };
}

function present(
	single: ByKind<readonly Sample[]>,
	parked: ByKind<readonly Block[]>,
	many: ByKind<Resumed>,
	memory: readonly number[],
): Measured {
	const figuresOf = (kind: Kind) => {
		const parkMs = sum(parked[kind].map(({ tookMs }) => tookMs));
		return {
			single: summaryOf(single[kind]),
			thousand: {
				parkSeconds: rounded(parkMs / 1000),
				parkMsEach: rounded(parkMs / MANY),
				resumeSeconds: rounded(many[kind].tookMs / 1000),
				resumeMsEach: rounded(many[kind].tookMs / MANY),
				...summaryOf(many[kind].samples),
			},
		};
	};
	const figures = { salvor: figuresOf('salvor'), wait: figuresOf('wait') };
	const { salvor, wait } = figures;
	const row = (what: string, ours: number, theirs: number) => [
		what,
		String(ours),
		String(theirs),
		rounded(ours / theirs, 2).toFixed(2),
	];
	const both = (what: string, pick: (of: typeof salvor) => number) =>
		row(what, pick(salvor), pick(wait));
	const [before = NaN, whileParked = NaN, after = NaN] = memory;
	return {
		table: [
			['', 'salvor', 'Wait', 'ratio'],
			both('one parked: POST to next node, median ms', (of) => of.single.nextNodeMs.median),
			both('one parked: POST to next node, p95 ms', (of) => of.single.nextNodeMs.p95),
			both('one parked: POST to its response, median ms', (of) => of.single.responseMs.median),
			both('one parked: POST to its response, p95 ms', (of) => of.single.responseMs.p95),
			both('1,000 parked: to park one, ms', (of) => of.thousand.parkMsEach),
			both('1,000 parked: to resume all, s', (of) => of.thousand.resumeSeconds),
			both('1,000 parked: to resume one, ms', (of) => of.thousand.resumeMsEach),
			both('1,000 parked: POST to next node, median ms', (of) => of.thousand.nextNodeMs.median),
			both('1,000 parked: POST to next node, p95 ms', (of) => of.thousand.nextNodeMs.p95),
		],
		figures: { ...figures, n8nHeapMiB: { before, whileParked, after } },
		ratios: {
			// The median from the POST to the next node, ours by Wait's.
			vsWait: rounded(salvor.single.nextNodeMs.median / wait.single.nextNodeMs.median, 2),
			// The time that resuming 1,000 takes in all, ours by Wait's.
			vsWait1000: rounded(many.salvor.tookMs / many.wait.tookMs, 2),
		},
	};
}

function summaryOf(samples: readonly Sample[]) {
	const nextNode = samples.map(({ nextNodeMs }) => nextNodeMs);
	const response = samples.map(({ responseMs }) => responseMs);
	return {
		nextNodeMs: { median: rounded(median(nextNode)), p95: rounded(quantile(nextNode, 0.95)) },
		responseMs: { median: rounded(median(response)), p95: rounded(quantile(response, 0.95)) },
	};
}
