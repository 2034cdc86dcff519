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
import type { CredentialReference, N8nRest, WorkflowSpec } from '../../scripts/host/n8nRest';
import { httpConnection, jsonOf, postAnswer, runUntil } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import {
	awaitParks,
	callEach,
	listItems,
	lookBack,
	lookedBack,
	manyItems,
	runUrl,
} from '../support/manyParks';
import { answers, shownUrl, suspends } from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';

/** An n8n of this file's own, on one folder and one port through all its lives, with a ledger that can be taken away. */
let folder: string;
let ledgerFile: string;
let port: number;
let n8n: N8nInstance;
let rest: N8nRest;
let parkServer: ParkServer;
let credential: CredentialReference;

async function start(): Promise<void> {
	const env = { SALVOR_LEDGER: `sqlite:${ledgerFile}` };
	n8n = await startN8n({ userFolder: folder, port, extension: 'package', env });
}

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-outages-'));
	ledgerFile = path.join(folder, 'ledger.sqlite');
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

const sent = (calls: readonly RelayCall[]) => calls.map(({ tag }) => parkServer.calls(tag).length);
const callsOfThree = () => [suspends('First'), answers('said 1'), suspends('Last')];
const spec = (calls: readonly RelayCall[], settings: Json = {}): WorkflowSpec =>
	manyItems(calls, [callEach(credential, { settings }), lookBack()]);

/** In place of the ledger's file there is a folder as long as `work` runs. */
async function withoutLedger(work: () => Promise<void>): Promise<void> {
	const aside = `${ledgerFile}.aside`;
	const moved = await rename(ledgerFile, aside).then(
		() => true,
		() => false,
	);
	await mkdir(ledgerFile);
	try {
		await work();
	} finally {
		await rm(ledgerFile, { recursive: true });
		if (moved) await rename(aside, ledgerFile);
	}
}

async function expectFinished(parked: Execution, calls: readonly RelayCall[]): Promise<void> {
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', 'last']));
	expect(done.runData.After).toHaveLength(1);
	expect(sent(calls)).toEqual([1, 1, 1]);
}

test('a ledger that cannot be opened fails the node before anything is called, says what to do, and works once it is repaired', async () => {
	const calls = callsOfThree();
	await withoutLedger(async () => {
		const failed = await runUntil(rest, spec(calls), ['error']);
		expect(failed.lastNode).toBe('Call');
		expect(failed.error?.message).toContain('ledger');
		expect(failed.error?.description).toMatch(/SALVOR_LEDGER/);
		expect(failed.error?.description).toMatch(/ledger-unavailable.*did-not-happen/);

		const onward = await runUntil(rest, spec(calls, { onError: 'continueRegularOutput' }), [
			'success',
		]);
		expect(jsonOf(onward, 'Call').map(({ error }) => error)).toEqual(
			calls.map((): unknown =>
				expect.objectContaining({ code: 'ledger-unavailable', disposition: 'did-not-happen' }),
			),
		);
		const awaiting = await runUntil(rest, manyItems(calls, [awaitParks()]), ['error']);
		expect(awaiting.error?.message).toContain('ledger');
		expect(sent(calls)).toEqual([0, 0, 0]);
	});
	const parked = await runUntil(rest, spec(calls), ['waiting']);
	expect((await postAnswer(shownUrl(parked), 'first')).status).toBe(202);
	expect((await postAnswer(shownUrl(parked, 'Call', 2), 'last')).status).toBe(200);
	await expectFinished(parked, calls);
});

test('while the ledger is away answers get 503 and nothing is lost; later they are taken', async () => {
	const calls = callsOfThree();
	const parked = await runUntil(rest, spec(calls), ['waiting']);
	expect((await postAnswer(shownUrl(parked), 'first')).status).toBe(202);
	await withoutLedger(async () => {
		for (const [item, answer] of [
			[2, 'last'],
			[0, 'another'],
		] as const) {
			const refused = await postAnswer(shownUrl(parked, 'Call', item), answer);
			expect(refused.status).toBe(503);
			expect(await refused.json()).toEqual({
				status: 'unavailable',
				message: expect.stringContaining('still waits'),
			});
		}
		expect((await fetch(runUrl(parked))).status).toBe(200);
		expect(await listItems(runUrl(parked))).toHaveLength(2);
		expect((await rest.execution(parked.id)).status).toBe('waiting');
	});
	const listed = await listItems(runUrl(parked));
	expect(listed.map((item) => 'answered_at' in item)).toEqual([true, false]);
	expect((await postAnswer(shownUrl(parked), 'another')).status).toBe(409);
	expect((await postAnswer(shownUrl(parked, 'Call', 2), 'last')).status).toBe(200);
	await expectFinished(parked, calls);
});

test('a ledger that has lost the run learns it from the execution, and the answers that are given again finish it', async () => {
	const calls = callsOfThree();
	const parked = await runUntil(rest, spec(calls), ['waiting']);
	expect((await postAnswer(shownUrl(parked), 'lost with the ledger')).status).toBe(202);
	await rename(ledgerFile, `${ledgerFile}.lost`);
	await Promise.all(['-wal', '-shm'].map((end) => rm(`${ledgerFile}${end}`, { force: true })));
	// The first request finds the file exchanged, the next one opens the new file.
	const first = await postAnswer(shownUrl(parked, 'Call', 2), 'last');
	expect([202, 503]).toContain(first.status);
	if (first.status === 503) {
		expect((await postAnswer(shownUrl(parked, 'Call', 2), 'last')).status).toBe(202);
	}
	expect((await rest.execution(parked.id)).status).toBe('waiting');
	expect((await postAnswer(shownUrl(parked), 'first')).status).toBe(200);
	await expectFinished(parked, calls);
});

test('an answer outlives kill -9 of n8n, and the others are given to the next n8n (P20, P24, P28)', async () => {
	const calls = callsOfThree();
	const [killed, termed] = [
		await runUntil(rest, spec(calls), ['waiting']),
		await runUntil(rest, spec(calls), ['waiting']),
	];
	for (const parked of [killed, termed]) {
		expect((await postAnswer(shownUrl(parked, 'Call', 2), 'last')).status).toBe(202);
	}
	await n8n.kill();
	await start();
	for (const parked of [killed, termed]) {
		expect((await rest.execution(parked.id)).status).toBe('waiting');
		const listed = await listItems(runUrl(parked));
		expect(listed.map((item) => 'answered_at' in item)).toEqual([false, true]);
		expect((await postAnswer(shownUrl(parked, 'Call', 2), 'another')).status).toBe(409);
	}
	expect((await postAnswer(shownUrl(killed), 'first')).status).toBe(200);
	await rest.waitForExecution(killed.id, ['success']);
	expect((await n8n.stop('SIGTERM')).code).toBe(0);
	await start();
	expect((await postAnswer(shownUrl(termed), 'first')).status).toBe(200);
	for (const parked of [killed, termed]) {
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', 'last']));
	}
	expect(sent(calls)).toEqual([2, 2, 2]);
}, 240_000);
