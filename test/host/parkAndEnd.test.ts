import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference, WorkflowSpec } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { host, httpConnection, jsonOf, postAnswer, runUntil } from '../support/host';
import {
	awaitParks,
	callEach,
	lookBack,
	lookedBack,
	manyItems,
	outcomesOf,
	waitingInLedger,
} from '../support/manyParks';
import {
	answers,
	callOf,
	failsLanded,
	relay,
	runInProduction,
	sendsPark,
	shownUrl,
	suspends,
} from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { limitOf } from '../support/limitedRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { createChild, parentNodes, waitingRuns } from '../support/subWorkflows';
import { manualTrigger, setFields, webhookTrigger, workflow } from '../support/workflow';

let parkServer: ParkServer;
let credential: CredentialReference;

beforeAll(async () => {
	parkServer = await startParkServer();
	credential = await httpConnection(host().rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await parkServer.stop();
});

const sent = (calls: readonly RelayCall[]) => calls.map(({ tag }) => parkServer.calls(tag).length);
const sleeps = (seconds: number) =>
	sendsPark({ sleep_until: new Date(Date.now() + seconds * 1000).toISOString() });
const withSettings = (spec: WorkflowSpec, settings: Json): WorkflowSpec => ({
	...spec,
	settings: { ...spec.settings, ...settings },
});
const passed = async (instantMs: number): Promise<void> => {
	await until(
		() => (Date.now() > instantMs ? true : undefined),
		120_000,
		() => 'The clock stands still',
	);
};

/** A published error workflow; `told` gives what it was told, once it has run. */
async function errorWorkflow() {
	const { rest } = host();
	const { id } = await rest.createWorkflow(
		workflow([
			{ name: 'Trigger', type: 'n8n-nodes-base.errorTrigger' },
			setFields({
				execution: '{{ $json.execution.id }}',
				message: '{{ $json.execution.error.message }}',
			}),
		]),
	);
	await rest.activate(id);
	const runs = async () => await rest.listExecutions(id);
	const told = async () => {
		const executionId = await until(
			async () => (await runs())[0]?.id,
			30_000,
			() => 'The error workflow did not start',
		);
		return jsonOf(await rest.waitForExecution(executionId, ['success']), 'After')[0];
	};
	return { id, runs, told };
}

// Clocks set the time that these take, so they run beside each other.
describe.concurrent('a parked run', () => {
	test('that is stopped is over: its address says so to everybody, a late answer is refused and not recorded, nothing is called, no error workflow starts', async () => {
		const { rest } = host();
		const errors = await errorWorkflow();
		const hook = `stop-${randomUUID()}`;
		const calls = [suspends('First'), answers('said 1'), suspends('Last')];
		const spec = withSettings(
			manyItems(calls, [callEach(credential), lookBack()], undefined, webhookTrigger(hook)),
			{ errorWorkflow: errors.id },
		);
		const { executionId } = await runInProduction(rest, spec, hook);
		const parked = await rest.waitForExecution(executionId, ['waiting']);
		expect((await postAnswer(shownUrl(parked), 'first')).status).toBe(202);
		await rest.stopExecution(parked.id);
		const stopped = await rest.waitForExecution(parked.id, ['canceled']);
		expect(stopped.waitTill).toBeUndefined();

		for (const accept of ['text/html', 'application/json']) {
			const seen = await fetch(shownUrl(parked), { headers: { accept } });
			expect([seen.status, await seen.text()]).toEqual([409, expect.stringContaining('finished')]);
		}
		for (const item of [0, 2]) {
			const late = await postAnswer(shownUrl(parked, 'Call', item), 'late');
			expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('finished')]);
		}
		expect(await waitingInLedger(ledgerFile(), parked.id)).toMatchObject({
			items: 2,
			remaining: 1,
		});
		expect((await rest.execution(parked.id)).status).toBe('canceled');
		expect(await errors.runs()).toEqual([]);
		expect(sent(calls)).toEqual([1, 1, 1]);
	});

	test('that was stopped calls nothing when n8n retries it: the items leave at once as they wait, a sleeper as woken, and a following Await waits for those without an answer (P20, P27)', async () => {
		const { rest } = host();
		const calls = [suspends('A person'), sleeps(3_600)];
		const alone = [sleeps(3_600)];
		const spec = manyItems(calls, [callEach(credential), awaitParks(), lookBack()]);
		const parked = await runUntil(rest, spec, ['waiting']);
		const asleep = await runUntil(rest, manyItems(alone, [callEach(credential), lookBack()]), [
			'waiting',
		]);
		for (const { id } of [parked, asleep]) {
			await rest.stopExecution(id);
			await rest.waitForExecution(id, ['canceled']);
		}
		const again = await rest.waitForExecution(await rest.retryExecution(parked.id), ['waiting']);
		expect(outcomesOf(again)).toEqual(['suspended', 'sleeping']);
		expect(outcomesOf(again, 'Await')).toEqual(['suspended', 'sleeping']);
		await rest.stopExecution(again.id);
		// n8n forwards what was to leave at the instant, without a look at the clock.
		const woken = await rest.execution(await rest.retryExecution(asleep.id));
		expect([woken.status, callOf(woken).outcome]).toEqual(['success', 'woke']);
		expect(sent([...calls, ...alone])).toEqual([1, 1, 1]);
	});

	test.each([false, true])(
		'with a limit that was stopped leaves as it waits when n8n retries it, with the workflow as saved now: %j; nothing expired, and an answer that was recorded is in it (P20, P26)',
		async (loadWorkflow) => {
			const { rest } = host();
			const calls = [suspends('One'), suspends('Other')];
			const node = callEach(credential, { options: limitOf(3_600) });
			const parked = await runUntil(rest, manyItems(calls, [node, lookBack()]), ['waiting']);
			expect((await postAnswer(shownUrl(parked), 'first')).status).toBe(202);
			await rest.stopExecution(parked.id);
			await rest.waitForExecution(parked.id, ['canceled']);
			const again = await rest.waitForExecution(
				await rest.retryExecution(parked.id, loadWorkflow),
				['success'],
			);
			// With another workflow n8n forwards what was stored, which knows no answers.
			const first = loadWorkflow ? 'suspended' : 'resumed';
			expect(outcomesOf(again)).toEqual([first, 'suspended']);
			expect(JSON.stringify(jsonOf(again, 'Call'))).not.toContain('resumeUrl');
			expect(jsonOf(again, 'After')).toEqual(lookedBack([loadWorkflow ? null : 'first', null]));
			expect(sent(calls)).toEqual([1, 1]);
		},
	);

	test('that awaits an answer outlives the timeout of its workflow: n8n measures anew from the answer', async () => {
		const { rest } = host();
		const begunAt = Date.now();
		const calls = [suspends('First')];
		const spec = manyItems(calls, [callEach(credential), lookBack()]);
		const parked = await runUntil(rest, withSettings(spec, { executionTimeout: 5 }), ['waiting']);
		expect(parked.runData.Call?.at(-1)?.hints).toEqual([]);
		await passed(begunAt + 8_000);
		expect((await rest.execution(parked.id)).status).toBe('waiting');
		expect((await postAnswer(shownUrl(parked), 'late')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['late']));
	});

	test('that sleeps longer than its workflow may run says that n8n will cancel it; n8n does, and tells the error workflow', async () => {
		const { rest } = host();
		const errors = await errorWorkflow();
		const hook = `timeout-${randomUUID()}`;
		const calls = [sleeps(90)];
		const spec = manyItems(
			calls,
			[callEach(credential), lookBack()],
			undefined,
			webhookTrigger(hook),
		);
		const settings = { executionTimeout: 30, errorWorkflow: errors.id };
		const { executionId } = await runInProduction(rest, withSettings(spec, settings), hook);
		const parked = await rest.waitForExecution(executionId, ['waiting']);
		expect(parked.runData.Call?.at(-1)?.hints).toEqual([
			expect.objectContaining({
				type: 'warning',
				message: expect.stringMatching(/^This execution may wait until .* may take 30 seconds/),
			}),
		]);
		const ended = await rest.waitForExecution(executionId, ['canceled'], 120_000);
		expect(ended.runData).not.toHaveProperty('After');
		expect(await errors.told()).toMatchObject({ execution: executionId });
		expect((await postAnswer(shownUrl(parked), {})).status).toBe(409);
		expect(sent(calls)).toEqual([1]);
	});

	test('that sleeps shorter than its workflow may run says nothing, and wakes (P23)', async () => {
		const { rest } = host();
		const hook = `awake-${randomUUID()}`;
		const nodes = [callEach(credential), lookBack()];
		const spec = manyItems([sleeps(90)], nodes, undefined, webhookTrigger(hook));
		const settings = { executionTimeout: 600 };
		const { executionId } = await runInProduction(rest, withSettings(spec, settings), hook);
		const parked = await rest.waitForExecution(executionId, ['waiting']);
		expect(parked.runData.Call?.at(-1)?.hints).toEqual([]);
		const done = await rest.waitForExecution(parked.id, ['success'], 120_000);
		expect(outcomesOf(done)).toEqual(['woke']);
	});

	test('of a sub-workflow does not keep its parent from its own timeout: n8n cancels the parent when the child ends, and the child’s output is lost', async () => {
		const { rest } = host();
		const childId = await createChild(rest, credential);
		const spec = workflow([manualTrigger(), ...parentNodes(childId, [suspends('Below')])]);
		const { id } = await rest.createWorkflow(withSettings(spec, { executionTimeout: 10 }));
		const parentId = await rest.runManually(id);
		await rest.waitForExecution(parentId, ['waiting']);
		const waitsSince = Date.now();
		const [child = ''] = await waitingRuns(rest, childId, 1);
		await passed(waitsSince + 12_000);
		expect((await postAnswer(await rest.resumeUrl(child), 'yes')).status).toBe(200);
		await rest.waitForExecution(child, ['success']);
		await rest.waitForExecution(parentId, ['canceled']);
	});

	test('starts no error workflow, and a call that fails after the answer does', async () => {
		const { rest } = host();
		const errors = await errorWorkflow();
		const hook = `error-${randomUUID()}`;
		const calls = [suspends('May I?'), failsLanded('No stock')] as const;
		const spec = workflow([
			webhookTrigger(hook),
			relay(credential, calls[0]),
			relay(credential, calls[1], {}, 'Second'),
		]);
		const { executionId } = await runInProduction(
			rest,
			withSettings(spec, { errorWorkflow: errors.id }),
			hook,
		);
		const parked = await rest.waitForExecution(executionId, ['waiting']);
		expect((await postAnswer(shownUrl(parked), 'yes')).status).toBe(200);
		await rest.waitForExecution(executionId, ['error']);
		expect(await errors.told()).toEqual({
			execution: executionId,
			message: 'The tool "relay" answered with an error: No stock',
		});
		expect(await errors.runs()).toHaveLength(1);
		expect(sent(calls)).toEqual([1, 1]);
	});
});

const ledgerFile = () => path.join(host().userFolder, '.n8n', 'salvor-ledger.sqlite');
