import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Execution } from '../../scripts/host/executionData';
import { freePort } from '../../scripts/host/freePort';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { N8nInstance } from '../../scripts/host/n8nInstance';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { CredentialReference, N8nRest } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { httpConnection, postAnswer } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import {
	awaitsAnswer,
	type Batch,
	FAR_SECONDS,
	randomBatch,
	waitEndsBy,
	waitingOf,
	workflowOf,
} from '../support/fuzz/batches';
import { judgeBatch } from '../support/fuzz/judgeBatch';
import { numberFrom, type Random, randomFor } from '../support/fuzz/random';
import { shownUrl } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { shiftedClock, type ShiftedClock } from '../support/shiftedClock';

/** SALVOR_FUZZ_BATCHES says how many, SALVOR_FUZZ_SEED begins another run. */
const BATCHES = numberFrom('SALVOR_FUZZ_BATCHES', 24);
const SEED = numberFrom('SALVOR_FUZZ_SEED', 20_261_103);
const AT_ONCE = 12;
const RESTARTS = ['SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGTERM'] as const;
/** Longer than the lease of a resume whose process died, and than a start of n8n on a slow machine. */
const PATIENCE_MS = 300_000;
const FINAL = ['success', 'error', 'canceled', 'crashed'];

/** An n8n of this file's own, on one folder and one port through all its lives. */
let folder: string;
let port: number;
let clock: ShiftedClock;
let n8n: N8nInstance;
let alive: Promise<void> = Promise.resolve();
let rest: N8nRest;
let parkServer: ParkServer;
let credential: CredentialReference;

const start = async () => {
	n8n = await startN8n({ userFolder: folder, port, extension: 'package', env: clock.env });
};

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-batches-'));
	clock = await shiftedClock(folder);
	port = await freePort();
	parkServer = await startParkServer();
	await start();
	await n8n.rest.signIn(hostOwner);
	rest = n8nRest(n8n.baseUrl, n8n.rest.cookie());
	credential = await httpConnection(rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await n8n.kill();
	await parkServer.stop();
	await rm(folder, { recursive: true, force: true });
});

interface Run {
	readonly batch: Batch;
	readonly execution: Execution;
	readonly taken: Map<number, string[]>;
	readonly sent: Map<number, string[]>;
	resumed: number;
	/** Requests that n8n has not answered yet. */
	underWay: number;
	/** It may have run, and not waited, when n8n was killed. */
	cutOff: boolean;
}

