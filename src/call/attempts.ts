import { type FailedAttempt, failedAttempt } from '../outcome/attempt';
import { remedyOfCancelled } from '../outcome/cancelled';
import type { Failure } from '../outcome/failure';
import { remedyAt } from '../outcome/remedyAt';
import type { Effect } from '../policy/effect';
import { decideRetry, worstOf } from '../policy/retryDecision';
import { retryDelayMs } from './retryDelay';
import type { ToolResult } from './session';

/** How attempts follow each other. */
export interface Retrying {
	/** Attempts in all, the first one included. */
	readonly maxAttempts: number;
	/** Over all attempts and the waits between them (C3). */
	readonly maxDurationMs: number;
	/** The option Retry Tool Errors; for reads alone. */
	readonly retryToolErrors: boolean;
	/** Resolves true when the time has passed, and false at once when the signal ends the wait. */
	readonly delay: (ms: number, signal?: AbortSignal) => Promise<boolean>;
	/** From 0 to 1. */
	readonly random: () => number;
	/** A clock that nobody sets. */
	readonly monotonicMs: () => number;
}

/** What one attempt came to. */
export type Attempt<T> =
	| {
			readonly kind: 'ended';
			readonly value: T;
			/** True when nothing was tried: the value was there already. */
			readonly untried?: true;
	  }
	| FailedCall;

export interface FailedCall {
	readonly kind: 'failed';
	readonly failure: Failure;
	/** The result that a tool marked as an error, or that misses the tool's output schema. */
	readonly result?: ToolResult;
}

/** What all attempts came to, and the record of them. */
export type Attempted<T> = ({ readonly kind: 'ended'; readonly value: T } | FailedCall) & {
	readonly record: AttemptRecord;
};

/** As the facts of a call hold it. */
export interface AttemptRecord {
	readonly attempts: number;
	/** Absent when none failed, or when the only one's failure is the call's own. */
	readonly failedAttempts?: readonly FailedAttempt[];
}

/**
 * Tries until an attempt ends well, the effect forbids another one, or attempts or time are used up. The failure's
 * disposition is the worst of all attempts. Never rejects if `attempt` never does.
 */
export async function inAttempts<T>(
	{
		retrying,
		signal,
		...call
	}: {
		readonly retrying: Retrying;
		readonly effect: Effect;
		readonly keyed: boolean;
		readonly signal?: AbortSignal | undefined;
	},
	/** Is told its number, from 1. */
	attempt: (signal: AbortSignal | undefined, number: number) => Promise<Attempt<T>>,
): Promise<Attempted<T>> {
	const { maxAttempts, maxDurationMs, retryToolErrors } = retrying;
	const endsAtMs = retrying.monotonicMs() + maxDurationMs;
	const failed: FailedCall[] = [];
	for (;;) {
		const numbered = (until: AbortSignal | undefined) => attempt(until, failed.length + 1);
		const tried =
			failed.length === 0
				? await numbered(signal)
				: await attemptUntil(retrying, endsAtMs, signal, numbered);
		if (tried.kind === 'ended') {
			const attempts = failed.length + (tried.untried === true ? 0 : 1);
			return { kind: 'ended', value: tried.value, record: { attempts, ...namedIn(failed) } };
		}
		const before = failed.map(({ failure }) => failure);
		failed.push(tried);
		const attempts = failed.length;
		const end = (last: FailedCall = tried): Attempted<T> => ({
			...reported(last, failed),
			record: { attempts, ...(last === tried && attempts === 1 ? {} : namedIn(failed)) },
		});
		const decision = decideRetry({
			...call,
			failure: tried.failure,
			attempts,
			maxAttempts,
			retryToolErrors,
			doubtBefore: before.some(({ disposition }) => disposition === 'in-doubt'),
			sessionLostBefore: before.some(({ code }) => code === 'session-lost'),
		});
		if (decision !== 'again') return end();
		const { evidence } = tried.failure;
		const delayMs = retryDelayMs(attempts, retrying.random(), evidence?.retryAfterMs);
		if (retrying.monotonicMs() + delayMs >= endsAtMs) return end();
		if (!(await retrying.delay(delayMs, signal))) return end(cancelledWhileWaiting(tried));
	}
}

/** An attempt that the total limit ends: what the session takes for a cancelled execution is a time that is over. */
async function attemptUntil<T>(
	retrying: Retrying,
	endsAtMs: number,
	signal: AbortSignal | undefined,
	attempt: (signal: AbortSignal) => Promise<Attempt<T>>,
): Promise<Attempt<T>> {
	const over = new AbortController();
	const ended = new AbortController();
	void retrying
		.delay(endsAtMs - retrying.monotonicMs(), ended.signal)
		.then((passed) => (passed ? over.abort('The total time is over') : undefined));
	const tried = await attempt(
		signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]),
	);
	ended.abort();
	const isOver = over.signal.aborted && signal?.aborted !== true;
	if (!isOver || tried.kind === 'ended' || tried.failure.code !== 'cancelled') return tried;
	const seconds = retrying.maxDurationMs / 1000;
	return {
		kind: 'failed',
		failure: {
			...tried.failure,
			code: 'timed-out',
			message: `The attempts of the call together took longer than the ${String(seconds)} seconds of Maximum Duration`,
			remedy: remedyAt(
				tried.failure.disposition,
				'Find out why the earlier attempts failed, or raise Maximum Duration of the connection.',
			),
		},
	};
}

/**
 * The failure that a call reports: the last one, at the worst disposition of all. Where the last one did not happen and an
 * earlier one may have, the earlier one says more.
 */
function reported(last: FailedCall, failed: readonly FailedCall[]): FailedCall {
	const worst = failed
		.map(({ failure }) => failure.disposition)
		.reduce(worstOf, last.failure.disposition);
	if (worst === last.failure.disposition) return last;
	if (last.failure.code === 'cancelled') {
		const remedy = remedyOfCancelled(worst);
		return { ...last, failure: { ...last.failure, disposition: worst, remedy } };
	}
	if (last.failure.disposition !== 'did-not-happen') {
		const remedy = remedyAt(worst, last.failure.remedy ?? '').trim();
		return { ...last, failure: { ...last.failure, disposition: worst, remedy } };
	}
	return failed.findLast(({ failure }) => failure.disposition === worst) ?? last;
}

const cancelledWhileWaiting = ({ failure }: FailedCall): FailedCall => ({
	kind: 'failed',
	failure: {
		code: 'cancelled',
		disposition: 'did-not-happen',
		...(failure.stage === undefined ? {} : { stage: failure.stage }),
		message: `The execution was cancelled before the next attempt, after this: ${failure.message}`,
		remedy: remedyOfCancelled('did-not-happen'),
	},
});

const namedIn = (failed: readonly FailedCall[]): Pick<AttemptRecord, 'failedAttempts'> =>
	failed.length === 0
		? {}
		: { failedAttempts: failed.map(({ failure }, index) => failedAttempt(index + 1, failure)) };
