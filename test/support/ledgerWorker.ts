import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewClaim } from '../../src/call/claimStore';
import type { BatchReading, Ledger, OpeningBatch, Recording } from '../../src/ledger/ledger';
import type { LedgerPlace } from '../../src/ledger/ledgerPlace';
import { openLedger } from '../../src/ledger/openLedger';
import { sharedLedger } from '../../src/ledger/sharedLedger';
import type { Result } from '../../src/outcome/failure';

/** What one process of a test does with a ledger, told on its command line. */
export type LedgerJob = { readonly place: LedgerPlace } & (
	| { readonly kind: 'open' }
	| { readonly kind: 'openBatch'; readonly batch: OpeningBatch }
	/** Sends `calls` answers for every item of the batch at once. */
	| {
			readonly kind: 'answer';
			readonly batchId: string;
			readonly items: readonly number[];
			readonly calls: number;
	  }
	/** Closes the batch as soon as it has `after` answers. */
	| { readonly kind: 'close'; readonly batchId: string; readonly after: number }
	/** Uses the ledger of the process and leaves it open. */
	| { readonly kind: 'leaveOpen' }
	/** Answers one item after the other, and tells of each one that was recorded. */
	| { readonly kind: 'answerInTurn'; readonly batchId: string; readonly items: readonly number[] }
	/** Claims the same key `calls` times at once, each under its own id; gives how many got it. */
	| { readonly kind: 'claimKey'; readonly claim: NewClaim; readonly calls: number }
	/** Claims and withdraws the same key `calls` times, trying again while another has it; gives how many turns it had. */
	| { readonly kind: 'claimInTurn'; readonly claim: NewClaim; readonly calls: number }
	| {
			readonly kind: 'claim';
			readonly batchId: string;
			readonly nowMs: number;
			readonly leaseMs: number;
			readonly calls: number;
	  }
);

export type LedgerReport =
	| { readonly kind: 'ready' }
	| { readonly kind: 'recorded'; readonly item: number }
	| { readonly kind: 'done'; readonly result: unknown };

export interface AnswerReport {
	readonly item: number;
	readonly answer: unknown;
	readonly recording: Recording;
}

const [text = ''] = process.argv.slice(2);
const job = JSON.parse(text, (key, value: unknown) =>
	['parkedAt', 'openedAt', 'claimedAt'].includes(key) ? new Date(String(value)) : value,
) as LedgerJob;

/** A migration is raced from the very start; everything else with the ledger open. */
const ledger =
	job.kind === 'open' || job.kind === 'leaveOpen' ? undefined : valueOf(await openLedger(job));
process.once('message', () => void run());
tell({ kind: 'ready' });

async function run(): Promise<void> {
	const opened = await open();
	const result = await work(opened);
	if (job.kind !== 'leaveOpen') await opened.close();
	process.send?.({ kind: 'done', result } satisfies LedgerReport, () => process.disconnect());
}

async function open(): Promise<Ledger> {
	if (job.kind === 'leaveOpen') return valueOf(await sharedLedger({ ...job, retentionDays: 90 }));
	return ledger ?? valueOf(await openLedger(job));
}

async function work(opened: Ledger): Promise<unknown> {
	switch (job.kind) {
		case 'open':
		case 'leaveOpen':
			return valueOf<BatchReading>(await opened.readAnswers('none')).kind;
		case 'openBatch':
			return valueOf(await opened.openBatch(job.batch));
		case 'answer': {
			const { batchId, items, calls } = job;
			const answers = Array.from({ length: calls }, (_, call) =>
				items.map(async (item): Promise<AnswerReport> => {
					const answer = { process: process.pid, call };
					const recording = valueOf(
						await opened.recordAnswer({ batchId, item, answer, answeredAt: new Date() }),
					);
					return { item, answer, recording };
				}),
			);
			return Promise.all(answers.flat());
		}
		case 'close': {
			const { batchId, after } = job;
			while ((await countAnswers(opened, batchId)) < after) await nextTurn();
			return valueOf(await opened.closeBatch({ batchId, closedAt: new Date() }));
		}
		case 'answerInTurn':
			for (const item of job.items) {
				const answer = { batchId: job.batchId, item, answer: item, answeredAt: new Date() };
				valueOf(await opened.recordAnswer(answer));
				tell({ kind: 'recorded', item });
			}
			return undefined;
		case 'claimKey': {
			const claims = Array.from({ length: job.calls }, () =>
				opened.claim({ ...job.claim, claimId: randomUUID() }),
			);
			const results = await Promise.all(claims);
			return results.filter((claim) => valueOf(claim).kind === 'claimed').length;
		}
		case 'claimInTurn': {
			let turns = 0;
			while (turns < job.calls) {
				const claimId = randomUUID();
				const claim = valueOf(await opened.claim({ ...job.claim, claimId }));
				if (claim.kind === 'taken') continue;
				if (valueOf(await opened.withdraw(claimId))) turns += 1;
			}
			return turns;
		}
		case 'claim': {
			const { batchId, nowMs, leaseMs, calls } = job;
			const claims = Array.from({ length: calls }, () =>
				opened.claimResume({ batchId, now: new Date(nowMs), leaseMs }),
			);
			return (await Promise.all(claims)).filter((claim) => valueOf(claim)).length;
		}
	}
}

async function countAnswers(opened: Ledger, batchId: string): Promise<number> {
	const reading = valueOf(await opened.readAnswers(batchId));
	return reading.kind === 'batch' ? reading.answers.length : 0;
}

function tell(report: LedgerReport): void {
	process.send?.(report);
}

function valueOf<T>(result: Result<T>): T {
	if (result.ok) return result.value;
	throw new Error(JSON.stringify(result.failure));
}
