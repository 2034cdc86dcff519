import type { Failure } from '../outcome/failure';
import type { Claims } from './claims';
import type { NewClaim } from './claimStore';
import { callInFlight, judgeStanding, needsReconciliation, type TakenKey } from './standingClaim';

export type Taking =
	| { readonly kind: 'claimed' }
	| TakenKey
	/** The ledger does not work. Nothing is sent; whether it has the claim is not known. */
	| { readonly kind: 'unknown'; readonly failure: Failure };

/**
 * Claims a key for a call, or says what stands in the way (K4, K6 to K9). A claim whose holder is gone becomes in doubt
 * here: crashes are found at the next use of the key. May be repeated with the same claim.
 */
export async function takeKey(claims: Claims, claim: Omit<NewClaim, 'claimedAt'>): Promise<Taking> {
	const { store } = claims;
	for (;;) {
		const claimed = await store.claim({ ...claim, claimedAt: claims.now() });
		if (!claimed.ok) return unknown(claimed.failure);
		if (claimed.value.kind === 'claimed') return { kind: 'claimed' };
		const { by } = claimed.value;
		if (by.state !== 'in-flight') return judgeStanding(by, claim.argumentsHash);
		if (!(await claims.isGone(by))) return { kind: 'refused', failure: callInFlight(by) };
		const doubted = await store.doubt({ claimId: by.claimId, at: claims.now() });
		if (!doubted.ok) return unknown(doubted.failure);
		if (doubted.value) return { kind: 'refused', failure: needsReconciliation(by) };
		// It has come to its end meanwhile: what stands there now decides.
	}
}

/** Before the call: whatever the ledger did, the tool did not run. */
const unknown = (failure: Failure): Taking => ({
	kind: 'unknown',
	failure: { ...failure, disposition: 'did-not-happen' },
});
