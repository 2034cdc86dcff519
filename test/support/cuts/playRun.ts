import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Execution, ExecutionStatus } from '../../../scripts/host/executionData.ts';
import { isJson } from '../../../scripts/host/json.ts';
import type { Json } from '../../../scripts/host/json.ts';
import type { N8nRest } from '../../../scripts/host/n8nRest.ts';
import { nodeProgram } from '../../../scripts/host/paths.ts';
import { until } from '../../../scripts/host/until.ts';
import { jsonCall } from '../calls.ts';
import { callLedgerType, items, manualTrigger, toolCall, workflow } from '../workflow.ts';
import { cutServer } from './cutServer.ts';
import type { CutServer } from './cutServer.ts';
import type { CutRun } from './drawRun.ts';
import type { KillGroup } from './killGroup.ts';
import {
	COLLISION,
	effectsAtKill,
	expectFirst,
	isKeyed,
	RECONCILE,
	standingAfter,
} from './oracle.ts';
import type { Came, Standing } from './oracle.ts';
import { chargeServerFile, startPaymentsFront } from './paymentsPeer.ts';
import type { PaymentsControl, PaymentsFront } from './paymentsPeer.ts';

/** Where runs are played. */
export interface CutBench {
	readonly rest: N8nRest;
	readonly control: PaymentsControl;
}

const SERVER_NAME = 'payments';
const AMOUNT = 7;
const RUN_TIMEOUT_MS = 120_000;
const POLL_MS = 150;
const ENDED: readonly ExecutionStatus[] = ['success', 'error', 'crashed', 'canceled'];
const RESOLVED = { says: 'the operator' };

/** One run with what it stands on. */
interface Play {
	readonly run: CutRun;
	readonly bench: CutBench;
	readonly server: CutServer;
	readonly front: PaymentsFront | undefined;
	/** Runs a workflow that calls the tool once; gives the execution's id. */
	readonly start: (amount?: number) => Promise<string>;
}

/**
 * Plays one run whole: the cut call, and what follows it under the same key. Throws when anything is unlike the oracle's
 * word, and when the cut was not brought about. `group` is needed by runs that kill n8n.
 */
export async function playRun(bench: CutBench, run: CutRun, group?: KillGroup): Promise<void> {
	const server = cutServer(run);
	bench.control.follow(run.name, server.decide);
	const environment = bench.control.environment(run.name);
	const front = run.transport === 'http' ? await startPaymentsFront(environment) : undefined;
	try {
		const start = await prepare(bench, run, front);
		const play: Play = { run, bench, server, front, start };
		if (run.cut.kind === 'kills n8n') await playKill(play, group);
		else await playCut(play);
	} finally {
		await front?.stop();
	}
}

async function playCut(play: Play): Promise<void> {
	const { run, server, front } = play;
	const refuses = run.cut.kind === 'unreachable' ? front : undefined;
	await refuses?.refuse();
	const expected = expectFirst(run);
	const id = await play.start();
	const { came } = await cameOf(play, id);
	same(came, expected.came, 'The cut call');
	equal(effects(play), expected.effects, 'Effects of the cut call');
	if (refuses !== undefined) equal(server.asked(), 0, 'What a server was asked that is not there');
	else await cutsAre(server, expected.cuts);
	server.heal();
	await refuses?.take();
	await follow(play, id, standingAfter(run, expected.came));
}

/** A server asks after its answer, when n8n may have gone on. */
async function cutsAre(server: CutServer, expected: number): Promise<void> {
	await until(
		() => (server.cuts() >= expected ? true : undefined),
		10_000,
		() => `The cut was brought about ${String(server.cuts())} times instead of ${String(expected)}`,
		20,
	);
	equal(server.cuts(), expected, 'Cuts');
}

