/**
 * A failed call as a value. Every failure says whether the request reached the far side
 * (its disposition), decided by evidence, never by an error's text.
 */

/** What is known about the request. */
export type Disposition = 'did-not-happen' | 'in-doubt' | 'landed';

/** Where on its way the call failed. */
export type Stage = 'spawn' | 'connect' | 'initialise' | 'list' | 'call';

export type FailureCode =
	| 'tool-unknown'
	| 'policy-denied'
	| 'arguments-invalid'
	| 'key-missing'
	| 'key-collision'
	| 'call-in-flight'
	| 'spawn-failed'
	| 'unreachable'
	| 'unauthorized'
	| 'session-lost'
	| 'http-refused'
	| 'rate-limited'
	| 'rpc-refused'
	| 'rpc-error'
	| 'timed-out'
	| 'cancelled'
	| 'connection-lost'
	| 'tool-error'
	| 'output-invalid'
	| 'result-unreadable'
	| 'park-malformed'
	| 'wait-expired'
	| 'needs-reconciliation'
	| 'connection-invalid'
	| 'ledger-unavailable'
	| 'unclassified';

/** What a person on call wants to see beside the sentence; never a header value, a token or an environment value. */
export interface FailureEvidence {
	/** HTTP status of the answer that failed, if there was one. */
	readonly httpStatus?: number;
	/** First 200 characters of that answer's body. */
	readonly body?: string;
	/** Last lines of the child's stderr. */
	readonly stderr?: string;
	/** Command and number of arguments of the child, never the arguments themselves. */
	readonly command?: string;
	/** Directories of PATH that were searched for the command. */
	readonly searched?: readonly string[];
	/** How long the server asked us to wait before the next attempt, in milliseconds. */
	readonly retryAfterMs?: number;
	/** JSON-RPC error code of an error frame. */
	readonly rpcCode?: number;
}

export interface Failure {
	readonly code: FailureCode;
	readonly disposition: Disposition;
	readonly stage?: Stage;
	/** One sentence: what happened, naming the field or the tool. */
	readonly message: string;
	/** One sentence: what to do about it. */
	readonly remedy?: string;
	readonly evidence?: FailureEvidence;
	/** For `tool-error`: what the tool said, kept whole. */
	readonly toolError?: {
		readonly text: readonly string[];
		readonly structuredContent?: unknown;
		readonly meta?: unknown;
	};
}

export type Result<T> =
	{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export const succeed = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({
	ok: false,
	failure,
});
