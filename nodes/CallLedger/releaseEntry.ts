import type { OperatorDecision, StandingClaim } from '../../src/call/claimStore';
import type { PlainObject } from '../../src/json/plainObject';
import { claimEntry } from './claimEntry';

/** A call that an operator released, as an item: how it stood in doubt, and who released it, when and why (K9). */
export const releaseEntry = (claim: StandingClaim, by: OperatorDecision): PlainObject => ({
	...claimEntry(claim),
	state: 'released',
	decision: { ...by, at: by.at.toISOString() },
});
