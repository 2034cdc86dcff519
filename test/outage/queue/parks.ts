import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Execution } from '../../../scripts/host/executionData';
import type { Json } from '../../../scripts/host/json';
import { jsonOf, postAnswer } from '../../support/host';
import { limitOf } from '../../support/limitedRuns';
import { callEach, lookBack, lookedBack, outcomesOf } from '../../support/manyParks';
import {
	answers,
	callOf,
	runInProduction,
	sendsPark,
	shownUrl,
	suspends,
} from '../../support/parkRuns';
import type { RelayCall } from '../../support/parkRuns';
import type { QueueBench } from '../../support/queueBench';
import { items, webhookTrigger, workflow } from '../../support/workflow';

const SCHEMA = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };

/** Parked runs over the deaths of workers and main, answered on main. */
export function parksInQueueMode(bench: QueueBench): void {
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
		const { host, credential } = bench();
		const { rest } = host;
		const spec = workflow([
			webhookTrigger(hook),
			before,
			callEach(credential, { options }),
			lookBack(),
		]);
		const { executionId } = await runInProduction(rest, spec, hook);
		return await rest.waitForExecution(executionId, ['waiting']);
	}

	const sent = (calls: readonly RelayCall[]) =>
		calls.map(({ tag }) => bench().parkServer.calls(tag).length);
	/** The address of a parked item on main; workers give that of the webhook process. */
	const onMain = (parked: Execution, item = 0) => {
		const { rest, webhookBaseUrl } = bench().host;
		return shownUrl(parked, 'Call', item).replace(webhookBaseUrl, rest.baseUrl);
	};

	test('a run that parked on a worker outlives kill -9 of all workers and of main, keeps the answer it has, and goes on with the second; a sleeper leaves on time meanwhile (P23, P24, P28, R1, R2)', async () => {
		const { host } = bench();
		const { rest, ranOn, workers } = host;
		const wakesAt = new Date(Date.now() + 75_000);
		const asleepCalls = [sendsPark({ sleep_until: wakesAt.toISOString() })];
		const calls = [suspends('First', SCHEMA), answers('said 1'), suspends('Last', SCHEMA)];
		const asleep = await park(asleepCalls, 'queue-asleep');
		const parked = await park(calls, 'queue-parked');
		expect(asleep.waitTill).toEqual(wakesAt);
		expect(ranOn(parked.id)).toHaveLength(1);
		const [parkedOn = 'none'] = ranOn(parked.id);
		const [first, last] = [onMain(parked), onMain(parked, 2)];

		expect((await postAnswer(first, { yes: 'perhaps' })).status).toBe(422);
		const recorded = await postAnswer(first, { yes: true });
		expect([recorded.status, await recorded.json()]).toEqual([
			202,
			{ status: 'recorded', remaining: 1 },
		]);
		await expectLedgerInPostgres(parked.id);

		await host.kill(workers());
		expect((await postAnswer(last, { yes: 'perhaps' })).status).toBe(422);
		expect((await postAnswer(first, { yes: false })).status).toBe(409);
		await Promise.all([host.start(parkedOn), host.start('worker-3')]);
		await host.kill(['main']);
		await host.start('main');
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
		const [row] = await bench().host.place.query(
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
		const answered = await bench().host.place.query(
			`SELECT item, answer FROM salvor_item JOIN salvor_batch USING (batch_id)
			WHERE execution_id = '${executionId}' ORDER BY item`,
		);
		expect(answered).toEqual([
			{ item: 0, answer: JSON.stringify({ yes: true }) },
			{ item: 2, answer: null },
		]);
		const files = await readdir(bench().host.root, { recursive: true });
		expect(files.filter((file) => file.includes('n8n-nodes-salvor'))).not.toEqual([]);
		expect(files.filter((file) => file.endsWith('.sqlite'))).toEqual([]);
	}

	test('a wait with a limit ends on another worker than the one it began on, with the answer that main took; none is taken any more (P26)', async () => {
		const { host } = bench();
		const { rest, ranOn, workers, place } = host;
		const calls = [suspends('First'), answers('said 1'), suspends('Last')];
		const parked = await park(calls, 'queue-limit', limitOf(75));
		const [parkedOn = 'none'] = ranOn(parked.id);
		expect((await postAnswer(onMain(parked), 'first')).status).toBe(202);
		await host.kill([parkedOn]);
		if (workers().length === 0) await host.start('worker-4');
		const done = await rest.waitForExecution(parked.id, ['success'], 150_000);
		expect(outcomesOf(done)).toEqual(['resumed', 'completed', 'expired']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', null]));
		expect(done.runData.Call).toHaveLength(1);
		expect(ranOn(parked.id)).toHaveLength(1);
		const closed = await place.query(
			`SELECT closed_at FROM salvor_batch WHERE execution_id = '${parked.id}'`,
		);
		expect(closed).toEqual([{ closed_at: expect.any(Date) }]);
		expect((await postAnswer(onMain(parked, 2), 'late')).status).toBe(409);
		expect(sent(calls)).toEqual([1, 1, 1]);
		await host.start(parkedOn);
	});

	test('of 20 answers at once for the last item one is recorded, and the run goes on once (R6, R10)', async () => {
		const { rest, ranOn } = bench().host;
		const calls = [suspends('First'), suspends('Last')];
		const parked = await park(calls, 'queue-race');
		expect((await postAnswer(onMain(parked), 'first')).status).toBe(202);
		const responses = await Promise.all(
			Array.from({ length: 20 }, async (_, at) => {
				const answer = `answer ${String(at)}`;
				const response = await postAnswer(onMain(parked, 1), answer);
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
}
