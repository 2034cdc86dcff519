import type { Disposition, Failure, FailureCode } from './failure';

/** One row of the table of failures (failures.md); its texts are the documentation's. */
export interface FailureRow {
	/** The cause, as a clause. */
	readonly when: string;
	/** What the code says when nothing stronger is known: nothing sent makes it did-not-happen, a result makes it landed. */
	readonly disposition: Disposition | 'by-evidence';
	/** Whether another attempt may go otherwise; what did not happen only where `if-unsent`. */
	readonly transient: 'yes' | 'no' | 'if-unsent';
}

/** Every failure code: when it comes, what it says about the request, whether to try again. */
export const failureTable: Readonly<Record<FailureCode, FailureRow>> = {
	'tool-unknown': {
		when: 'not in the listing',
		disposition: 'did-not-happen',
		transient: 'no',
	},
	'policy-denied': {
		when: 'grant, effect or fingerprint refuses',
		disposition: 'did-not-happen',
		transient: 'no',
	},
	'arguments-invalid': {
		when: 'not an object, or our own check against `inputSchema`',
		disposition: 'did-not-happen',
		transient: 'no',
	},
	'key-missing': {
		when: 'the argument that holds the key is missing or cannot be one',
		disposition: 'did-not-happen',
		transient: 'no',
	},
	'key-collision': {
		when: 'the key was used with other arguments',
		disposition: 'did-not-happen',
		transient: 'no',
	},
	'call-in-flight': {
		when: 'another call with the key is under way',
		disposition: 'did-not-happen',
		transient: 'yes',
	},
	'needs-reconciliation': {
		when: "an earlier attempt's outcome is unknown",
		disposition: 'in-doubt',
		transient: 'no',
	},
	'connection-invalid': {
		when: "the connection's settings cannot be used",
		disposition: 'did-not-happen',
		transient: 'no',
	},
	'ledger-unavailable': {
		when: 'the ledger cannot be read or written',
		disposition: 'by-evidence',
		transient: 'if-unsent',
	},
	'spawn-failed': {
		when: 'command missing (ENOENT), not allowed, exits before initialise',
		disposition: 'did-not-happen',
		transient: 'no',
	},
	unreachable: {
		when: 'refused, unknown host, TLS, connect or initialise failed: before the call was sent',
		disposition: 'did-not-happen',
		transient: 'yes',
	},
	unauthorized: {
		when: 'HTTP 401 or 403',
		disposition: 'did-not-happen',
		transient: 'no',
	},
	/** Transient after one new initialise. */
	'session-lost': {
		when: '404 for our session id',
		disposition: 'did-not-happen',
		transient: 'yes',
	},
	'http-refused': {
		when: 'other 4xx but 408, 409, 425, 429; redirect not followed',
		disposition: 'did-not-happen',
		transient: 'no',
	},
	/** Honours Retry-After (capped). */
	'rate-limited': {
		when: 'HTTP 429',
		disposition: 'did-not-happen',
		transient: 'yes',
	},
	'rpc-refused': {
		when: 'error frame −32700, −32600, −32601',
		disposition: 'did-not-happen',
		transient: 'no',
	},
	'rpc-error': {
		when: 'any other error frame, −32602 included (servers send it after a handler ran)',
		disposition: 'in-doubt',
		transient: 'yes',
	},
	'timed-out': {
		when: 'our idle or total limit, after sending',
		disposition: 'in-doubt',
		transient: 'yes',
	},
	cancelled: {
		when: 'execution cancelled: before sending did-not-happen, after sending in-doubt',
		disposition: 'by-evidence',
		transient: 'no',
	},
	'connection-lost': {
		when: 'closed, reset, child died, 408, 409, 425, 5xx: after sending',
		disposition: 'in-doubt',
		transient: 'yes',
	},
	'tool-error': {
		when: 'result with `isError: true`',
		disposition: 'landed',
		transient: 'no',
	},
	'output-invalid': {
		when: 'result, but `structuredContent` misses `outputSchema` (checked only when nothing parked)',
		disposition: 'landed',
		transient: 'no',
	},
	'result-unreadable': {
		when: 'a result frame that is not a tool result',
		disposition: 'landed',
		transient: 'no',
	},
	'park-malformed': {
		when: 'a result with `_meta.salvor` that is no park',
		disposition: 'landed',
		transient: 'no',
	},
	'wait-expired': {
		when: 'nobody answered a parked call within its limit',
		disposition: 'landed',
		transient: 'no',
	},
	unclassified: {
		when: 'anything else',
		disposition: 'by-evidence',
		transient: 'no',
	},
};

/** Whether another attempt may go otherwise; whether it is allowed is for the effect to say. */
export function isTransient({ code, disposition }: Pick<Failure, 'code' | 'disposition'>): boolean {
	switch (failureTable[code].transient) {
		case 'yes':
			return true;
		case 'no':
			return false;
		case 'if-unsent':
			return disposition === 'did-not-happen';
	}
}
