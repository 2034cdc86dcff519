import { until } from '../../../scripts/host/until.ts';
import type { CutRun } from './drawRun.ts';
import type { HeldRun } from './killGroup.ts';
import type { Decide, ServerBoundary, ServerOrder } from './paymentsPeer.ts';

const GO: ServerOrder = { kind: 'go' };
const DIE: ServerOrder = { kind: 'die' };
const HOLD_TIMEOUT_MS = 60_000;

/** The test's side of one run's server: cuts it where the run says, and counts. */
export interface CutServer {
	readonly decide: Decide;
	/** How often it was cut. */
	readonly cuts: () => number;
	/** How many calls it has read. */
	readonly callsRead: () => number;
	/** How many questions it has asked. */
	readonly asked: () => number;
	/** From here on it is never cut. */
	readonly heal: () => void;
	/** Resolves when the server is held where n8n is to be killed; throws when it does not come there within a minute. */
	readonly held: () => Promise<HeldRun>;
	/** Gives the held server its last order; resolves when it has done what that leads to. */
	readonly letGo: () => Promise<void>;
}

export function cutServer(run: CutRun): CutServer {
	const asked: ServerBoundary[] = [];
	const waiting = new Map<ServerBoundary, (order: ServerOrder) => void>();
	let left = run.cutAttempts;
	let cuts = 0;
	const at = cutBoundary(run);
	const kills = run.cut.kind === 'kills n8n';
	const hold = async (boundary: ServerBoundary) =>
		await new Promise<ServerOrder>((give) => waiting.set(boundary, give));
	const reach = async (boundary: ServerBoundary) => {
		await until(
			() => (waiting.has(boundary) ? true : undefined),
			HOLD_TIMEOUT_MS,
			() => `The server did not come to "${boundary}", only to ${asked.join(', ')}`,
			20,
		);
	};
	return {
		decide: async (boundary) => {
			asked.push(boundary);
			// It answers only when the ledger is locked.
			if (left > 0 && kills && at === 'answered' && boundary === 'done') return await hold('done');
			if (left === 0 || boundary !== at) return GO;
			left--;
			cuts++;
			return kills ? await hold(boundary) : orderOf(run);
		},
		cuts: () => cuts,
		callsRead: () => asked.filter((boundary) => boundary === 'read').length,
		asked: () => asked.length,
		heal: () => (left = 0),
		held: async () => {
			if (at !== 'answered') {
				await reach(at);
				return {};
			}
			await reach('done');
			return {
				letAnswer: async () => {
					waiting.get('done')?.(GO);
					await reach('answered');
				},
			};
		},
		letGo: async () => {
			const goesOn = run.cut.kind === 'kills n8n' && run.cut.server === 'goes on';
			waiting.get(at)?.(goesOn ? GO : DIE);
			if (!goesOn) return;
			await until(
				() => (asked.includes('answered') ? true : undefined),
				HOLD_TIMEOUT_MS,
				() => 'The server did not go on',
				20,
			);
		},
	};
}

function cutBoundary({ boundary, cut }: CutRun): ServerBoundary {
	switch (boundary) {
		case 'before the send':
			return cut.kind === 'unreachable' ? 'start' : 'list';
		case 'after the send':
			return 'read';
		case 'after the effect':
			return 'done';
		case 'after the answer':
			return 'answered';
	}
}

function orderOf({ cut }: CutRun): ServerOrder {
	switch (cut.kind) {
		case 'unreachable':
		case 'dies':
			return DIE;
		case 'forgets':
			return { kind: 'forget' };
		case 'closes':
			return { kind: 'close' };
		case 'hangs':
			return { kind: 'hang' };
		case 'answers half':
			return { kind: 'half' };
		case 'error frame':
			return { kind: 'error', code: cut.code };
		case 'status':
			return { kind: 'status', status: cut.status };
		case 'kills n8n':
			return GO;
	}
}
