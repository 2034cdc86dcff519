import type { ClaimStore, StandingClaim } from './claimStore';

export type InFlight = Extract<StandingClaim, { readonly state: 'in-flight' }>;

/** What keyed calls need beside a session: the ledger, and who of those that claimed in it is still at work. */
export interface Claims {
	readonly store: Pick<ClaimStore, 'claim' | 'beat' | 'settle' | 'doubt' | 'withdraw'>;
	readonly newClaimId: () => string;
	/** Says in the ledger that the claim's holder is at work, until the given function is called. */
	readonly hold: (claimId: string) => () => void;
	/** True when the holder cannot be at work any more (K9). Never rejects. */
	readonly isGone: (claim: InFlight) => Promise<boolean>;
	readonly now: () => Date;
}