async function playKill(play: Play, group: KillGroup | undefined): Promise<void> {
	const { run, server, bench } = play;
	if (group === undefined) throw new Error('There is nobody to kill n8n.');
	let id: string;
	let held;
	try {
		id = await play.start();
		held = await server.held();
	} catch (error) {
		group.leave();
		throw error;
	}
	await group.arrive(held);
	equal(server.cuts(), 1, 'The call was held where n8n was killed');
	const callsRead = server.callsRead();
	await server.letGo();
	server.heal();
	const { status } = await ended(bench.rest, id);
	// n8n may have stored the end of an execution whose call was answered, and which had no record to wait for.
	const mayHaveEnded = run.boundary === 'after the answer' && !isKeyed(run.called);
	ok(status === 'crashed' || mayHaveEnded, `The killed execution is ${status}`);
	equal(effects(play), effectsAtKill(run), 'Effects at the kill');
	equal(server.callsRead(), callsRead, 'Calls after the kill');
	await follow(play, id, standingAfter(run, 'killed'));
}

/** What executions after the cut one meet under its key; an unkeyed call leaves nothing behind. */
async function follow(play: Play, firstId: string, standing: Standing): Promise<void> {
	const { run } = play;
	if (isKeyed(run.called)) {
		switch (standing) {
			case 'settled':
				await copies(play, firstId, { reference: run.name, says: 'the server' });
				await collides(play);
				break;
			case 'free':
				await callsAfresh(play);
				break;
			case 'in doubt':
				await next(play, RECONCILE, 0, 'The next call with a key in doubt');
				await decide(play, firstId);
				break;
		}
	}
	const charges = play.bench.control.booked(run.name);
	if (run.called.endsWith('write')) ok(charges.length <= 1, 'More than one charge');
	if (run.called === 'read') equal(charges.length, 0, 'Charges of a read');
}

/** The operator looks into the books, and says what is true. */
async function decide(play: Play, firstId: string): Promise<void> {
	const before = effects(play);
	if (before > 0) {
		await operate(play, { operation: 'resolve', output: JSON.stringify(RESOLVED) });
		await copies(play, firstId, RESOLVED);
		await collides(play);
		equal(effects(play), before, 'Effects after Resolve');
	} else {
		await operate(play, { operation: 'release' });
		await callsAfresh(play);
	}
}

async function callsAfresh(play: Play): Promise<void> {
	const before = effects(play);
	const afresh = { kind: 'completed', attempts: 1 } as const;
	const id = await next(play, afresh, 1, 'The next call with a free key');
	equal(effects(play), before + 1, 'Effects of the next call with a free key');
	await copies(play, id, { reference: play.run.name, says: 'the server' });
}

async function collides(play: Play): Promise<void> {
	await next(play, COLLISION, 0, 'A call with the same key and other arguments', AMOUNT + 1);
}

/** The outcome of an earlier execution is copied, and nothing is sent (K6). */
async function copies(play: Play, from: string, output: Json): Promise<void> {
	const read = play.server.callsRead();
	const { item } = await cameOf(play, await play.start());
	const call = isJson(item?.call) ? item.call : {};
	deepEqual(item?.output, output, 'The copied output');
	equal(call.outcome, 'deduplicated', 'The outcome of a call with a settled key');
	equal(call.deduplicatedFrom, from, 'Where it was copied from');
	equal(play.server.callsRead(), read, 'Calls sent for a copy');
}

async function next(
	play: Play,
	expected: Came,
	sent: number,
	what: string,
	amount?: number,
): Promise<string> {
	const read = play.server.callsRead();
	const id = await play.start(amount);
	same((await cameOf(play, id)).came, expected, what);
	equal(play.server.callsRead() - read, sent, `${what}: calls sent`);
	return id;
}

const effects = ({ bench, run }: Play): number => bench.control.booked(run.name).length;

function same(came: Came, expected: Came, what: string): void {
	// n8n's own error holds no number of attempts, and not every failure has one.
	const { attempts, ...rest } = expected;
	deepEqual(
		came.attempts === undefined || attempts === undefined ? { ...came, attempts: undefined } : came,
		{ ...rest, attempts: came.attempts === undefined ? undefined : attempts },
		what,
	);
}

