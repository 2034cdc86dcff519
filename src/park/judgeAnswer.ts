import { DEEPEST_VALUE, isDeeperThan } from '../json/isDeeperThan';
import { isExpired, type ParkedBatch, type ParkedItem, wakesAt } from './parkedBatch';

/** A place in the answer and what is wrong there. */
export interface AnswerIssue {
	/** JSON path, `$` for the whole answer. */
	readonly path: string;
	readonly message: string;
}

export type Verdict =
	/** The answer fits and may be recorded for the item (R1). */
	| { readonly kind: 'accepted'; readonly item: number }
	/** Still parked; the answer may be corrected any number of times (R2). */
	| { readonly kind: 'rejected'; readonly issues: readonly AnswerIssue[] }
	/** Still parked; nothing can wake it before its instant (R5). */
	| { readonly kind: 'asleep'; readonly until: string; readonly remainingSeconds: number }
	/** Every item slept, and the last instant has come: the execution may go on. */
	| { readonly kind: 'due' }
	/** Still parked; this sleeper's instant has come and it leaves with the others (P25). */
	| { readonly kind: 'awake' }
	/** Too late: the limit has passed and the execution is about to go on without this answer (P26). */
	| { readonly kind: 'expired'; readonly deadline: string }
	/** Still parked; several items wait and the request names none (R7). */
	| { readonly kind: 'which' }
	/** Still parked; the request names an item that does not wait. */
	| { readonly kind: 'not-waiting'; readonly item: string }
	/** Still parked; the answer is meant for an earlier park at the same address. */
	| { readonly kind: 'stale' };

/** Checks a value against a schema; an empty list accepts it. */
export type CheckAnswer = (schema: unknown, answer: unknown) => readonly AnswerIssue[];

export interface AnswerRequest {
	readonly answer: unknown;
	/** The request's `item` parameter, if it had one. */
	readonly item?: string;
	/** The `parked_at` of the park that the answer is meant for, if the request says it. */
	readonly meantFor?: string;
	readonly now: Date;
}

/** The parked item that a request is about: the one it names, or the only one; a verdict when there is none. */
export function targetOf(
	batch: ParkedBatch,
	item: string | undefined,
): ParkedItem | Extract<Verdict, { kind: 'which' | 'not-waiting' }> {
	const [first, ...others] = batch.parked;
	if (item === undefined)
		return first !== undefined && others.length === 0 ? first : { kind: 'which' };
	const named = batch.parked.find((entry) => String(entry.item) === item);
	return named ?? { kind: 'not-waiting', item };
}

/** Decides what a POST on the resume address may do to a parked batch. Pure: the same facts give the same verdict. */
export function judgeAnswer(
	batch: ParkedBatch,
	request: AnswerRequest,
	check: CheckAnswer,
): Verdict {
	const target = targetOf(batch, request.item);
	if ('kind' in target) return target;
	if (request.meantFor !== undefined && request.meantFor !== target.parkedAt) {
		return { kind: 'stale' };
	}
	const { park, item } = target;
	if (park.kind === 'sleep') return judgeSleeper(batch, park.until, request.now);
	if (batch.limit !== undefined && isExpired(batch, request.now)) {
		return { kind: 'expired', deadline: batch.limit.deadline };
	}
	if (isDeeperThan(request.answer, DEEPEST_VALUE)) {
		const message = `must not be nested deeper than ${String(DEEPEST_VALUE)} levels`;
		return { kind: 'rejected', issues: [{ path: '$', message }] };
	}
	const issues = check(park.inputSchema, request.answer);
	return issues.length > 0 ? { kind: 'rejected', issues } : { kind: 'accepted', item };
}

function judgeSleeper(batch: ParkedBatch, until: string, now: Date): Verdict {
	const remainingMs = new Date(until).getTime() - now.getTime();
	if (remainingMs > 0) {
		return { kind: 'asleep', until, remainingSeconds: Math.ceil(remainingMs / 1000) };
	}
	const last = wakesAt(batch);
	return last !== undefined && last <= now ? { kind: 'due' } : { kind: 'awake' };
}
