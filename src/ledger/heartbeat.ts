import { randomUUID } from 'node:crypto';

import { BEAT_EVERY_MS, isAbandoned } from '../call/claimHeartbeat';
import type { ClaimStore } from '../call/claimStore';

/** Names this process in the ids of its claims, so that it knows them as its own. */
const PROCESS = randomUUID();

/** What this process has in flight, by ledger. */
const held = new Map<Beating, Set<string>>();
let timer: NodeJS.Timeout | undefined;

type Beating = Pick<ClaimStore, 'beat'>;

/** The id of a claim of this process. */
export const newClaimId = (): string => `${PROCESS}.${randomUUID()}`;

/**
 * Says in the ledger every ten seconds that a claim's holder is at work, until the given function is called (K9). One timer
 * serves all claims, runs while there are any, and keeps no process alive. A beat that fails is made up for by the next.
 */
export function holdClaim(store: Beating, claimId: string): () => void {
	const claims = held.get(store) ?? new Set();
	held.set(store, claims.add(claimId));
	timer ??= setInterval(beatAll, BEAT_EVERY_MS).unref();
	return () => {
		claims.delete(claimId);
		if (claims.size === 0) held.delete(store);
		if (held.size > 0) return;
		clearInterval(timer);
		timer = undefined;
	};
}

function beatAll(): void {
	for (const [store, claims] of held) void store.beat({ claimIds: [...claims], at: new Date() });
}

/** How sure it is that a claim's holder is at work. */
export type Sign =
	/** This process holds it. */
	| 'at-work'
	/** This process held it once, or another one has missed many beats. */
	| 'gone'
	/** Another process has said so not long ago. */
	| 'heard-lately';

/** What this process and the ledger know of the holder of a claim that is in flight (K8, K9). */
export function signOf(claim: { readonly claimId: string; readonly changedAt: Date }): Sign {
	if (claim.claimId.startsWith(`${PROCESS}.`)) {
		return [...held.values()].some((claims) => claims.has(claim.claimId)) ? 'at-work' : 'gone';
	}
	return isAbandoned(claim.changedAt, new Date()) ? 'gone' : 'heard-lately';
}