/** Works through the entries in order, some at a time. */
async function eachOf<T>(entries: readonly T[], work: (entry: T) => Promise<void>): Promise<void> {
	const left = [...entries];
	const worker = async () => {
		for (let entry = left.shift(); entry !== undefined; entry = left.shift()) await work(entry);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Starts a batch and waits until it waits for answers or has ended. */
async function startBatch(number: number): Promise<Run> {
	const batch = randomBatch(randomFor(SEED, number), number);
	const { id } = await rest.createWorkflow(workflowOf(batch, credential));
	const executionId = await rest.runManually(id);
	const execution = await until(
		async () => {
			const now = await rest.execution(executionId);
			return now.status === 'waiting' || FINAL.includes(now.status) ? now : undefined;
		},
		PATIENCE_MS,
		() => `Batch ${String(number)} neither waits nor ends`,
		500,
	);
	const books = { taken: new Map<number, string[]>(), sent: new Map<number, string[]>() };
	return { batch, execution, ...books, resumed: 0, underWay: 0, cutOff: false };
}

type Deed = () => Promise<void>;

/** What answerers and others do to a waiting batch, in random order: every item that awaits an answer gets one at the least. */
function deedsFor(run: Run, random: Random): readonly Deed[] {
	const { batch, execution } = run;
	if (execution.status !== 'waiting') return [];
	const deeds: Deed[] = [];
	for (const { item, place, entry } of waitingOf(batch)) {
		const url = shownUrl(execution, batch.waitsAt, place);
		if (random.chance(0.5)) deeds.push(garbage(run, random, url));
		if (entry.kind === 'asleep' && random.chance(0.5)) deeds.push(earlyWake(run, url));
		if (!awaitsAnswer(entry)) continue;
		const times = random.pick([1, 1, 2, 3]);
		const all = Array.from(
			{ length: times },
			(_, time) => `answer ${String(item)}.${String(time)}`,
		);
		if (random.chance(0.3)) {
			deeds.push(async () => {
				await Promise.all(all.map((answer) => giveAnswer(run, item, url, answer)));
			});
		} else deeds.push(...all.map((answer) => () => giveAnswer(run, item, url, answer)));
	}
	return random.shuffled(deeds);
}

/** Posts an answer until n8n says what became of it, over as many of its lives as that takes. */
async function giveAnswer(run: Run, item: number, url: string, answer: string): Promise<void> {
	let told = 'no answer';
	run.sent.set(item, [...(run.sent.get(item) ?? []), answer]);
	await until(
		async () => {
			const reply = await request(run, () => postAnswer(url, answer));
			if (reply === undefined) return undefined;
			if (/"status":"(?:resumed|recorded)"/.test(reply.text)) {
				run.taken.set(item, [...(run.taken.get(item) ?? []), answer]);
				if (reply.status === 200) run.resumed += 1;
				return true;
			}
			// Any other refusal is n8n's, which starts, resumes the execution or ends just now.
			const settled = /"status":"answered"|has finished/.test(reply.text);
			told = `${String(reply.status)} ${reply.text.slice(0, 200)}`;
			if (settled) return true;
			// One that n8n gave up takes no answers, and is answered 500 for ever.
			return (await isCrashed(run)) ? true : undefined;
		},
		PATIENCE_MS,
		() => `Nobody says what became of "${answer}" in batch ${String(run.batch.number)}: ${told}`,
		1000,
	);
}

const isCrashed = async ({ execution }: Run): Promise<boolean> =>
	(await rest.execution(execution.id).catch(() => undefined))?.status === 'crashed';

/** One that is not an answer, or has no right to answer; it is not repeated. */
function garbage(run: Run, random: Random, url: string): Deed {
	const without = new URL(url);
	without.searchParams.set('signature', 'x'.repeat(64));
	const elsewhere = new URL(url);
	elsewhere.searchParams.set('item', '77');
	const [at, body, method] = random.pick<readonly [string, string, string]>([
		[url, '"no match"', 'POST'],
		[url, '{"answer', 'POST'],
		[url, '', 'GET'],
		[url, '"answer by PUT"', 'PUT'],
		[without.href, '"answer of a stranger"', 'POST'],
		[elsewhere.href, '"answer for nobody"', 'POST'],
	]);
	const headers = { 'content-type': 'application/json' };
	return async () => {
		const reply = await request(run, () =>
			fetch(at, { method, headers, ...(method === 'GET' ? {} : { body }) }),
		);
		if (reply !== undefined && method !== 'GET') expect(reply.status).toBeGreaterThanOrEqual(400);
	};
}

/** An answer to one that sleeps. Nobody may wake it (R5). */
const earlyWake =
	(run: Run, url: string): Deed =>
	async () => {
		const reply = await request(run, () => postAnswer(url, 'answer for a sleeper'));
		if (reply !== undefined) expect(reply.status).toBeGreaterThanOrEqual(400);
	};

/** What n8n answered; undefined when it did not. */
async function request(
	run: Run,
	send: () => Promise<Response>,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
	await alive;
	run.underWay += 1;
	try {
		const response = await send();
		return { status: response.status, text: await response.text() };
	} catch {
		return undefined;
	} finally {
		run.underWay -= 1;
	}
}

/** Whether n8n may be running it on: it was asked something just now, got its last answer at some time, or its wait was due. */
function mayRun({ batch, execution, sent, underWay }: Run): boolean {
	const awaited = waitingOf(batch).filter(({ entry }) => awaitsAnswer(entry));
	const mayHaveAll = awaited.length > 0 && awaited.every(({ item }) => sent.has(item));
	const isDue = execution.waitTill !== undefined && execution.waitTill.getTime() <= Date.now();
	return underWay > 0 || mayHaveAll || isDue;
}

/** Ends what is under way, and holds back what would begin, until n8n is there again. */
async function restart(runs: readonly Run[], signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
	for (const run of runs) run.cutOff ||= mayRun(run);
	const restarted = (signal === 'SIGKILL' ? n8n.kill() : n8n.stop(signal)).then(start);
	alive = restarted;
	await restarted;
}

/** The execution when it has ended. Where the last answer was recorded by an n8n that died, any request resumes it (R10). */
async function ended(run: Run): Promise<Execution> {
	const { execution, batch } = run;
	const [first] = waitingOf(batch).filter(({ entry }) => awaitsAnswer(entry));
	let told = '';
	return await until(
		async () => {
			const now = await rest.execution(execution.id);
			if (FINAL.includes(now.status)) return now;
			if (first !== undefined) {
				const url = shownUrl(execution, batch.waitsAt, first.place);
				const reply = await request(run, () =>
					fetch(url, { headers: { accept: 'application/json' } }),
				);
				told = `${now.status}, ${JSON.stringify(reply).slice(0, 2000)}`;
			}
			return undefined;
		},
		PATIENCE_MS,
		() => `Batch ${String(batch.number)} does not end: ${told}`,
		2000,
	);
}

test(
	`of ${String(BATCHES)} random batches of seed ${String(SEED)}, with duplicate answers, garbage, limits, sleepers and ${String(RESTARTS.length)} restarts, every item leaves once, in order, paired and as it should, and nothing is called twice (P20 to P28, R5, R6, R10)`,
	async () => {
		const runs: Run[] = [];
		await eachOf(
			Array.from({ length: BATCHES }, (_, number) => number),
			async (number) => {
				runs.push(await startBatch(number));
			},
		);
		const random = randomFor(SEED, BATCHES);
		const deeds = random.shuffled(runs.flatMap((run) => deedsFor(run, random)));
		const waiting = runs.filter(({ execution }) => execution.status === 'waiting').length;
		const restartAt = RESTARTS.map((_, at) =>
			Math.floor((deeds.length * (at + random.next())) / RESTARTS.length),
		);
		let done = 0;
		let begun = 0;
		let restarting = Promise.resolve();
		await eachOf(deeds, async (deed) => {
			const signal = RESTARTS[restartAt.indexOf(begun)];
			begun += 1;
			// The others go on while n8n dies and comes back.
			if (signal !== undefined) restarting = restarting.then(() => restart(runs, signal));
			await deed();
			done += 1;
		});
		await restarting;
		expect(done).toBe(deeds.length);

		const faults: string[] = [];
		let crashed = 0;
		const judge = async (run: Run) => {
			const now = await ended(run);
			const calls = run.batch.items.map(({ call }) => parkServer.calls(call.tag).length);
			// n8n gives up an execution that runs when it is killed; nothing in it may have happened twice.
			if (now.status === 'crashed' && run.cutOff) {
				crashed += 1;
				const taken = [...run.taken.values()].every(({ length }) => length === 1);
				if (!taken || run.resumed > 1 || calls.some((times) => times !== 1))
					faults.push(`batch ${String(run.batch.number)}: something happened twice`);
				return;
			}
			const told = judgeBatch(run.batch, now, run, calls);
			faults.push(...told.map((fault) => `batch ${String(run.batch.number)}: ${fault}`));
		};
		const byClock = runs.filter(({ batch }) => waitEndsBy(batch) === 'clock');
		await eachOf(
			runs.filter((run) => !byClock.includes(run)),
			judge,
		);
		// Whatever sleeps, or waits for nobody, waits still, over all restarts.
		await eachOf(byClock, async ({ batch, execution: { id } }) => {
			const { status } = await rest.execution(id);
			if (status !== 'waiting') faults.push(`batch ${String(batch.number)}: ${status} too soon`);
		});
		await clock.set((FAR_SECONDS + 600) * 1000);
		await eachOf(byClock, judge);
		const items = runs.reduce((sum, { batch }) => sum + batch.items.length, 0);
		console.info(
			`Batches, seed ${String(SEED)}: ${String(runs.length)} with ${String(items)} items, ${String(waiting)} waited, ${String(byClock.length)} of them until the clock was set ahead; ` +
				`${String(deeds.length)} deeds over ${String(RESTARTS.length)} restarts; ${String(crashed)} killed by n8n's own death while they ran on`,
		);
		expect(faults).toEqual([]);
		expect(crashed).toBeLessThanOrEqual(BATCHES / 2);
	},
	600_000 + BATCHES * 6_000,
);