/** What the call of an execution came to, by its item or by the error that ended it. */
async function cameOf(
	{ bench }: Play,
	id: string,
): Promise<{ readonly came: Came; readonly item?: Json }> {
	const execution = await ended(bench.rest, id);
	const item = execution.runData.Call?.at(-1)?.outputs[0]?.[0]?.json;
	const failed = isJson(item?.error) ? item.error : contextOf(execution);
	if (failed !== undefined) {
		const { attempts } = failed;
		return {
			came: {
				kind: 'failed',
				code: String(failed.code),
				disposition: failed.disposition as 'in-doubt',
				...(typeof attempts === 'number' ? { attempts } : {}),
			},
		};
	}
	if (item === undefined || !isJson(item.call)) {
		throw new Error(
			`Execution ${id} is ${execution.status} and has no item: ${String(execution.error?.message)}`,
		);
	}
	return { came: { kind: 'completed', attempts: Number(item.call.attempts) }, item };
}

function contextOf({ error }: Execution): Json | undefined {
	const context = error?.raw.context;
	return isJson(context) && 'disposition' in context ? context : undefined;
}

async function ended(rest: N8nRest, id: string): Promise<Execution> {
	return await until(
		async () => {
			const execution = await rest.execution(id);
			return ENDED.includes(execution.status) ? execution : undefined;
		},
		RUN_TIMEOUT_MS,
		() => `Execution ${id} does not end`,
		POLL_MS,
	);
}

/** What the operator does, by the node Call Ledger. */
async function operate({ bench, run }: Play, parameters: Json): Promise<void> {
	const decision = { decidedBy: 'ops@example.com', reason: 'It stands so in the books' };
	const key = { serverName: SERVER_NAME, tool: toolOf(run), key: run.name };
	const { id } = await bench.rest.createWorkflow(
		workflow([
			manualTrigger(),
			{
				name: 'Ledger',
				type: callLedgerType,
				parameters: { ...parameters, ...key, ...decision },
			},
		]),
	);
	const done = await ended(bench.rest, await bench.rest.runManually(id));
	equal(done.status, 'success', `The operator's decision: ${String(done.error?.message)}`);
}

const toolOf = ({ called }: CutRun): string =>
	called === 'read' ? 'get_charge' : called.endsWith('write') ? 'charge' : 'put_charge';

async function prepare(
	{ rest, control }: CutBench,
	run: CutRun,
	front: PaymentsFront | undefined,
): Promise<Play['start']> {
	const name = toolOf(run);
	const policy = { name, effect: 'server', access: 'allowed', idempotencyKey: 'reference' };
	const credential = await rest.createCredential({
		name: run.name,
		type: 'mcpConnectionApi',
		data: {
			serverName: SERVER_NAME,
			...(front === undefined
				? {
						transport: 'stdio',
						command: nodeProgram,
						arguments: { argument: [chargeServerFile, 'stdio'].map((value) => ({ value })) },
						environment: {
							variable: Object.entries(control.environment(run.name)).map(([key, value]) => ({
								name: key,
								value,
							})),
						},
					}
				: { transport: 'streamableHttp', endpoint: front.endpoint }),
			...(run.cut.kind === 'hangs' ? { requestTimeout: 4 } : {}),
			...(isKeyed(run.called) ? { toolPolicies: { tool: [policy] } } : {}),
		},
	});
	const workflows = new Map<number, string>();
	const store = async (amount: number) => {
		const { id } = await rest.createWorkflow(
			workflow([
				manualTrigger(),
				items([{}]),
				toolCall(credential, jsonCall(name, { reference: run.name, amount }), {
					onError: run.onError,
					...(run.tries > 1
						? { retryOnFail: true, maxTries: run.tries, waitBetweenTries: 10 }
						: {}),
				}),
			]),
		);
		workflows.set(amount, id);
		return id;
	};
	return async (amount = AMOUNT) =>
		await rest.runManually(workflows.get(amount) ?? (await store(amount)));
}
