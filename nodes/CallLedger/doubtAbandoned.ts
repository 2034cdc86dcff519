import type { ClaimStore } from '../../src/call/claimStore';
import { signOf } from '../../src/ledger/heartbeat';
import { type Result, succeed } from '../../src/outcome/failure';

const AT_ONCE = 1_000;

/** Puts in doubt what an execution left in flight: its process is gone, and nobody can say what the call did (K9).
 * What this process holds is at work, however long the ledger has not heard of it (K8). */
export async function doubtAbandoned(
	ledger: Pick<ClaimStore, 'listClaims' | 'doubt'>,
	now: Date,
): Promise<Result<undefined>> {
	const inFlight = await ledger.listClaims({ states: ['in-flight'], limit: AT_ONCE });
	if (!inFlight.ok) return inFlight;
	for (const claim of inFlight.value) {
		if (signOf(claim) !== 'gone') continue;
		const doubted = await ledger.doubt({ claimId: claim.claimId, at: now });
		if (!doubted.ok) return doubted;
	}
	return succeed(undefined);
}
