import type { IBinaryKeyData } from 'n8n-workflow';

import type { CallFacts } from '../../src/call/callRecord';
import type { Origin } from '../../src/call/provenance';
import { settleKey } from '../../src/call/standingClaim';
import type { PlainObject } from '../../src/json/plainObject';
import type { Failure } from '../../src/outcome/failure';
import type { StoredPark } from '../../src/park/parkedBatch';

/** What an item's call came to, as plain values, so that the journal can keep it. */
export type Settled =
	| { readonly kind: 'completed'; readonly json: PlainObject; readonly binary?: IBinaryKeyData }
	| { readonly kind: 'parked'; readonly parked: ParkedCall }
	| {
			readonly kind: 'failed';
			readonly failure: Failure;
			readonly facts: CallFacts;
			/** What n8n threw while a parameter was read; nothing was sent then. */
			readonly cause?: Error;
			/** What the server was told of where the call comes from (C15). */
			readonly origin?: Origin;
	  };

export interface ParkedCall {
	readonly park: StoredPark;
	/** UTC instant. */
	readonly parkedAt: string;
	/** Names the park in the address that its server got. */
	readonly parkId?: string;
	/** The claim of the keyed call that parked: it gets the answer too (K6). */
	readonly claimId?: string;
	/** The item's `call` without park and outcome. */
	readonly call: PlainObject;
	/** True for an item that came in with its park open: awaited, whatever When Parked says (P27). */
	readonly carried?: true;
	/** What else an item holds that came in with its park, and that leaves with it. */
	readonly beside?: PlainObject;
	readonly binary?: IBinaryKeyData;
	/** Why answers cannot be checked. */
	readonly schemaWarning?: string;
}

/**
 * What an earlier try of the same node run leaves for this one: a result or a park stands, a call that landed or may
 * have landed is not sent again, and only what did not happen, or a failed read, may be (P20, J1, J2).
 */
export function reuse(recorded: Settled | undefined): Settled | undefined {
	if (recorded?.kind !== 'failed') return recorded;
	const { failure, facts } = recorded;
	if (failure.disposition === 'did-not-happen') return undefined;
	// A park is a whole answer, readable or not: no effect makes its call repeatable (P14, P20).
	const parked = failure.code === 'park-malformed';
	if (facts.decided.effect === 'read' && !parked) return undefined;
	if (failure.disposition === 'landed' || failure.code === 'needs-reconciliation') return recorded;
	const { serverName, tool, idempotencyKey } = facts;
	return {
		kind: 'failed',
		facts: { ...facts, attempts: 0 },
		failure: {
			code: 'needs-reconciliation',
			disposition: 'in-doubt',
			...(failure.stage === undefined ? {} : { stage: failure.stage }),
			message: `An earlier attempt of "${tool}" may have happened, so it is not sent again: ${failure.message}`,
			remedy:
				idempotencyKey === undefined
					? 'Look up at the server whether it happened before the workflow runs again.'
					: `Look up at the server whether it happened. ${settleKey({ serverName, tool, value: idempotencyKey.slice(`${tool}:`.length) })}`,
			...(failure.evidence === undefined ? {} : { evidence: failure.evidence }),
		},
	};
}
