import type { Result } from '../outcome/failure';
import { storePark } from '../park/storePark';
import type { FailedCall } from './attempts';
import type { Claims } from './claims';
import type { RecordedOutcome } from './claimStore';
import type { Meant } from './sendCall';

/**
 * Ends a claim with what its call came to (K5): what did not happen frees the key, what may have happened is in doubt, all
 * else is settled (K10). Gives a warning when the ledger did not take it: the call is not repeated all the same, for the
 * key stays taken.
 */
export async function recordOutcome(
	{ store, now }: Claims,
	claimId: string,
	came: Meant | FailedCall,
): Promise<string | undefined> {
	const at = now();
	const settle = (outcome: RecordedOutcome) => store.settle({ claimId, outcome, at });
	switch (came.kind) {
		case 'completed':
			return warning(await settle(came));
		case 'parked':
			return warning(
				await settle({
					kind: 'parked',
					park: storePark(came.park),
					parkedAt: at.toISOString(),
				}),
			);
		case 'failed':
			switch (came.failure.disposition) {
				case 'did-not-happen':
					return warning(await store.withdraw(claimId));
				case 'in-doubt':
					return warning(await store.doubt({ claimId, failure: came.failure, at }));
				case 'landed':
					return warning(await settle(came));
			}
	}
}

function warning(recorded: Result<boolean>): string | undefined {
	if (!recorded.ok) {
		return `What the call came to could not be recorded, so later calls with its key need reconciliation: ${recorded.failure.message}`;
	}
	return recorded.value
		? undefined
		: 'The key of this call was settled or released by somebody else before the call ended; what they said stands.';
}
