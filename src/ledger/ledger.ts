import type { ClaimStore } from '../call/claimStore';
import type { Result } from '../outcome/failure';

/** The items of one parked run that wait for an answer. */
export interface OpeningBatch {
	/** Unique over every n8n that shares the ledger. */
	readonly batchId: string;
	/** The n8n that the execution belongs to: those that share a ledger count their executions alike. */
	readonly instanceId: string;
	readonly executionId: string;
	readonly workflowId: string;
	readonly nodeName: string;
	readonly parkedAt: Date;
	/** Now. */
	readonly openedAt: Date;
	/** Indexes of the input items that are to be answered. */
	readonly items: readonly number[];
	/** The claims whose calls these items wait for: they get the answers too (K6). */
	readonly claims?: readonly { readonly item: number; readonly claimId: string }[];
}

export interface NewAnswer {
	readonly batchId: string;
	readonly item: number;
	/** Any JSON value; it comes back verbatim (P22). */
	readonly answer: unknown;
	readonly answeredAt: Date;
}

export type Recording =
	/** This answer stands; `remaining` items of the batch have none yet. One caller ever gets 0 (R10). */
	| { readonly kind: 'recorded'; readonly remaining: number }
	/** An earlier answer stands (R6). */
	| { readonly kind: 'answered-before'; readonly answeredAt: Date; readonly remaining: number }
	/** The batch takes no more answers, and this item has none. */
	| { readonly kind: 'closed'; readonly closedAt: Date }
	/** The ledger has no such batch or no such item in it. */
	| { readonly kind: 'unknown' };

export interface RecordedAnswer {
	readonly item: number;
	readonly answer: unknown;
	readonly answeredAt: Date;
}

export type BatchReading =
	/** Both lists in the order of the items. */
	| {
			readonly kind: 'batch';
			readonly answers: readonly RecordedAnswer[];
			readonly unanswered: readonly number[];
			/** When the batch was closed; absent while it takes answers. */
			readonly closedAt?: Date;
	  }
	| { readonly kind: 'unknown' };

/** A batch whose execution may be gone. */
export interface DueCheck {
	readonly batchId: string;
	readonly executionId: string;
}

export interface WaitingBatch {
	readonly batchId: string;
	/** The n8n that the execution belongs to; empty for a batch that an earlier version opened. */
	readonly instanceId: string;
	readonly executionId: string;
	readonly workflowId: string;
	readonly nodeName: string;
	readonly parkedAt: Date;
	/** How many items the batch has. */
	readonly items: number;
	/** How many of them have no answer. */
	readonly remaining: number;
}

/** Tools of a server as they were seen once (G4); the texts are the caller's. */
export interface RememberedTools {
	readonly tools: readonly { readonly name: string; readonly text: string }[];
	readonly at: Date;
}

export interface ToolMemory {
	/** Remembers the tools of a server in place of those remembered before. */
	readonly rememberTools: (
		tools: RememberedTools & { readonly serverName: string },
	) => Promise<Result<void>>;
	readonly recallTools: (serverName: string) => Promise<Result<RememberedTools | undefined>>;
}

/**
 * Answers of parked items, claims of keyed calls (K4, K12) and remembered tools, kept durably for every process that shares the ledger (P24).
 * Every function resolves; a ledger that does not work is a failure `ledger-unavailable`.
 */
export interface Ledger extends ClaimStore, ToolMemory {
	/** Registers a batch before its wait begins; a batch that is there already keeps its items, and learns the claims. */
	readonly openBatch: (batch: OpeningBatch) => Promise<Result<'opened' | 'opened-before'>>;
	/** Records an answer if the item has none: the first one wins, over all processes (R6, R10). */
	readonly recordAnswer: (answer: NewAnswer) => Promise<Result<Recording>>;
	readonly readAnswers: (batchId: string) => Promise<Result<BatchReading>>;
	/**
	 * Ends the taking of answers and gives those that were recorded: an answer is in this reading, or
	 * it is told that the batch is closed. A second close gives the same, with the first instant (P26).
	 */
	readonly closeBatch: (closing: {
		readonly batchId: string;
		readonly closedAt: Date;
	}) => Promise<Result<BatchReading>>;
	/**
	 * True for one caller in each `leaseMs`: that one resumes the execution with the recorded answers.
	 * Whether all are there is the caller's to know. False for an unknown batch.
	 */
	readonly claimResume: (claim: {
		readonly batchId: string;
		readonly now: Date;
		readonly leaseMs: number;
	}) => Promise<Result<boolean>>;
	/**
	 * Batches that take answers and have an item without one, the longest parked first: all of them, those of one n8n,
	 * or those under one execution's number, which every n8n gives out for itself.
	 */
	readonly listWaiting: (asked: {
		readonly instanceId?: string;
		readonly executionId?: string;
		readonly limit: number;
	}) => Promise<Result<readonly WaitingBatch[]>>;
	/**
	 * Batches of an n8n whose executions are to be looked for, the longest due first. A batch is due
	 * an hour after it was opened, and again when as much time has gone by as since it was parked, an
	 * hour at least; one that an earlier version opened never is.
	 */
	readonly takeChecks: (asked: {
		readonly instanceId: string;
		readonly now: Date;
		readonly limit: number;
	}) => Promise<Result<readonly DueCheck[]>>;
	/** Forgets a batch with its answers; false when there is none. */
	readonly forget: (batchId: string) => Promise<Result<boolean>>;
	/** Forgets batches that were parked, and last answered, before an instant; gives how many. */
	readonly purge: (limit: { readonly before: Date }) => Promise<Result<number>>;
	/** Ends the connection. Nothing is lost by not calling it. */
	readonly close: () => Promise<void>;
}
