import { randomFor } from '../fuzz/random.ts';
import type { Random } from '../fuzz/random.ts';

export type Transport = 'http' | 'stdio';

/** What is called, and whether the operator named its key. */
export type Called = 'read' | 'idempotent' | 'keyed idempotent' | 'write' | 'keyed write';

export type Boundary =
	'before the send' | 'after the send' | 'after the effect' | 'after the answer';

/** How a call is cut. */
export type Cut =
	/** Nobody listens; over stdio the server ends before it has begun. */
	| { readonly kind: 'unreachable' }
	/** The server dies while it lists, or while it works, or when it has answered. */
	| { readonly kind: 'dies' }
	/** The server has forgotten the session when the call comes. */
	| { readonly kind: 'forgets' }
	| { readonly kind: 'closes' }
	| { readonly kind: 'hangs' }
	| { readonly kind: 'answers half' }
	| { readonly kind: 'error frame'; readonly code: number }
	| { readonly kind: 'status'; readonly status: number }
	/** n8n is killed with -9 and starts again. What the server does then: it goes on as if nothing were, or dies too. */
	| { readonly kind: 'kills n8n'; readonly server: 'goes on' | 'dies' };

export interface CutRun {
	/** Names the run, and the reference of its charge: unique in what one n8n and one ledger see. */
	readonly name: string;
	readonly seed: number;
	readonly number: number;
	readonly transport: Transport;
	readonly called: Called;
	readonly boundary: Boundary;
	readonly cut: Cut;
	/** How many attempts are cut before the server behaves. */
	readonly cutAttempts: number;
	/** How often n8n tries the node: 1 when Retry On Fail is off. */
	readonly tries: number;
	readonly onError: 'stopWorkflow' | 'continueRegularOutput';
}

/** Often enough that no retry ever outlives it. */
export const ALWAYS = 100;
/** Of all runs, those in which n8n is killed. */
const KILL_SHARE = 0.15;

/** The run with this number, which depends on the seed and the number alone. */
export function drawRun(seed: number, number: number): CutRun {
	const random = randomFor(seed, number);
	const transport = random.pick<Transport>(['http', 'stdio']);
	const called = random.pick([
		'read',
		'idempotent',
		'keyed idempotent',
		'write',
		'keyed write',
	] as const);
	const boundary = random.pick([
		'before the send',
		'after the send',
		'after the effect',
		'after the answer',
	] as const);
	const cut = drawCut(random, transport, boundary);
	return {
		name: `run-${String(seed)}-${String(number)}`,
		seed,
		number,
		transport,
		called,
		boundary,
		cut,
		cutAttempts: drawAttempts(random, cut),
		tries: random.chance(0.5) ? 1 : random.int(2, 5),
		onError: random.pick(['stopWorkflow', 'continueRegularOutput'] as const),
	};
}

function drawCut(random: Random, transport: Transport, boundary: Boundary): Cut {
	if (random.chance(KILL_SHARE)) {
		// Where n8n is gone, a server over stdio soon is too.
		const mayGoOn = transport === 'http' && boundary === 'after the send';
		return { kind: 'kills n8n', server: mayGoOn && random.chance(0.5) ? 'goes on' : 'dies' };
	}
	const http = transport === 'http';
	const cuts = random.shuffled(
		cutsAt(random, boundary).filter(({ kind }) => http || !ONLY_HTTP.includes(kind)),
	);
	const [cut] = cuts;
	if (cut === undefined) throw new Error(`There is no cut ${boundary}.`);
	return cut;
}

const ONLY_HTTP: readonly Cut['kind'][] = ['forgets', 'status'];

function cutsAt(random: Random, boundary: Boundary): readonly Cut[] {
	const breaks: readonly Cut[] = [{ kind: 'dies' }, { kind: 'closes' }, { kind: 'hangs' }];
	const inDoubt: readonly Cut[] = [
		...breaks,
		{ kind: 'error frame', code: random.pick([-32603, -32602, -32000]) },
		{ kind: 'status', status: random.pick([408, 409, 425, 500, 502, 503]) },
	];
	switch (boundary) {
		case 'before the send':
			return [{ kind: 'unreachable' }, { kind: 'dies' }, { kind: 'forgets' }];
		case 'after the send':
			return [
				...inDoubt,
				{ kind: 'error frame', code: random.pick([-32700, -32600, -32601]) },
				{ kind: 'status', status: random.pick([400, 401, 403, 429]) },
			];
		case 'after the effect':
			return [...inDoubt, { kind: 'answers half' }];
		case 'after the answer':
			return [{ kind: 'dies' }, { kind: 'closes' }];
	}
}

function drawAttempts(random: Random, cut: Cut): number {
	switch (cut.kind) {
		case 'kills n8n':
		case 'forgets':
			return 1;
		// Each costs the whole time limit.
		case 'hangs':
			return random.int(1, 2);
		case 'unreachable':
			return ALWAYS;
		default:
			return random.pick([1, 2, ALWAYS]);
	}
}

/** The run in one line. */
export const describeRun = (run: CutRun): string =>
	[
		run.called,
		`over ${run.transport}`,
		`${run.cut.kind}${detailOf(run.cut)} ${run.boundary}`,
		run.cutAttempts === ALWAYS ? 'every time' : `${String(run.cutAttempts)} times`,
		run.tries === 1 ? 'no Retry On Fail' : `${String(run.tries)} tries`,
		run.onError,
	].join(', ');

function detailOf(cut: Cut): string {
	switch (cut.kind) {
		case 'error frame':
			return ` ${String(cut.code)}`;
		case 'status':
			return ` ${String(cut.status)}`;
		case 'kills n8n':
			return ` and the server ${cut.server}`;
		default:
			return '';
	}
}
