import { inAttempts, type Retrying } from './attempts';
import { callOnce } from './callOnce';
import type { CallOutcome } from './callOutcome';
import type { CallContext, CheckedCall } from './checkCall';
import type { Claims } from './claims';
import type { Holder } from './claimStore';
import { sendCall } from './sendCall';

/** What a run's items share for their calls. */
export interface CallingContext extends CallContext {
	readonly retrying: Retrying;
	readonly claims: Claims;
}

/**
 * Makes a checked call: in attempts, as its effect allows; with a key, once over all executions that share the ledger.
 * Says what came of it. Never rejects.
 */
export async function callTool(
	context: CallingContext,
	call: CheckedCall,
	/** Asked of keyed calls alone. */
	holderOf: () => Holder,
): Promise<CallOutcome> {
	const { idempotencyKey, facts } = call;
	if (idempotencyKey !== undefined) {
		const key = { serverName: facts.serverName, tool: facts.tool, value: idempotencyKey.value };
		return await callOnce(context, call, key, holderOf);
	}
	const { retrying, signal } = context;
	const { effect } = facts.decided;
	const tried = await inAttempts({ retrying, signal, effect, keyed: false }, (until, attempt) =>
		sendCall(context, call, attempt, until),
	);
	const known = { ...facts, ...tried.record };
	if (tried.kind === 'ended') return { ...tried.value, facts: known };
	const { failure, result } = tried;
	return { kind: 'failed', failure, ...(result === undefined ? {} : { result }), facts: known };
}
