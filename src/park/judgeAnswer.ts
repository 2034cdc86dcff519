import { DEEPEST_VALUE, isDeeperThan } from '../json/isDeeperThan';
import type { LeavingItem, ParkedBatch } from './parkedBatch';
import { answerBatch, wakeBatch } from './settleBatch';

/** A place in the answer and what is wrong there. */
export interface AnswerIssue {
	/** JSON path, `$` for the whole answer. */
	readonly path: string;
	readonly message: string;
}

export type Verdict =
	/** The execution goes on with these items (R1). */
	| { readonly kind: 'resumed'; readonly items: readonly LeavingItem[] }
	/** Still parked; the answer may be corrected any number of times (R2). */
	| { readonly kind: 'rejected'; readonly issues: readonly AnswerIssue[] }
	/** Still parked; nothing can wake it before its instant (R5). */
	| { readonly kind: 'asleep'; readonly until: string; readonly remainingSeconds: number }
	/** Still parked; the request named an item that does not wait. */
	| { readonly kind: 'not-waiting'; readonly item: string };

/** Checks a value against a schema; an empty list accepts it. */
export type CheckAnswer = (schema: unknown, answer: unknown) => readonly AnswerIssue[];

export interface AnswerRequest {
	readonly answer: unknown;
	/** The request's `item` parameter, if it had one. */
	readonly item?: string;
	readonly now: Date;
}

/** Decides what a POST on the resume address does to a parked batch. Pure: the same facts give the same verdict. */
export function judgeAnswer(
	batch: ParkedBatch,
	request: AnswerRequest,
	check: CheckAnswer,
): Verdict {
	const { park, item } = batch.parked;
	if (request.item !== undefined && request.item !== String(item)) {
		return { kind: 'not-waiting', item: request.item };
	}
	if (park.kind === 'sleep') {
		const remainingMs = new Date(park.until).getTime() - request.now.getTime();
		if (remainingMs <= 0) return { kind: 'resumed', items: wakeBatch(batch) };
		const remainingSeconds = Math.ceil(remainingMs / 1000);
		return { kind: 'asleep', until: park.until, remainingSeconds };
	}
	if (isDeeperThan(request.answer, DEEPEST_VALUE)) {
		const message = `must not be nested deeper than ${String(DEEPEST_VALUE)} levels`;
		return { kind: 'rejected', issues: [{ path: '$', message }] };
	}
	const issues = check(park.inputSchema, request.answer);
	if (issues.length > 0) return { kind: 'rejected', issues };
	return { kind: 'resumed', items: answerBatch(batch, request.answer, request.now) };
}
