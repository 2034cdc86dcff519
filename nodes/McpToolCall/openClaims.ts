import type { IExecuteFunctions } from 'n8n-workflow';

import type { Claims } from '../../src/call/claims';
import type { ClaimStore } from '../../src/call/claimStore';
import { holdClaim, newClaimId, signOf } from '../../src/ledger/heartbeat';
import { hasEnded } from '../../src/n8n/hasEnded';

/**
 * Claims of keyed calls as this n8n makes them. Whether a holder is gone is decided by what is surest: of this process it is
 * what it holds; else n8n's own data, where that proves the run's end; else the silence of its heartbeat (K8, K9).
 */
export const openClaims = (context: IExecuteFunctions, store: ClaimStore): Claims => ({
	store,
	newClaimId,
	hold: (claimId) => holdClaim(store, claimId),
	isGone: async (claim) => {
		switch (signOf(claim)) {
			case 'at-work':
				return false;
			case 'gone':
				return true;
			case 'heard-lately':
				return await hasEnded(context, claim.holder);
		}
	},
	now: () => new Date(),
});
