import type { PlainObject } from '../json/plainObject';
import type { FailedAttempt } from '../outcome/attempt';
import type { Disposition } from '../outcome/failure';
import type { DecidedEffect } from '../policy/effect';

/** What is known about a call before and after it, for the item's `call`. */
export interface CallFacts {
	readonly tool: string;
	readonly serverName: string;
	readonly decided: DecidedEffect;
	/** How often the request was tried; 0 when a check refused it before. */
	readonly attempts: number;
	/** What went wrong in those that failed, the last one included; absent when there was at most one. */
	readonly failedAttempts?: readonly FailedAttempt[];
	/** `<tool>:<value>` (K2). */
	readonly idempotencyKey?: string;
	/** The execution whose outcome was copied (K6). */
	readonly deduplicatedFrom?: string;
	readonly warnings: readonly string[];
}

/** The `call` of an output item that does not wait (surface: Tool Call). */
export const callRecord = (
	facts: CallFacts,
	outcome: 'completed' | 'deduplicated' | 'failed',
	disposition?: Disposition,
): PlainObject => ({
	...baseRecord(facts),
	outcome,
	...(disposition === undefined ? {} : { disposition }),
});

/** What a `call` says before its outcome is known. */
export const baseRecord = (facts: CallFacts): PlainObject => ({
	tool: facts.tool,
	serverName: facts.serverName,
	effect: facts.decided.effect,
	effectSource: facts.decided.source,
	attempts: facts.attempts,
	...(facts.failedAttempts === undefined ? {} : { failedAttempts: facts.failedAttempts }),
	...(facts.idempotencyKey === undefined ? {} : { idempotencyKey: facts.idempotencyKey }),
	...(facts.deduplicatedFrom === undefined ? {} : { deduplicatedFrom: facts.deduplicatedFrom }),
	...(facts.warnings.length === 0 ? {} : { warnings: facts.warnings }),
});
