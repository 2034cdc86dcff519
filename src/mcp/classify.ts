import type { Disposition, FailureCode, Stage } from '../outcome/failure';
import type { HttpAnswer, Interruption } from './evidence';
import type { Answer } from './frames';
import type { ProxyTrouble } from './proxyTunnel';

/** Everything known about a failed request, reduced to structure; no error text decides anything. */
export interface Facts {
	readonly stage: Stage;
	readonly transport: 'streamableHttp' | 'stdio';
	readonly sent: boolean;
	readonly answer?: Answer;
	/** Why the waiting was stopped, if it was. */
	readonly interruption?: Interruption;
	readonly http?: HttpAnswer;
	readonly systemCode?: string;
	/** Set when a proxy made no way to the server. */
	readonly proxy?: ProxyTrouble;
	/** True when the child has exited or the transport has closed. */
	readonly closed: boolean;
}

export interface Verdict {
	readonly code: FailureCode;
	readonly disposition: Disposition;
}

/** Codes with which a peer declines a request before running anything. */
const refusedRpcCodes: readonly number[] = [-32700, -32600, -32601];

/**
 * Facts in, verdict out, after the table in the table of failures. An answer for our id outranks all else; before the call stage
 * no tool can have run, so there everything did not happen.
 */
export function classify(facts: Facts): Verdict {
	const { code, disposition } = byEvidence(facts);
	const happened = facts.stage === 'call' ? disposition : 'did-not-happen';
	return { code, disposition: happened };
}

function byEvidence(facts: Facts): Verdict {
	// An initialise that was answered may still fail at the notification that follows it.
	if (facts.stage === 'initialise' && facts.http !== undefined)
		return byHttpAnswer(facts, facts.http);
	if (facts.stage === 'initialise' && facts.answer?.kind === 'result' && isOurs(facts.interruption))
		return byInterruption(facts, facts.interruption);
	if (facts.answer !== undefined) return byAnswer(facts, facts.answer);
	if (facts.interruption !== undefined) return byInterruption(facts, facts.interruption);
	if (facts.http !== undefined) return byHttpAnswer(facts, facts.http);
	if (facts.proxy !== undefined && !facts.sent) return byProxy(facts.proxy);
	const known = facts.closed || facts.systemCode !== undefined;
	return known || facts.stage !== 'call' ? byBreak(facts) : bySent(facts, 'unclassified');
}

/** True when the limits or the caller ended it, and not what the server sent. */
const isOurs = (interruption: Interruption | undefined): interruption is Interruption =>
	interruption !== undefined && !['unreadable', 'lost'].includes(interruption.kind);

function byAnswer(facts: Facts, answer: Answer): Verdict {
	switch (answer.kind) {
		case 'error':
			if (answer.rpcCode !== undefined && refusedRpcCodes.includes(answer.rpcCode))
				return didNotHappen('rpc-refused');
			// Any other code, or none, may come after a handler ran, −32602 included.
			return inDoubt(facts.stage === 'initialise' ? 'unreachable' : 'rpc-error');
		case 'result':
		case 'unreadable': {
			// A result frame was there, yet nothing could be made of it.
			const code = facts.stage === 'initialise' ? 'unreachable' : 'result-unreadable';
			return { code, disposition: 'landed' };
		}
	}
}

function byInterruption(facts: Facts, interruption: Interruption): Verdict {
	switch (interruption.kind) {
		case 'cancelled':
			return bySent(facts, 'cancelled');
		case 'request-timeout':
		case 'max-duration':
			return bySent(facts, 'timed-out');
		case 'unreadable':
			return { code: 'result-unreadable', disposition: 'landed' };
		case 'lost':
			return byBreak(facts);
	}
}

function byHttpAnswer(facts: Facts, { status, withSession }: HttpAnswer): Verdict {
	if (status === 401 || status === 403) return didNotHappen('unauthorized');
	if (status === 404 && withSession) return didNotHappen('session-lost');
	if (status === 429) return didNotHappen('rate-limited');
	// These say nothing about whether a handler ran.
	if (status === 408 || status === 409 || status === 425 || status >= 500) return byBreak(facts);
	if (status >= 300) return didNotHappen('http-refused');
	// A 2xx that is not MCP: a login page, say.
	return facts.stage === 'call' ? inDoubt('unclassified') : didNotHappen('unreachable');
}

/** What a proxy declines for good, for want of a password say, it would decline again. */
const byProxy = ({ status = 0 }: ProxyTrouble): Verdict =>
	didNotHappen(
		status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status)
			? 'http-refused'
			: 'unreachable',
	);

/** The connection could not be made, broke or closed. */
function byBreak(facts: Facts): Verdict {
	if (facts.stage === 'spawn') return didNotHappen('spawn-failed');
	if (facts.stage === 'initialise' || facts.stage === 'connect') {
		const exitedEarly = facts.transport === 'stdio' && facts.closed;
		return didNotHappen(exitedEarly ? 'spawn-failed' : 'unreachable');
	}
	if (facts.transport === 'streamableHttp' && !facts.sent) return didNotHappen('unreachable');
	return bySent(facts, 'connection-lost');
}

const bySent = (facts: Facts, code: FailureCode): Verdict =>
	facts.sent ? inDoubt(code) : didNotHappen(code);
const didNotHappen = (code: FailureCode): Verdict => ({ code, disposition: 'did-not-happen' });
const inDoubt = (code: FailureCode): Verdict => ({ code, disposition: 'in-doubt' });
