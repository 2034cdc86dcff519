import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Execution } from '../../scripts/host/executionData';
import type { Json } from '../../scripts/host/json';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { N8nInstance } from '../../scripts/host/n8nInstance';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { CredentialReference, N8nRest } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { httpConnection, postAnswer, runUntil } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import {
	callOf,
	relayEach,
	runInProduction,
	sendsPark,
	shownUrl,
	suspends,
} from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { items, manualTrigger, nothing, webhookTrigger, workflow } from '../support/workflow';
import type { NodeSpec } from '../support/workflow';

/** An n8n that saves nothing, prunes what it can every few seconds, and was told no address. */
const CARELESS = {
	N8N_WEBHOOK_URL: '',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'none',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'false',
	EXECUTIONS_DATA_PRUNE: 'true',
	EXECUTIONS_DATA_MAX_AGE: '1',
	EXECUTIONS_DATA_PRUNE_MAX_COUNT: '1',
	EXECUTIONS_DATA_HARD_DELETE_BUFFER: '0',
	EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL: '0.05',
	EXECUTIONS_DATA_PRUNE_HARD_DELETE_INTERVAL: '0.05',
	SALVOR_LEDGER_RETENTION_DAYS: '7',
};
const LOOPBACK = /^The address for the answer begins with http:\/\/localhost:\d+, which opens only/;
const UNSAVED = /^If a later node fails, this execution is deleted together with the answer/;
const MANUAL_UNSAVED = /^This execution and its answer are deleted as soon as it ends/;
const RETENTION = /^Several items wait together and their first answers are kept for 7 days only/;
const OLDER = /^This n8n is older than 2\.41/;

let userFolder: string;
let n8n: N8nInstance;
let rest: N8nRest;
let parkServer: ParkServer;
let credential: CredentialReference;

beforeAll(async () => {
	userFolder = await mkdtemp(path.join(tmpdir(), 'salvor-careless-'));
	parkServer = await startParkServer();
	n8n = await startN8n({
		userFolder,
		extension: 'package',
		env: CARELESS,
		prepare: pretendOlder,
	});
	await n8n.rest.signIn(hostOwner);
	rest = n8nRest(n8n.baseUrl, n8n.rest.cookie());
	credential = await httpConnection(rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await n8n.stop();
	await parkServer.stop();
	await rm(userFolder, { recursive: true, force: true });
});

/** The version that counts is that of the n8n-workflow beside the package. */
async function pretendOlder(): Promise<void> {
	const peer = path.join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-workflow');
	const own = await realpath(peer);
	await rm(peer);
	await mkdir(peer);
	const manifest = { name: 'n8n-workflow', version: '2.40.3', main: 'index.js' };
	await writeFile(path.join(peer, 'package.json'), JSON.stringify(manifest));
	await writeFile(path.join(peer, 'index.js'), `module.exports = require(${JSON.stringify(own)});`);
}

const fails = (): NodeSpec => ({
	name: 'Fails',
	type: 'n8n-nodes-base.stopAndError',
	parameters: { errorMessage: 'A later node failed' },
});

/** A run in production, until it waits. */
async function park(
	calls: readonly RelayCall[],
	{ settings = {}, after = nothing() }: { settings?: Json; after?: NodeSpec } = {},
): Promise<Execution> {
	const hook = randomUUID();
	const spec = workflow([
		webhookTrigger(hook),
		items(calls.map((call) => ({ call }))),
		relayEach(credential),
		after,
	]);
	const { executionId } = await runInProduction(
		rest,
		{ ...spec, settings: { ...spec.settings, ...settings } },
		hook,
	);
	return await rest.waitForExecution(executionId, ['waiting']);
}

const matching = (patterns: readonly RegExp[]): unknown[] =>
	patterns.map((pattern): unknown => expect.stringMatching(pattern));

const hints = (level: 'warning' | 'info', patterns: readonly RegExp[]): unknown[] =>
	patterns.map((pattern): unknown =>
		expect.objectContaining({ type: level, message: expect.stringMatching(pattern) }),
	);

const hintsOf = (execution: Execution) => execution.runData.Call?.at(-1)?.hints;

async function isGone(id: string): Promise<void> {
	await until(
		async () =>
			await rest.execution(id).then(
				() => undefined,
				() => true,
			),
		60_000,
		() => `Execution ${id} is still there`,
	);
}

test('items and editor name the address that nobody can open, the answer that a failure deletes and the old n8n; it is deleted indeed', async () => {
	const parked = await park([suspends()], { after: fails() });
	expect(callOf(parked).warnings).toEqual(matching([LOOPBACK, UNSAVED, OLDER]));
	expect(hintsOf(parked)).toEqual(hints('warning', [LOOPBACK, UNSAVED, OLDER]));
	expect(shownUrl(parked)).toMatch(/^http:\/\/localhost:/);
	expect((await postAnswer(shownUrl(parked), 'yes')).status).toBe(200);
	await isGone(parked.id);
});

test('a workflow that saves its failures is not warned of it', async () => {
	const parked = await park([suspends()], { settings: { saveDataErrorExecution: 'all' } });
	expect(callOf(parked).warnings).toEqual(matching([LOOPBACK, OLDER]));
});

test('several items are told that their first answers are kept for a shorter time', async () => {
	const parked = await park([suspends(), suspends()]);
	expect(callOf(parked, 'Call', 1).warnings).toEqual(
		matching([LOOPBACK, UNSAVED, RETENTION, OLDER]),
	);
});

test('a sleeper needs no address and has no answer to lose', async () => {
	const until = new Date(Date.now() + 3_600_000).toISOString();
	const parked = await park([sendsPark({ sleep_until: until })]);
	expect(callOf(parked).warnings).toEqual(matching([OLDER]));
	expect(hintsOf(parked)).toEqual(hints('warning', [OLDER]));
});

test('a run by hand is told of its place in the editor alone, parks, and goes on with the answer', async () => {
	const spec = workflow([
		manualTrigger(),
		items([{ call: suspends() }]),
		relayEach(credential),
		nothing(),
	]);
	const parked = await runUntil(rest, spec, ['waiting']);
	expect(callOf(parked).warnings).toEqual(matching([OLDER]));
	expect(hintsOf(parked)).toEqual([
		...hints('info', [LOOPBACK, MANUAL_UNSAVED]),
		...hints('warning', [OLDER]),
	]);
	expect((await postAnswer(shownUrl(parked), 'yes')).status).toBe(200);
	await isGone(parked.id);
});

test('n8n prunes finished executions and none that waits, and the answer still comes through', async () => {
	const parked = await park([suspends()], { settings: { saveDataSuccessExecution: 'all' } });
	const kept = workflow([manualTrigger(), nothing()]);
	const settings = { ...kept.settings, saveManualExecutions: true };
	const { id } = await rest.createWorkflow({ ...kept, settings });
	const older = await rest.waitForExecution(await rest.runManually(id), ['success']);
	await rest.waitForExecution(await rest.runManually(id), ['success']);
	await isGone(older.id);
	expect((await rest.execution(parked.id)).status).toBe('waiting');
	expect((await postAnswer(shownUrl(parked), 'yes')).status).toBe(200);
	await isGone(parked.id);
});
