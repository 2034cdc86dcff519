import type { Disposition, Failure } from '../outcome/failure';
import { isTransient } from '../outcome/failureTable';
import type { Effect } from './effect';

/** A failed attempt and what went before it. */
export interface FailedTry {
	readonly effect: Effect;
	/** True when the call says, by a key that the operator named, which operation it is. */
	readonly keyed: boolean;
	readonly failure: Pick<Failure, 'code' | 'disposition'>;
	/** How many attempts there were, this one included, and how many there may be in all. */
	readonly attempts: number;
	readonly maxAttempts: number;
	/** True when an earlier attempt of this call is in doubt. */
	readonly doubtBefore: boolean;
	/** True when an earlier attempt found its session lost: one new session is tried, not more. */
	readonly sessionLostBefore: boolean;
	/** The option Retry Tool Errors. */
	readonly retryToolErrors: boolean;
}

export type RetryDecision =
	| 'again'
	/** This failure is what the call came to. */
	| 'stop'
	/** The call may have happened; nothing is sent before somebody has looked. */
	| 'needs-reconciliation';

/**
 * Whether a failed attempt is followed by another one (failures.md, Retry by effect). Luck never counts: what is in doubt
 * stays so, whatever a later attempt came to.
 */
export function decideRetry(tried: FailedTry): RetryDecision {
	const allowed = decideByEffect(tried);
	return allowed === 'again' && tried.attempts >= tried.maxAttempts ? 'stop' : allowed;
}

function decideByEffect(tried: FailedTry): RetryDecision {
	const { failure, effect, keyed, doubtBefore } = tried;
	const mayRepeat = effect === 'read' || (effect === 'idempotent' && keyed);
	switch (failure.disposition) {
		case 'did-not-happen':
			if (doubtBefore && !mayRepeat) return 'needs-reconciliation';
			return againIf(mayGoOtherwise(tried));
		case 'in-doubt':
			return mayRepeat ? againIf(mayGoOtherwise(tried)) : 'needs-reconciliation';
		case 'landed':
			return againIf(effect === 'read' && failure.code === 'tool-error' && tried.retryToolErrors);
	}
}

const mayGoOtherwise = ({ failure, sessionLostBefore }: FailedTry): boolean =>
	isTransient(failure) && !(failure.code === 'session-lost' && sessionLostBefore);

const againIf = (condition: boolean): RetryDecision => (condition ? 'again' : 'stop');

const BADNESS: readonly Disposition[] = ['did-not-happen', 'landed', 'in-doubt'];

/** The disposition of a call with these attempts: the worst, and not to know is worse than to know (failures.md). */
export const worstOf = (first: Disposition, second: Disposition): Disposition =>
	BADNESS.indexOf(first) < BADNESS.indexOf(second) ? second : first;
