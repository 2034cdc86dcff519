import { canonicalJson } from '../json/canonicalJson';
import type { Failure } from '../outcome/failure';
import { type Attempt, type FailedCall, inAttempts } from './attempts';
import type { CallOutcome } from './callOutcome';
import type { CallingContext } from './callTool';
import type { CheckedCall } from './checkCall';
import type { ClaimKey, Holder } from './claimStore';
import { copyOutcome } from './copyOutcome';
import { recordOutcome } from './recordOutcome';
import { type Meant, sendCall } from './sendCall';
import { settleKey, type SettledClaim } from './standingClaim';
import { takeKey, type Taking } from './takeKey';

type Made = Meant | { readonly kind: 'copied'; readonly from: SettledClaim };

/**
 * Makes a call at most once for its key: claims the key, calls, and settles the claim with the outcome; or copies what an
 * earlier call with equal arguments came to (K4 to K10). The claim is kept over all attempts, and each but the first asks
 * whether it stands: the wait before it may have been long, and others may have taken this process for gone (K9). Nothing is
 * sent where the ledger cannot claim. Never rejects.
 */
export async function callOnce(
	context: CallingContext,
	call: CheckedCall,
	key: ClaimKey,
	holderOf: () => Holder,
): Promise<CallOutcome> {
	const { sha256, claims, retrying, signal } = context;
	const claimId = claims.newClaimId();
	const holder = holderOf();
	const argumentsHash = sha256(canonicalJson(call.arguments));
	const taken: { last?: Taking['kind'] | undefined; sent: boolean; inDoubt: boolean } = {
		sent: false,
		inDoubt: false,
	};
	const attempt = async (
		until: AbortSignal | undefined,
		number: number,
	): Promise<Attempt<Made>> => {
		if (taken.last === 'claimed' && taken.sent) {
			const standing = await claims.store.beat({ claimIds: [claimId], at: claims.now() });
			if (!standing.ok) return { kind: 'failed', failure: unsent(standing.failure) };
			if (standing.value === 0) {
				// Taken for gone while it waited; what did not happen keeps no key (K10).
				if (!taken.inDoubt) await claims.store.withdraw(claimId);
				taken.last = undefined;
			}
		}
		if (taken.last !== 'claimed') {
			const taking = await takeKey(claims, { claimId, key, argumentsHash, holder });
			taken.last = taking.kind;
			switch (taking.kind) {
				case 'copy':
					return { kind: 'ended', value: { ...taking, kind: 'copied' }, untried: true };
				case 'refused':
				case 'unknown':
					return { kind: 'failed', failure: taking.failure };
				case 'claimed':
			}
		}
		taken.sent = true;
		const tried = await sendCall(context, call, number, until);
		taken.inDoubt ||= tried.kind === 'failed' && tried.failure.disposition === 'in-doubt';
		return tried;
	};
	const letGo = claims.hold(claimId);
	try {
		const { effect } = call.facts.decided;
		const tried = await inAttempts({ retrying, signal, effect, keyed: true }, attempt);
		const facts = { ...call.facts, ...tried.record };
		const came = tried.kind === 'ended' ? tried.value : failedCall(tried);
		if (came.kind === 'copied') return copyOutcome(came.from, facts);
		if (came.kind === 'failed' && taken.last !== 'claimed') {
			// A claim that the ledger took without saying so would keep the key from everybody.
			if (taken.last === 'unknown' && !taken.inDoubt) await claims.store.withdraw(claimId);
			return { ...came, facts };
		}
		const problem = await recordOutcome(claims, claimId, came);
		return {
			...explained(came, key),
			...(came.kind === 'parked' ? { claimId } : {}),
			facts: problem === undefined ? facts : { ...facts, warnings: [...facts.warnings, problem] },
		};
	} finally {
		letGo();
	}
}

/** Before an attempt: whatever the ledger did, the tool did not run. */
const unsent = (failure: Failure): Failure => ({ ...failure, disposition: 'did-not-happen' });

const failedCall = ({ failure, result }: Omit<FailedCall, 'kind'>): FailedCall => ({
	kind: 'failed',
	failure,
	...(result === undefined ? {} : { result }),
});

/** A call in doubt keeps its key from everybody until an operator has settled it, so it says how. */
function explained(came: Meant | FailedCall, key: ClaimKey): Meant | FailedCall {
	if (came.kind !== 'failed' || came.failure.disposition !== 'in-doubt') return came;
	const { failure } = came;
	const remedy = [failure.remedy, settleKey(key)].filter((text) => text !== undefined).join(' ');
	return { ...came, failure: { ...failure, remedy } };
}
