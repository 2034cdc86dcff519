import type { Failure, Result } from '../outcome/failure';
import type { StoredPark } from '../park/parkedBatch';
import type { ToolResult } from './session';

/** What identifies an operation over all executions that share a ledger (K3). */
export interface ClaimKey {
	/** The operator's name for the server, or its own. */
	readonly serverName: string;
	/** The server's own name of the tool, byte for byte (E7). */
	readonly tool: string;
	/** The value of the argument that the operator named (K2). */
	readonly value: string;
}

/** Who makes a call. */
export interface Holder {
	/** The n8n that the execution belongs to: those that share a ledger count their executions alike. */
	readonly instanceId: string;
	readonly workflowId: string;
	readonly executionId: string;
	readonly nodeName: string;
	readonly runIndex: number;
	readonly item: number;
}

export interface NewClaim {
	/** Unique over every n8n that shares the ledger; names this claim from here on. */
	readonly claimId: string;
	readonly key: ClaimKey;
	/** SHA-256 of the canonical JSON of the whole arguments, in hex (K4). */
	readonly argumentsHash: string;
	readonly holder: Holder;
	readonly claimedAt: Date;
}

/** What a claimed call came to, copied for later calls with equal arguments (K6). */
export type RecordedOutcome =
	| { readonly kind: 'completed'; readonly result: ToolResult }
	/** A landed failure: the call ran, and it is as little repeated as one that went well (K10). */
	| { readonly kind: 'failed'; readonly failure: Failure; readonly result?: ToolResult }
	| { readonly kind: 'parked'; readonly park: StoredPark; readonly parkedAt: string };

/** What an operator did with a claim in doubt, and why (K9). */
export interface OperatorDecision {
	readonly who: string;
	readonly at: Date;
	readonly why: string;
}

interface Standing extends NewClaim {
	/** When the holder last said that it is at work, or settled it. */
	readonly changedAt: Date;
}

/** A claim as it stands. */
export type StandingClaim =
	| (Standing & { readonly state: 'in-flight' })
	/** The call may have happened, or its holder is gone; `failure` says why, where a call failed. */
	| (Standing & { readonly state: 'in-doubt'; readonly failure?: Failure })
	| (Standing & {
			readonly state: 'settled';
			readonly outcome: RecordedOutcome;
			/** The answer that the park got, if it has one. */
			readonly answer?: { readonly value: unknown; readonly answeredAt: Date };
			/** Present when an operator resolved it. */
			readonly resolvedBy?: OperatorDecision;
	  });

export type Claiming =
	| { readonly kind: 'claimed' }
	/** Somebody has the key already. */
	| { readonly kind: 'taken'; readonly by: StandingClaim };

/**
 * Claims of keyed calls, kept durably for every process that shares the ledger (K4, K12). Every function resolves;
 * a ledger that does not work is a failure `ledger-unavailable`. The functions that give a boolean say false, and change
 * nothing, when the claim is not there or not in the state that they need.
 */
export interface ClaimStore {
	/** Takes the key in one statement if nobody has it (K4): of any number of callers, over all processes, one gets
	 * it. To claim again with the same id gives `claimed` again: so a claim whose fate is in doubt can be asked for. */
	readonly claim: (claim: NewClaim) => Promise<Result<Claiming>>;
	/** Says that the holders of these claims are at work; gives how many of them are in flight still. */
	readonly beat: (claims: {
		readonly claimIds: readonly string[];
		readonly at: Date;
	}) => Promise<Result<number>>;
	/** Settles a claim that is in flight or in doubt, with its outcome, in one step (K5). */
	readonly settle: (settling: {
		readonly claimId: string;
		readonly outcome: RecordedOutcome;
		readonly at: Date;
	}) => Promise<Result<boolean>>;
	/**
	 * A claim in flight becomes in doubt: its call may have happened, or its holder is gone (K9, K10). One that is in doubt
	 * without a failure, because its holder was taken for gone, gets the failure that is given.
	 */
	readonly doubt: (doubting: {
		readonly claimId: string;
		readonly failure?: Failure;
		readonly at: Date;
	}) => Promise<Result<boolean>>;
	/** Frees the key of a claim in flight, or whose holder was taken for gone, when the call did not happen (K10). */
	readonly withdraw: (claimId: string) => Promise<Result<boolean>>;
	/** An operator records what a call in doubt gave; later calls copy it (K9). Keeps who, when and why. */
	readonly resolve: (resolving: {
		readonly claimId: string;
		readonly output: ToolResult;
		readonly decision: OperatorDecision;
	}) => Promise<Result<boolean>>;
	/** An operator says that a call in doubt did not happen: the key is free (K9). Keeps who, when and why. */
	readonly release: (releasing: {
		readonly claimId: string;
		readonly decision: OperatorDecision;
	}) => Promise<Result<boolean>>;
	readonly readClaim: (key: ClaimKey) => Promise<Result<StandingClaim | undefined>>;
	/** The claims in one of these states, the oldest change first. */
	readonly listClaims: (asked: {
		readonly states: readonly StandingClaim['state'][];
		readonly limit: number;
	}) => Promise<Result<readonly StandingClaim[]>>;
	/** Releases that operators made, the latest first: what became of claims that are no more. */
	readonly listReleases: (asked: {
		readonly limit: number;
	}) => Promise<
		Result<readonly { readonly claim: StandingClaim; readonly releasedBy: OperatorDecision }[]>
	>;
	/**
	 * Forgets settled claims and releases that are as old; gives how many. Never one in flight or in doubt. `parked` says
	 * what becomes of those whose call parked and has no answer.
	 */
	readonly purgeClaims: (limit: {
		readonly before: Date;
		readonly parked: 'keep' | 'forget';
	}) => Promise<Result<number>>;
}
