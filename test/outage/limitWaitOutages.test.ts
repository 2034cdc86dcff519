import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Execution } from '../../scripts/host/executionData';
import { freePort } from '../../scripts/host/freePort';
import type { Json } from '../../scripts/host/json';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { N8nInstance } from '../../scripts/host/n8nInstance';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { CredentialReference, N8nRest } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { httpConnection, jsonOf, postAnswer, runUntil } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import { limitedCall, limitOf } from '../support/limitedRuns';
import { lookBack, lookedBack, manyItems, outcomesOf } from '../support/manyParks';
import { answers, parkOf, sendsPark, shownUrl, suspends } from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { shiftedClock, type ShiftedClock } from '../support/shiftedClock';

/** An n8n of this file's own, on one folder through all its lives, with a clock and a ledger that can be spoilt. */
let folder: string;
let ledgerFile: string;
let clock: ShiftedClock;
let port: number;
let n8n: N8nInstance;
let rest: N8nRest;
let parkServer: ParkServer;
let credential: CredentialReference;
/** Every line that n8n has printed. */
const printed: string[] = [];

async function start(): Promise<void> {
	n8n = await startN8n({
		userFolder: folder,
		port,
		extension: 'package',
		env: {
			SALVOR_LEDGER: `sqlite:${ledgerFile}`,
			...clock.env,
			N8N_LOG_LEVEL: 'debug',
		},
		log: (line) => printed.push(line),
	});
}

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-limits-'));
	ledgerFile = path.join(folder, 'ledger.sqlite');
	clock = await shiftedClock(folder);
	port = await freePort();
	parkServer = await startParkServer();
	await start();
	await n8n.rest.signIn(hostOwner);
	rest = n8nRest(n8n.baseUrl, n8n.rest.cookie());
	credential = await httpConnection(rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await n8n.kill();
	await parkServer.stop();
	await rm(folder, { recursive: true, force: true });
});

const HOUR_MS = 3_600_000;
const sent = (calls: readonly RelayCall[]) => calls.map(({ tag }) => parkServer.calls(tag).length);
const callsOfThree = () => [suspends('First'), answers('said 1'), suspends('Last')];

async function park(calls: readonly RelayCall[], limit: Json): Promise<Execution> {
	const spec = manyItems(calls, [limitedCall(credential, limit), lookBack()]);
	return await runUntil(rest, spec, ['waiting']);
}

/** Resolves when n8n's timer has ended a wait of the execution since a line that it had printed. */
async function timerEnds(id: string, since: number): Promise<void> {
	await until(
		() =>
			printed.slice(since).some((line) => line.includes(`Resuming execution ${id}`))
				? true
				: undefined,
		150_000,
		() => `No timer ended a wait of execution ${id}`,
	);
}

/** The two answered or done and the one that nobody answered, each once. */
async function expectOneExpired(parked: Execution, calls: readonly RelayCall[]): Promise<void> {
	const done = await rest.waitForExecution(parked.id, ['success'], 150_000);
	expect(outcomesOf(done)).toEqual(['resumed', 'completed', 'expired']);
	expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', null]));
	expect(done.runData.Call).toHaveLength(1);
	expect(sent(calls)).toEqual([1, 1, 1]);
}

test('a wait with one answer outlives kill -9: one whose deadline passes meanwhile ends at the start, another on time, both with that answer (P24, P26, P28)', async () => {
	const [past, ahead] = [callsOfThree(), callsOfThree()];
	const missed = await park(past, limitOf(40));
	const kept = await park(ahead, limitOf(150));
	for (const parked of [missed, kept]) {
		expect((await postAnswer(shownUrl(parked), 'first')).status).toBe(202);
	}
	await n8n.kill();
	const deadline = new Date(String(parkOf(missed).deadline)).getTime();
	await until(
		() => (Date.now() > deadline ? true : undefined),
		60_000,
		() => 'The deadline did not come',
	);
	await start();
	await expectOneExpired(missed, past);
	expect((await rest.execution(kept.id)).status).toBe('waiting');
	await expectOneExpired(kept, ahead);
}, 400_000);

