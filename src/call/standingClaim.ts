import type { Failure } from '../outcome/failure';
import type { ClaimKey, Holder, StandingClaim } from './claimStore';

const LONGEST_KEY = 200;

export type SettledClaim = Extract<StandingClaim, { readonly state: 'settled' }>;

/** A key that somebody has: what a call with it comes to. Nothing is sent in any case. */
export type TakenKey =
	/** The outcome of the call that has the key stands for this one (K6). */
	| { readonly kind: 'copy'; readonly from: SettledClaim }
	| { readonly kind: 'refused'; readonly failure: Failure };

/** What a claim that is settled or in doubt means for a call with these arguments (K6, K7, K9). */
export function judgeStanding(
	claim: Exclude<StandingClaim, { readonly state: 'in-flight' }>,
	argumentsHash: string,
): TakenKey {
	switch (claim.state) {
		case 'settled':
			return claim.argumentsHash === argumentsHash
				? { kind: 'copy', from: claim }
				: { kind: 'refused', failure: keyCollision(claim) };
		case 'in-doubt':
			return { kind: 'refused', failure: needsReconciliation(claim) };
	}
}

export const callInFlight = ({ key, holder }: Named): Failure => ({
	code: 'call-in-flight',
	disposition: 'did-not-happen',
	message: `A call of "${key.tool}" with the key ${shown(key)} is under way in ${named(holder)}, so it is not sent a second time`,
	remedy: 'Run again when that execution is done: this call then copies what it gave.',
});

const keyCollision = ({ key, holder }: Named): Failure => ({
	code: 'key-collision',
	disposition: 'did-not-happen',
	message: `"${key.tool}" was called with the key ${shown(key)} and other arguments in ${named(holder)}`,
	remedy:
		'Give another key if this is another operation; or the same arguments, to get what that call gave.',
});

/** For a claim in doubt, and for one whose holder is gone. */
export const needsReconciliation = ({ key, holder }: Named): Failure => ({
	code: 'needs-reconciliation',
	disposition: 'in-doubt',
	message: `A call of "${key.tool}" with the key ${shown(key)} may have happened in ${named(holder)}, so it is not sent again`,
	remedy: `Look up at the server whether it happened. ${settleKey(key)}`,
});

/** What an operator does about a key in doubt (K9), with what the node asks for, by its fields and word for word. */
export const settleKey = ({ serverName, tool, value }: ClaimKey): string =>
	`Then settle the key with the node Salvor Call Ledger (Server Name "${serverName}", Tool "${tool}", ${
		value.length > LONGEST_KEY ? 'Key as the operation List gives it' : `Key "${value}"`
	}): Resolve records what the call gave, Release says that it did not happen.`;

interface Named {
	readonly key: ClaimKey;
	readonly holder: Holder;
}

const named = ({ executionId, nodeName, item }: Holder): string =>
	`execution ${executionId} (node "${nodeName}", item ${item})`;

const shown = ({ tool, value }: ClaimKey): string => {
	const key = `${tool}:${value}`;
	return JSON.stringify(key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key);
};
