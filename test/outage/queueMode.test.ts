import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Execution } from '../../scripts/host/executionData';
import { freePort } from '../../scripts/host/freePort';
import type { Json } from '../../scripts/host/json';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { N8nInstance } from '../../scripts/host/n8nInstance';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { CredentialReference, N8nRest } from '../../scripts/host/n8nRest';
import { httpConnection, jsonOf, postAnswer } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import { limitOf } from '../support/limitedRuns';
import { callEach, lookBack, lookedBack, outcomesOf } from '../support/manyParks';
import {
	answers,
	callOf,
	relayEach,
	runInProduction,
	sendsPark,
	shownUrl,
	suspends,
} from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { createQueuePlace, findQueueBackends } from '../support/queueBackends';
import type { QueuePlace } from '../support/queueBackends';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { items, webhookTrigger, workflow } from '../support/workflow';

const SCHEMA = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };

const backends = await findQueueBackends();

describe.skipIf('reason' in backends)('n8n in queue mode, one main and two workers', () => {
	let root: string;
	let port: number;
	let place: QueuePlace;
	/** Main and the workers that live, by the name of the folder that each has of its own. */
	const running = new Map<string, N8nInstance>();
	let rest: N8nRest;
	let parkServer: ParkServer;
	let credential: CredentialReference;

	async function start(name: string): Promise<N8nInstance> {
		const env = { ...place.env, N8N_ENCRYPTION_KEY: 'one key for all of them' };
		const command = name === 'main' ? 'start' : 'worker';
		const userFolder = path.join(root, name);
		const n8n = await startN8n({ command, userFolder, port, extension: 'package', env });
		running.set(name, n8n);
		return n8n;
	}

	async function kill(names: readonly string[]): Promise<void> {
		await Promise.all(names.map(async (name) => await running.get(name)?.kill()));
		for (const name of names) running.delete(name);
	}

	const workers = () => [...running.keys()].filter((name) => name !== 'main');

	beforeAll(async () => {
		if ('reason' in backends) return;
		root = await mkdtemp(path.join(tmpdir(), 'salvor-queue-'));
		port = await freePort();
		parkServer = await startParkServer();
		place = await createQueuePlace(backends);
		const main = await start('main');
		await main.rest.signIn(hostOwner);
		rest = n8nRest(main.baseUrl, main.rest.cookie());
		credential = await httpConnection(rest, { endpoint: parkServer.endpoint });
		await Promise.all([start('worker-1'), start('worker-2')]);
	});
	afterAll(async () => {
		if ('reason' in backends) return;
		await kill([...running.keys()]);
		await parkServer.stop();
		await place.dispose();
		await rm(root, { recursive: true, force: true });
	});

	/** Runs a workflow with a call for each item from a webhook, until it waits. */
	async function park(
		calls: readonly RelayCall[],
		hook: string,
		options: Json = {},
	): Promise<Execution> {
		const before = items(
			calls.map((call, x) => ({ x: `x${String(x)}`, call })),
			'Before',
		);
		const node = callEach(credential, { options });
		const spec = workflow([webhookTrigger(hook), before, node, lookBack()]);
		const { executionId } = await runInProduction(rest, spec, hook);
		return await rest.waitForExecution(executionId, ['waiting']);
	}

	/** Where this execution was taken up, by the living workers' own word: a name for each time. */
	const ranOn = (id: string): readonly string[] =>
		workers().flatMap((name) => {
			const lines = running.get(name)?.logTail().split('\n') ?? [];
			const started = lines.filter((line) => line.includes(`Worker started execution ${id} `));
			return started.map(() => name);
		});

	const sent = (calls: readonly RelayCall[]) =>
		calls.map(({ tag }) => parkServer.calls(tag).length);

	test('a run that parked on a worker outlives kill -9 of all workers and of main, keeps the answer it has, and goes on with the second; a sleeper leaves on time meanwhile (P23, P24, P28, R1, R2)', async () => {
		const wakesAt = new Date(Date.now() + 75_000);
		const asleepCalls = [sendsPark({ sleep_until: wakesAt.toISOString() })];
		const calls = [suspends('First', SCHEMA), answers('said 1'), suspends('Last', SCHEMA)];
		const asleep = await park(asleepCalls, 'queue-asleep');
		const parked = await park(calls, 'queue-parked');
		expect(asleep.waitTill).toEqual(wakesAt);
		expect(ranOn(parked.id)).toHaveLength(1);
		const [parkedOn = 'none'] = ranOn(parked.id);
		const [first, last] = [shownUrl(parked), shownUrl(parked, 'Call', 2)];
		expect(first).toMatch(`${rest.baseUrl}/webhook-waiting/`);

		expect((await postAnswer(first, { yes: 'perhaps' })).status).toBe(422);
		const recorded = await postAnswer(first, { yes: true });
		expect([recorded.status, await recorded.json()]).toEqual([
			202,
			{ status: 'recorded', remaining: 1 },
		]);
		await expectLedgerInPostgres(parked.id);

		await kill(workers());
		expect((await postAnswer(last, { yes: 'perhaps' })).status).toBe(422);
		expect((await postAnswer(first, { yes: false })).status).toBe(409);
		await Promise.all([start(parkedOn), start('worker-3')]);
		await kill(['main']);
		await start('main');
		const mainIsBackAt = Date.now();

		expect((await rest.execution(parked.id)).status).toBe('waiting');
		expect((await postAnswer(first, { yes: false })).status).toBe(409);
		expect((await postAnswer(last, {})).status).toBe(422);
		const taken = await postAnswer(last, { yes: false });
		expect([taken.status, await taken.json()]).toEqual([200, { status: 'resumed' }]);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack([{ yes: true }, 'said 1', { yes: false }]));
		expect(outcomesOf(done)).toEqual(['resumed', 'completed', 'resumed']);
		expect(done.runData.After).toHaveLength(1);
		expect(ranOn(parked.id)).toHaveLength(1);
		expect((await postAnswer(last, { yes: true })).status).toBe(409);
		expect(sent(calls)).toEqual([1, 1, 1]);

		const woken = await rest.waitForExecution(asleep.id, ['success'], 100_000);
		const [row] = await place.query(
			`SELECT "stoppedAt" FROM execution_entity WHERE id = ${asleep.id}`,
		);
		const leftAt = (row?.stoppedAt as Date).getTime();
		expect(leftAt).toBeGreaterThanOrEqual(wakesAt.getTime());
		expect(leftAt - Math.max(wakesAt.getTime(), mainIsBackAt)).toBeLessThan(10_000);
		expect(callOf(woken)).toMatchObject({ outcome: 'woke', attempts: 1 });
		expect(jsonOf(woken, 'After')).toEqual(lookedBack([{ slept_until: wakesAt.toISOString() }]));
		expect(sent(asleepCalls)).toEqual([1]);
	});

	/** The answer stands where n8n has its own tables, and no n8n made a file (P24). */
	async function expectLedgerInPostgres(executionId: string): Promise<void> {
		const answered = await place.query(
			`SELECT item, answer FROM salvor_item JOIN salvor_batch USING (batch_id)
			WHERE execution_id = '${executionId}' ORDER BY item`,
		);
		expect(answered).toEqual([
			{ item: 0, answer: JSON.stringify({ yes: true }) },
			{ item: 2, answer: null },
		]);
		const files = await readdir(root, { recursive: true });
		expect(files.filter((file) => file.includes('n8n-nodes-salvor'))).not.toEqual([]);
		expect(files.filter((file) => file.endsWith('.sqlite'))).toEqual([]);
	}

	test('a wait with a limit ends on another worker than the one it began on, with the answer that main took; none is taken any more (P26)', async () => {
		const calls = [suspends('First'), answers('said 1'), suspends('Last')];
		const parked = await park(calls, 'queue-limit', limitOf(75));
		const [parkedOn = 'none'] = ranOn(parked.id);
		expect((await postAnswer(shownUrl(parked), 'first')).status).toBe(202);
		await kill([parkedOn]);
		if (workers().length === 0) await start('worker-4');
		const done = await rest.waitForExecution(parked.id, ['success'], 150_000);
		expect(outcomesOf(done)).toEqual(['resumed', 'completed', 'expired']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', null]));
		expect(done.runData.Call).toHaveLength(1);
		expect(ranOn(parked.id)).toHaveLength(1);
		const closed = await place.query(
			`SELECT closed_at FROM salvor_batch WHERE execution_id = '${parked.id}'`,
		);
		expect(closed).toEqual([{ closed_at: expect.any(Date) }]);
		expect((await postAnswer(shownUrl(parked, 'Call', 2), 'late')).status).toBe(409);
		expect(sent(calls)).toEqual([1, 1, 1]);
	});

	test('of 20 answers at once for the last item one is recorded, and the run goes on once (R6, R10)', async () => {
		const calls = [suspends('First'), suspends('Last')];
		const parked = await park(calls, 'queue-race');
		expect((await postAnswer(shownUrl(parked), 'first')).status).toBe(202);
		const responses = await Promise.all(
			Array.from({ length: 20 }, async (_, at) => {
				const answer = `answer ${String(at)}`;
				const response = await postAnswer(shownUrl(parked, 'Call', 1), answer);
				return { answer, status: response.status, body: await response.text() };
			}),
		);
		const taken = responses.filter(({ status }) => status === 200);
		expect(taken).toHaveLength(1);
		// n8n itself answers 500 to a request that comes while it takes the execution up again.
		const unlike409 = responses.filter(({ status, body }) => {
			const ofN8n = status === 500 && /inputOverride|problem executing/.test(body);
			return status !== 200 && status !== 409 && !ofN8n;
		});
		expect(unlike409).toEqual([]);

		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', taken[0]?.answer]));
		expect(done.runData.Call).toHaveLength(1);
		expect(done.runData.After).toHaveLength(1);
		expect(ranOn(parked.id)).toHaveLength(2); // until it parked, and from the answer on
		expect(sent(calls)).toEqual([1, 1]);
	});

	test('a worker tells the workflow of On Park Workflow, which fails or not, and takes the next job', async () => {
		const called = {
			name: 'Called',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		};
		const broken = {
			name: 'Broken',
			type: 'n8n-nodes-base.stopAndError',
			parameters: { errorMessage: 'No mail today' },
		};
		const tellers = [workflow([called]), workflow([called, broken])];
		const warnings: unknown[] = [];
		for (const [at, spec] of tellers.entries()) {
			const { id } = await rest.createWorkflow({ ...spec, settings: { callerPolicy: 'any' } });
			await rest.activate(id);
			const hook = `queue-told-${String(at)}`;
			const node = relayEach(credential);
			const onParkWorkflow = { __rl: true, mode: 'id', value: id };
			const { executionId } = await runInProduction(
				rest,
				workflow([
					webhookTrigger(hook),
					items([{ x: 'x0', call: suspends('Told', SCHEMA) }], 'Before'),
					{ ...node, parameters: { ...node.parameters, options: { onParkWorkflow } } },
				]),
				hook,
			);
			const parked = await rest.waitForExecution(executionId, ['waiting']);
			warnings.push(callOf(parked).warnings);
			const [run] = await rest.listExecutions(id);
			const told = jsonOf(await rest.execution(run?.id ?? ''), 'Called');
			expect(told).toMatchObject([{ reason: 'Told', resumeUrl: shownUrl(parked) }]);
			expect((await postAnswer(shownUrl(parked), { yes: true })).status).toBe(200);
			await rest.waitForExecution(executionId, ['success']);
		}
		expect(warnings).toEqual([
			undefined,
			[expect.stringMatching(/On Park Workflow failed \(No mail today\)/)],
		]);
		expect(workers()).toHaveLength(2);
	});
});
