import type { Execution } from '../scripts/host/executionData.ts';
import type { N8nRest, WorkflowSpec } from '../scripts/host/n8nRest.ts';
import { until } from '../scripts/host/until.ts';
import { inParallel } from './inParallel.ts';

/** How many clients start and answer at a time. */
export const CLIENTS = 8;

const PATIENCE_MS = 300_000;
const POLL_MS = 100;

/** An execution that waits, or soon will. */
export interface Parked {
	readonly id: string;
	readonly resumeUrl: string;
}

/** A POST that was answered with 200. Instants in milliseconds, by this machine's clock. */
export interface Post {
	readonly sentAt: number;
	readonly answeredAt: number;
}

/** One kind of wait in an active workflow. */
export interface Waits {
	readonly park: () => Promise<Parked>;
	readonly resume: (parked: Parked) => Promise<Post>;
	/** Resolves when so many of the workflow's executions have the status. */
	readonly untilCount: (status: 'waiting' | 'success', count: number) => Promise<void>;
	/** When the node after the wait began; the execution must have ended. */
	readonly wentOnAt: (parked: Parked) => Promise<number>;
}

/** Stores and activates the workflow; `path` is its trigger's. */
export async function openWaits(
	rest: N8nRest,
	spec: WorkflowSpec,
	path: string,
	answer: unknown,
): Promise<Waits> {
	const { id: workflowId } = await rest.createWorkflow(spec);
	await rest.activate(workflowId);
	return {
		park: async () => {
			const response = await fetch(rest.webhookUrl(path), { method: 'POST' });
			const resumeUrl = await response.text();
			const id = /\/webhook-waiting\/(\d+)/.exec(resumeUrl)?.[1];
			if (id === undefined) throw new Error(`The trigger answered: ${resumeUrl.slice(0, 200)}`);
			return { id, resumeUrl };
		},
		resume: async ({ id, resumeUrl }) => {
			const sentAt = now();
			const response = await fetch(resumeUrl, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(answer),
			});
			const body = await response.text();
			const answeredAt = now();
			if (response.status === 200) return { sentAt, answeredAt };
			throw new Error(`Execution ${id} answered ${String(response.status)}: ${body.slice(0, 200)}`);
		},
		untilCount: async (status, count) => {
			await until(
				async () => ((await rest.countExecutions(workflowId, status)) >= count ? true : undefined),
				PATIENCE_MS,
				() => `Not ${String(count)} executions became ${status}`,
				POLL_MS,
			);
		},
		wentOnAt: async ({ id }) => startOfAfter(await rest.waitForExecution(id, ['success'])),
	};
}

/** Date, not performance: it is the clock that n8n notes the node's start by. */
const now = (): number => Date.now();

function startOfAfter({ id, runData }: Execution): number {
	const runs = runData.After ?? [];
	const at = runs[0]?.startedAt;
	if (at === undefined || runs.length !== 1) throw new Error(`Execution ${id} did not go on once.`);
	return at.getTime();
}

/** Parks so many; resolves with them when all wait, and with how long that took. */
export async function parkMany(
	waits: Waits,
	count: number,
	waitingThen: number,
): Promise<{ readonly parked: readonly Parked[]; readonly tookMs: number }> {
	const begunAt = now();
	const parked = await inParallel(Array.from({ length: count }), CLIENTS, waits.park);
	await waits.untilCount('waiting', waitingThen);
	return { parked, tookMs: now() - begunAt };
}