test('while the ledger is away at the deadline nothing is said to have expired; the wait goes on, and ends with the answer once the ledger is back', async () => {
	const calls = callsOfThree();
	const parked = await park(calls, limitOf(20));
	expect((await postAnswer(shownUrl(parked), 'first')).status).toBe(202);
	const aside = `${ledgerFile}.aside`;
	await rename(ledgerFile, aside);
	await mkdir(ledgerFile);
	const since = printed.length;
	await timerEnds(parked.id, since);
	const goesOn = await until(
		async () => {
			const execution = await rest.execution(parked.id);
			const again = execution.waitTill?.getTime() !== parked.waitTill?.getTime();
			return execution.status === 'waiting' && again ? execution : undefined;
		},
		30_000,
		() => 'The wait did not go on',
	);
	expect(outcomesOf(goesOn)).toEqual(['suspended', 'completed', 'suspended']);
	expect(printed.slice(since).join('\n')).toContain('A wait that has ended goes on');
	await rm(ledgerFile, { recursive: true });
	await rename(aside, ledgerFile);
	await expectOneExpired(parked, calls);
}, 400_000);

test('a clock that jumps ahead over the deadline ends the wait at the next look; one that is set back ends none too soon', async () => {
	const [soon, late] = [callsOfThree(), callsOfThree()];
	const jumps = await park(soon, limitOf(2 * 3_600));
	expect((await postAnswer(shownUrl(jumps), 'first')).status).toBe(202);
	await clock.set(3 * HOUR_MS);
	await expectOneExpired(jumps, soon);

	// Its timer is armed by the time another one, due before the next look, has left.
	const setBack = await park(late, limitOf(65));
	expect((await postAnswer(shownUrl(setBack), 'first')).status).toBe(202);
	const armed = await park([suspends('Tells when n8n looks')], limitOf(0.01));
	await rest.waitForExecution(armed.id, ['success'], 120_000);
	const since = printed.length;
	await clock.set(0);
	await timerEnds(setBack.id, since);
	const waits = await until(
		async () => {
			const execution = await rest.execution(setBack.id);
			return execution.status === 'waiting' ? execution : undefined;
		},
		30_000,
		() => 'The wait did not go on',
	);
	expect(outcomesOf(waits)).toEqual(['suspended', 'completed', 'suspended']);
	expect(waits.waitTill).toEqual(setBack.waitTill);
	expect((await postAnswer(shownUrl(setBack, 'Call', 2), 'last')).status).toBe(200);
	const done = await rest.waitForExecution(setBack.id, ['success']);
	expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', 'last']));
	expect(sent(late)).toEqual([1, 1, 1]);
}, 400_000);

test('a clock that jumps ahead over the instant of a sleeper wakes it at the next look; one that is set back lets one sleep on that n8n has no timer for yet; nothing is called again (P20, P23)', async () => {
	const sleeps = async (inMs: number) => {
		const until = new Date(Date.now() + inMs).toISOString();
		const calls = [sendsPark({ sleep_until: until }), answers('said 1')];
		return { until, calls, parked: await park(calls, {}) };
	};
	const expectWoken = async ({ until, calls, parked }: Awaited<ReturnType<typeof sleeps>>) => {
		const done = await rest.waitForExecution(parked.id, ['success'], 150_000);
		expect(outcomesOf(done)).toEqual(['woke', 'completed']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack([{ slept_until: until }, 'said 1']));
		expect(done.runData.Call).toHaveLength(1);
		expect(sent(calls)).toEqual([1, 1]);
	};
	const near = await sleeps(2 * HOUR_MS);
	const far = await sleeps(5 * HOUR_MS);
	await clock.set(3 * HOUR_MS);
	await expectWoken(near);
	expect((await rest.execution(far.parked.id)).status).toBe('waiting');

	// By the clock set back it is hours away still: n8n looks, and lets it sleep.
	await clock.set(-HOUR_MS);
	const looks = await park([suspends('Tells when n8n looks')], limitOf(0.01));
	await rest.waitForExecution(looks.id, ['success'], 150_000);
	expect((await postAnswer(shownUrl(far.parked), {})).status).toBe(409);
	expect((await rest.execution(far.parked.id)).status).toBe('waiting');

	await clock.set(6 * HOUR_MS);
	await expectWoken(far);
	await clock.set(0);
}, 400_000);
