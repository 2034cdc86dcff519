import { equal, ok } from 'node:assert/strict';
import type { Execution, ExecutionStatus } from '../../../scripts/host/executionData.ts';
import type { N8nRest } from '../../../scripts/host/n8nRest.ts';
import { until } from '../../../scripts/host/until.ts';
import { answerParks } from './answerParks.ts';
import type { SoakWorkflows } from './connections.ts';
import type { SoakControl } from './control.ts';
import { isOwn, transportOf } from './drawCase.ts';
import type { SoakCase } from './drawCase.ts';
import { judgeAgain, judgeRun } from './judgeRun.ts';

/** Where cases are played. */
export interface SoakBench {
	readonly rest: N8nRest;
	readonly control: SoakControl;
	readonly workflows: SoakWorkflows;
	/** Counts a call that was not judged to the letter, as its server ended under it for another call's sake. */
	readonly excuse: () => void;
}

const ENDED: readonly ExecutionStatus[] = ['success', 'error', 'crashed', 'canceled'];
/** Of 40 reads at 8 in flight each may come three times to the idle limit, on a busy machine. */
const RUN_TIMEOUT_MS = 150_000;
/** n8n looks for due executions once a minute. */
const WAIT_TIMEOUT_MS = 180_000;
const TOLD_TIMEOUT_MS = 15_000;
/** How long n8n may take to notice that a child ends which has said so. */
const UNNOTICED_MS = 2_000;
const POLL_MS = 150;

/** A case in play. */
interface Play {
	readonly of: SoakCase;
	readonly bench: SoakBench;
	/** A server ended under this case for the sake of another call. */
	readonly isExcused: () => boolean;
	/** The execution under way, for whoever has to say where it got stuck. */
	executionId: string;
}

/** Plays one case to its end. Throws when anything is unlike what its servers' books make of it. */
export async function playCase(bench: SoakBench, of: SoakCase): Promise<void> {
	bench.control.plan(of.calls);
	const sinceMs = performance.now() - UNNOTICED_MS;
	const isExcused = () => {
		const ends = bench.control.childEnds(of.connection, sinceMs);
		return isOwn(of.connection)
			? ends.some(({ n }) => of.calls.some((call) => call.n === n))
			: ends.length > 0;
	};
	const play: Play = { of, bench, isExcused, executionId: '' };
	try {
		await start(play);
		await follow(play);
		bench.control.settle(of.calls);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		throw new Error(`Execution ${play.executionId}: ${message}`);
	}
}

async function follow(play: Play): Promise<void> {
	const { of, bench } = play;
	switch (of.course) {
		case 'ends':
		case 'expires':
			judge(play, await ended(play, WAIT_TIMEOUT_MS));
			return;
		case 'twice':
			await startAgain(play);
			return;
		case 'answered': {
			const execution = await endedOrWaiting(play);
			if (execution.status === 'waiting') await answerParks(bench.rest, execution, of);
			judge(play, await ended(play));
			return;
		}
		case 'stopped at work':
			await stopAtWork(play);
			return;
		case 'stopped waiting': {
			const execution = await endedOrWaiting(play);
			if (execution.status !== 'waiting') {
				judge(play, execution);
				return;
			}
			await bench.rest.stopExecution(play.executionId);
			equal((await ended(play)).status, 'canceled', 'The status of a stopped wait');
		}
	}
}

async function start(play: Play): Promise<void> {
	const { of, bench } = play;
	const { path } = bench.workflows(of.connection, of.setting);
	const calls = of.calls.map(({ n, tool }) => ({
		tool,
		tenant: of.tenant,
		given: { n, reference: `reference-${String(n)}` },
	}));
	const response = await fetch(bench.rest.webhookUrl(path), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ calls }),
	});
	const answer = await response.text();
	if (!response.ok || !/^\d+$/.test(answer)) {
		throw new Error(`The trigger answered ${String(response.status)}: ${answer.slice(0, 200)}`);
	}
	play.executionId = answer;
}

async function startAgain(play: Play): Promise<void> {
	const { of, bench } = play;
	const first = await ended(play);
	judge(play, first);
	const before = of.calls.map(({ n }) => bench.control.met(n).length);
	await start(play);
	const second = await ended(play);
	const excused = play.isExcused();
	judgeAgain({ of, ...bench, execution: second, excused, first, before });
}

async function stopAtWork(play: Play): Promise<void> {
	const { of, bench, isExcused } = play;
	const { rest, control } = bench;
	const ns = of.calls.map(({ n }) => n);
	// A process that dies may take the call along before any server sees it.
	await until(
		() => (isExcused() || ns.some((n) => control.met(n).length > 0) ? true : undefined),
		RUN_TIMEOUT_MS,
		() => 'The call does not come',
		20,
	);
	try {
		await rest.stopExecution(play.executionId);
	} catch (error) {
		// It may have ended by itself, when the server did.
		if (!isExcused()) throw error;
	}
	const execution = await ended(play);
	if (execution.status !== 'canceled') {
		ok(isExcused(), `The stopped execution is ${execution.status}`);
		judge(play, execution);
		return;
	}
	// A child of its own is ended, and may have no time to say that it was told.
	if (isOwn(of.connection) && transportOf(of.connection) === 'stdio') return;
	await until(
		() => (isExcused() || ns.every((n) => control.wasCancelled(n)) ? true : undefined),
		TOLD_TIMEOUT_MS,
		() => 'The server does not learn that its call was cancelled',
	);
}

function judge({ of, bench, isExcused }: Play, execution: Execution): void {
	judgeRun({ of, ...bench, execution, excused: isExcused() });
}

const endedOrWaiting = async (play: Play): Promise<Execution> =>
	await reaches(play, [...ENDED, 'waiting'], RUN_TIMEOUT_MS);

const ended = async (play: Play, timeoutMs = RUN_TIMEOUT_MS): Promise<Execution> =>
	await reaches(play, ENDED, timeoutMs);

async function reaches(
	{ bench, executionId }: Play,
	statuses: readonly ExecutionStatus[],
	timeoutMs: number,
): Promise<Execution> {
	let last: ExecutionStatus = 'unknown';
	return await until(
		async () => {
			const execution = await bench.rest.execution(executionId);
			last = execution.status;
			return statuses.includes(last) ? execution : undefined;
		},
		timeoutMs,
		() => `It is stuck in ${last}`,
		POLL_MS,
	);
}
