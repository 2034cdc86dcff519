import { answerable, isExpired, type ParkedBatch, wakesAt } from './parkedBatch';

/** What a run of the node that follows a wait has to do (P24 to P26). */
export type WaitEnd =
	/** All that was awaited is there: the items leave. */
	| { readonly kind: 'over' }
	/** The limit has passed: answers are closed, and the items leave. */
	| { readonly kind: 'expired' }
	/** n8n ended the wait too soon: it begins again, and nobody but the clock notices. */
	| { readonly kind: 'early' };

/**
 * Judges a wait that n8n has ended. n8n can end one too soon: it does not disarm the timer of a wait that an answer
 * ended, and that timer then ends the next wait of the execution; and a clock may be set back.
 */
export function judgeEnd(batch: ParkedBatch, answered: readonly number[], now: Date): WaitEnd {
	const awaited = answerable(batch);
	if (awaited.length === 0) {
		const wakes = wakesAt(batch);
		return wakes === undefined || wakes <= now ? { kind: 'over' } : { kind: 'early' };
	}
	if (awaited.every((item) => answered.includes(item))) return { kind: 'over' };
	return isExpired(batch, now) ? { kind: 'expired' } : { kind: 'early' };
}
