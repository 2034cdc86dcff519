/**
 * What a cut call must come to, from the tables of the specification alone (failures: the codes, Retry by effect; policy:
 * K5 to K10, J1, J2). Knows nothing of the product's code. A server that came back after its death knows no session of
 * before; that costs no attempt, for a connection that broke is asked for a sign of life before it is used again (C9).
 */
import type { Called, Cut, CutRun } from './drawRun.ts';

export type Disposition = 'did-not-happen' | 'in-doubt' | 'landed';

/** What an execution's call came to. */
export type Came =
	| { readonly kind: 'completed'; readonly attempts: number }
	| {
			readonly kind: 'failed';
			readonly code: string;
			readonly disposition: Disposition;
			/** Absent where the specification does not count: before a call, and where nothing was tried. */
			readonly attempts?: number;
	  };

export interface Expected {
	readonly came: Came;
	/** How often the tool did its work, by the books. */
	readonly effects: number;
	/** How often a server was cut. */
	readonly cuts: number;
}

interface CutRow {
	readonly code: string;
	readonly disposition: Disposition;
	readonly transient: boolean;
	/** True when it hinders the opening of the connection, before there is a call. */
	readonly opening?: true;
}

const MAX_ATTEMPTS = 3;

/** The first execution of a run in which n8n lives. */
export function expectFirst(run: CutRun): Expected {
	if (run.boundary === 'after the answer') {
		const effects = run.called === 'read' ? 0 : 1;
		return { came: { kind: 'completed', attempts: 1 }, effects, cuts: 1 };
	}
	const row = rowOf(run);
	const seen = { left: run.cutAttempts, effects: 0, cuts: 0 };
	let came: Came = { kind: 'completed', attempts: 0 };
	for (let tried = 1; tried <= run.tries; tried++) {
		came = row.opening === true ? openAndCall(run, row, seen) : call(run, row, seen);
		if (came.kind === 'completed') break;
		// J2: what did not happen, or a failed read, may be sent again; J1: nothing else.
		if (came.disposition === 'did-not-happen' || run.called === 'read') continue;
		if (tried < run.tries) came = RECONCILE;
		break;
	}
	return { came, effects: seen.effects, cuts: seen.cuts };
}

/** K9, J2. */
export const RECONCILE: Came = {
	kind: 'failed',
	code: 'needs-reconciliation',
	disposition: 'in-doubt',
};

/** K7. */
export const COLLISION: Came = {
	kind: 'failed',
	code: 'key-collision',
	disposition: 'did-not-happen',
};

export const isKeyed = (called: Called): boolean =>
	called === 'keyed write' || called === 'keyed idempotent';

interface Seen {
	left: number;
	effects: number;
	cuts: number;
}

function openAndCall(run: CutRun, row: CutRow, seen: Seen): Came {
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
		if (seen.left === 0) return call(run, row, seen);
		seen.left--;
		seen.cuts++;
		if (!row.transient) break;
	}
	const { code, disposition } = row;
	return { kind: 'failed', code, disposition };
}

function call(run: CutRun, row: CutRow, seen: Seen): Came {
	const failed: { readonly code: string; readonly disposition: Disposition }[] = [];
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
		if (seen.left === 0) {
			if (run.called !== 'read') seen.effects++;
			return { kind: 'completed', attempts: attempt };
		}
		seen.left--;
		seen.cuts++;
		if (run.boundary === 'after the effect' && run.called !== 'read') seen.effects++;
		failed.push(row);
		if (!row.transient) break;
		if (row.disposition === 'in-doubt' && !mayRepeat(run.called)) break;
	}
	const reported = failed.findLast(({ disposition }) => disposition === 'in-doubt') ?? row;
	const { code, disposition } = reported;
	return { kind: 'failed', code, disposition, attempts: failed.length };
}

/** Retry by effect: what is in doubt is sent again by a read, and by an idempotent call with its key. */
const mayRepeat = (called: Called): boolean => called === 'read' || called === 'keyed idempotent';

function rowOf({ boundary, cut, transport }: CutRun): CutRow {
	const declined = (code: string, transient: boolean): CutRow => ({
		code,
		disposition: 'did-not-happen',
		transient,
	});
	const inDoubt = (code: string): CutRow => ({ code, disposition: 'in-doubt', transient: true });
	switch (cut.kind) {
		case 'unreachable':
			return transport === 'http'
				? { ...declined('unreachable', true), opening: true }
				: { ...declined('spawn-failed', false), opening: true };
		case 'dies':
		case 'closes':
			// While the server lists, the call was not sent.
			return boundary === 'before the send'
				? { ...declined('connection-lost', true), opening: true }
				: inDoubt('connection-lost');
		case 'forgets':
			return declined('session-lost', true);
		case 'hangs':
			return inDoubt('timed-out');
		case 'answers half':
			return inDoubt('connection-lost');
		case 'error frame':
			return DECLINING_FRAMES.includes(cut.code)
				? declined('rpc-refused', false)
				: inDoubt('rpc-error');
		case 'status':
			return byStatus(cut.status);
		case 'kills n8n':
			throw new Error('Nobody reports of an execution that was killed.');
	}
	function byStatus(status: number): CutRow {
		if (status === 401 || status === 403) return declined('unauthorized', false);
		if (status === 429) return declined('rate-limited', true);
		return UNDECIDED_STATUS.includes(status) || status >= 500
			? inDoubt('connection-lost')
			: declined('http-refused', false);
	}
}

const DECLINING_FRAMES = [-32700, -32600, -32601];
const UNDECIDED_STATUS = [408, 409, 425];

/** What stands in the books when n8n was killed and the server has done what it does then. */
export function effectsAtKill({ called, boundary, cut }: CutRun & { readonly cut: Cut }): number {
	if (called === 'read' || boundary === 'before the send') return 0;
	const goesOn = cut.kind === 'kills n8n' && cut.server === 'goes on';
	return boundary === 'after the send' && !goesOn ? 0 : 1;
}

/** What the next execution with the same key meets (K5 to K10). */
export type Standing = 'free' | 'settled' | 'in doubt';

export function standingAfter(run: CutRun, came: Came | 'killed'): Standing {
	if (came === 'killed') return run.boundary === 'before the send' ? 'free' : 'in doubt';
	if (came.kind === 'completed') return 'settled';
	switch (came.disposition) {
		case 'did-not-happen':
			return 'free';
		case 'in-doubt':
			return 'in doubt';
		case 'landed':
			return 'settled';
	}
}
