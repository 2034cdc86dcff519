import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Execution, ExecutionStatus } from '../../scripts/host/executionData';
import { asJson } from '../../scripts/host/json';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference, WorkflowSpec } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { host, httpConnection, itemsOf, jsonOf, postAnswer, runUntil } from '../support/host';
import { toolCallType } from '../support/host';
import { limitedAwait, limitedCall, limitOf, POLL_MS } from '../support/limitedRuns';
import {
	callEach,
	listItems,
	lookBack,
	lookedBack,
	manyItems,
	outcomesOf,
	runUrl,
} from '../support/manyParks';
import {
	answers,
	callOf,
	failsLanded,
	parkOf,
	runInProduction,
	sendsPark,
	shownUrl,
	suspends,
} from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import {
	items,
	manualTrigger,
	nothing,
	setFields,
	webhookTrigger,
	workflow,
} from '../support/workflow';

const errorOutput = { onError: 'continueErrorOutput' };
const retries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

// They wait for n8n to look, all at once.
vi.setConfig({ testTimeout: 300_000 });

let parkServer: ParkServer;
let credential: CredentialReference;

/** Workflows that have to be published first, which takes n8n a while when much goes on. */
let inProduction: Awaited<ReturnType<typeof startInProduction>>;
let child: Awaited<ReturnType<typeof publishChild>>;

beforeAll(async () => {
	parkServer = await startParkServer();
	credential = await httpConnection(host().rest, { endpoint: parkServer.endpoint });
	child = await publishChild();
	inProduction = await startInProduction();
});
afterAll(async () => {
	await parkServer.stop();
});

const sent = (calls: readonly RelayCall[]) => calls.map(({ tag }) => parkServer.calls(tag).length);
const sleeps = (until: Date) => sendsPark({ sleep_until: until.toISOString() });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

/** Soon: the first time that n8n looks, the limit has passed. */
const SOON = 1;
/** Long enough to answer before, on a slow machine too. */
const IN_TIME = 75;

async function park(spec: WorkflowSpec): Promise<Execution> {
	return await runUntil(host().rest, spec, ['waiting']);
}

async function ends(parked: Execution, status: ExecutionStatus = 'success'): Promise<Execution> {
	return await host().rest.waitForExecution(parked.id, [status], POLL_MS);
}

/** All calls were sent once, and the node has one run. */
function expectCalledOnce(done: Execution, calls: readonly RelayCall[], node = 'Call'): void {
	expect(sent(calls)).toEqual(calls.map(() => 1));
	expect(done.runData[node]).toHaveLength(1);
}

/** A wait that expires and fails in a production run, which has an error workflow. */
async function startInProduction() {
	const { rest } = host();
	const caught = await rest.createWorkflow(
		workflow([
			{ name: 'Start', type: 'n8n-nodes-base.errorTrigger' },
			setFields({ said: '{{ $json.execution.error.message }}' }),
		]),
	);
	await rest.activate(caught.id);
	const calls = [answers('said 0'), suspends('First')];
	const path = `limit-${randomUUID()}`;
	const spec = workflow([
		webhookTrigger(path),
		items(
			calls.map((call) => ({ call })),
			'Before',
		),
		limitedCall(credential, limitOf(IN_TIME, 'fail')),
		nothing(),
	]);
	const settings = { executionOrder: 'v1', errorWorkflow: caught.id };
	const { executionId } = await runInProduction(rest, { ...spec, settings }, path);
	return { calls, caughtBy: caught.id, executionId };
}

async function publishChild() {
	const { rest } = host();
	const call = suspends('First');
	const trigger = {
		name: 'Start',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	};
	const before = items([{ x: 'x0', call }], 'Before');
	const { id } = await rest.createWorkflow(
		workflow([trigger, before, limitedCall(credential, limitOf(SOON)), lookBack()]),
	);
	await rest.activate(id);
	return { id, call };
}

/** n8n looks for due executions once a minute. Resolves right after it has done so: the next look is far off then. */
async function n8nHasLooked(): Promise<void> {
	const calls = [suspends('Tells when n8n looks')];
	await ends(await park(manyItems(calls, [limitedCall(credential, limitOf(0.01))])));
}

describe.concurrent('nobody answers in time (P26)', () => {
	test('one item leaves as expired with its park and without address, once, and paired (P20, P21)', async () => {
		const calls = [suspends('Pay the first?')];
		const spec = manyItems(calls, [limitedCall(credential, limitOf(SOON)), lookBack()]);
		const parked = await park(spec);
		const { deadline } = parkOf(parked);
		expect(parked.waitTill?.toISOString()).toBe(deadline);
		expect(new Date(String(deadline)).getTime()).toBeGreaterThan(
			new Date(String(parkOf(parked).parkedAt)).getTime(),
		);

		const done = await ends(parked);
		expect(jsonOf(done, 'Call')).toEqual([
			{
				output: null,
				call: {
					...callOf(parked),
					outcome: 'expired',
					park: {
						kind: 'person',
						reason: 'Pay the first?',
						inputSchema: true,
						parkedAt: parkOf(parked).parkedAt,
						deadline,
					},
				},
			},
		]);
		expect(jsonOf(done, 'After')).toEqual(lookedBack([null]));
		expectCalledOnce(done, calls);
		expect(done.runData.Call?.[0]?.status).toBe('success');
	});

	test('of five items the answered leave with their answers, the others as they are, all in order and paired (P21, P24, P25)', async () => {
		const calls = [
			suspends('First'),
			answers('said 1'),
			suspends('Second'),
			sleeps(inSeconds(3_600)),
			suspends('Third'),
		];
		const limit = limitOf(IN_TIME);
		const parked = await park(manyItems(calls, [limitedCall(credential, limit), lookBack()]));
		expect((await postAnswer(shownUrl(parked, 'Call', 4), 'third')).status).toBe(202);
		expect((await postAnswer(shownUrl(parked, 'Call', 0), 'first')).status).toBe(202);
		const done = await ends(parked);
		expect(outcomesOf(done)).toEqual(['resumed', 'completed', 'expired', 'sleeping', 'resumed']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', null, null, 'third']));
		expect(parkOf(done, 'Call', 3)).not.toHaveProperty('deadline');
		expect(JSON.stringify(jsonOf(done, 'Call'))).not.toContain('resumeUrl');
		expectCalledOnce(done, calls);
	});

	test('all answered before the deadline: it goes on at once, with no item expired', async () => {
		const calls = [suspends('First'), answers('said 1'), suspends('Second')];
		const limit = limitOf(3_600, 'fail');
		const parked = await park(manyItems(calls, [limitedCall(credential, limit), lookBack()]));
		expect((await postAnswer(shownUrl(parked, 'Call', 2), 'second')).status).toBe(202);
		const last = await postAnswer(shownUrl(parked, 'Call', 0), 'first');
		expect([last.status, await last.json()]).toEqual([200, { status: 'resumed' }]);
		const done = await host().rest.waitForExecution(parked.id, ['success']);
		expect(outcomesOf(done)).toEqual(['resumed', 'completed', 'resumed']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', 'second']));
		expect(done.runData.After).toHaveLength(1);
		expectCalledOnce(done, calls);
		expect((await postAnswer(shownUrl(parked), 'again')).status).toBe(409);
	});

	test('with operation Await the limit counts from where that wait begins, and an expired item passes a second Await', async () => {
		const calls = [suspends('First'), answers('said 1'), suspends('Second')];
		const nodes = [
			callEach(credential, { whenParked: 'continue', options: limitOf(1) }),
			limitedAwait(toolCallType, limitOf(IN_TIME)),
			{ ...limitedAwait(toolCallType, {}), name: 'Again' },
			lookBack(),
		];
		const parked = await park(manyItems(calls, nodes));
		expect((await postAnswer(shownUrl(parked, 'Await', 2), 'second')).status).toBe(202);
		const done = await ends(parked);
		expect(outcomesOf(done, 'Again')).toEqual(['expired', 'completed', 'resumed']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack([null, 'said 1', 'second']));
		expectCalledOnce(done, calls, 'Await');
		expectCalledOnce(done, calls);
	});

	test('a limit does nothing to a run in which all items sleep', async () => {
		const until = inSeconds(3_600);
		const spec = manyItems([sleeps(until)], [limitedCall(credential, limitOf(SOON, 'fail'))]);
		const parked = await park(spec);
		expect(parked.waitTill).toEqual(until);
		expect(parkOf(parked)).not.toHaveProperty('deadline');
		await host().rest.stopExecution(parked.id);
	});
});

describe.concurrent('On Expiry = Fail the Item', () => {
	const failure = (deadline: unknown, item = 0) =>
		`Nobody answered "relay" (item ${String(item)}) by ${String(deadline)}`;

	test('fails the node, and the error workflow runs', async () => {
		const { rest } = host();
		const { calls, caughtBy, executionId } = inProduction;
		const parked = await rest.waitForExecution(executionId, ['waiting']);
		const { deadline } = parkOf(parked, 'Call', 1);
		const failed = await ends(parked, 'error');
		expect(failed.lastNode).toBe('Call');
		expect(failed.error?.message).toBe(failure(deadline, 1));
		expect(failed.error?.description).toContain('Code: wait-expired. Disposition: landed.');
		expect(failed.runData).not.toHaveProperty('After');
		expectCalledOnce(failed, calls);

		const told = await until(
			async () => (await rest.listExecutions(caughtBy))[0]?.id,
			30_000,
			() => 'The error workflow did not run',
		);
		const handled = await rest.waitForExecution(told, ['success']);
		expect(jsonOf(handled, 'After')).toEqual([{ said: failure(deadline, 1) }]);

		// Tried again by hand it fails the same way, and calls nothing.
		const again = await rest.retryExecution(executionId);
		const failedAgain = await rest.waitForExecution(again, ['error']);
		expect(failedAgain.error?.message).toBe(failure(deadline, 1));
		expect(sent(calls)).toEqual([1, 1]);
	});

	test('with an error output the expired leave there and the others on the first, paired', async () => {
		const calls = [suspends('First'), failsLanded('no'), suspends('Second'), answers('said 3')];
		const row = manyItems(calls, [
			limitedCall(credential, limitOf(IN_TIME, 'fail'), { settings: errorOutput }),
			lookBack(),
			setFields({ x: "{{ $('Before').item.json.x }}", code: '{{ $json.error.code }}' }, 'Failed'),
		]);
		const spec = {
			...row,
			connections: {
				...row.connections,
				Call: {
					main: [
						[{ node: 'After', type: 'main', index: 0 }],
						[{ node: 'Failed', type: 'main', index: 0 }],
					],
				},
				After: { main: [[]] },
			},
		};
		const parked = await park(spec);
		expect((await postAnswer(shownUrl(parked, 'Call', 2), 'second')).status).toBe(202);
		const done = await ends(parked);
		expect(jsonOf(done, 'After')).toEqual([
			{ x: 'x2', output: '"second"' },
			{ x: 'x3', output: '"said 3"' },
		]);
		expect(jsonOf(done, 'Failed')).toEqual([
			{ x: 'x0', code: 'wait-expired' },
			{ x: 'x1', code: 'tool-error' },
		]);
		const [expired] = jsonOf(done, 'Call', 1);
		const { deadline } = parkOf(parked);
		expect(expired).toMatchObject({
			error: {
				message: failure(deadline),
				code: 'wait-expired',
				disposition: 'landed',
				stage: 'call',
				attempts: 1,
			},
			details: {
				call: {
					tool: 'relay',
					outcome: 'failed',
					disposition: 'landed',
					park: { kind: 'person', reason: 'First', deadline },
				},
			},
		});
		expect(JSON.stringify(expired)).not.toContain('resumeUrl');
		expectCalledOnce(done, calls);
	});

	test.each(['stopWorkflow', 'continueRegularOutput'])(
		'Retry On Fail with On Error = %s neither calls nor waits again (P20)',
		async (onError) => {
			const calls = [suspends('First'), answers('said 1')];
			const settings = { ...retries, onError };
			const node = limitedCall(credential, limitOf(SOON, 'fail'), { settings });
			const parked = await park(manyItems(calls, [node, nothing()]));
			const stops = onError === 'stopWorkflow';
			const ended = await ends(parked, stops ? 'error' : 'success');
			expect(sent(calls)).toEqual([1, 1]);
			expect(ended.runData.Call).toHaveLength(1);
			if (stops) return;
			expect(jsonOf(ended, 'After')).toMatchObject([
				{ error: { code: 'wait-expired' } },
				{ output: 'said 1' },
			]);
		},
	);
});

describe.concurrent('the address, once the deadline has passed', () => {
	test('takes no answer, says so in JSON and on the page, and shows the deadline before (R9)', async () => {
		await n8nHasLooked();
		const calls = [suspends('First'), suspends('Second')];
		const parked = await park(manyItems(calls, [limitedCall(credential, limitOf(12)), lookBack()]));
		const deadline = String(parkOf(parked).deadline);
		const url = runUrl(parked);
		expect((await postAnswer(shownUrl(parked, 'Call', 1), 'second')).status).toBe(202);
		expect((await listItems(url)).map((item) => item.deadline)).toEqual([deadline, deadline]);
		const page = async (of: string) =>
			await (await fetch(of, { headers: { accept: 'text/html' } })).text();
		expect(await page(shownUrl(parked))).toMatch(/Answer by.*datetime="/s);
		expect(await page(url)).toContain('Answer by');

		await until(
			() => (Date.now() >= new Date(deadline).getTime() ? true : undefined),
			20_000,
			() => 'The deadline did not come',
		);
		const refused = await postAnswer(shownUrl(parked), 'too late');
		expect([refused.status, await refused.json()]).toEqual([
			409,
			{
				status: 'expired',
				deadline,
				message: 'The time for an answer is over; no answer is taken any more.',
			},
		]);
		const before = await postAnswer(shownUrl(parked, 'Call', 1), 'another');
		expect([before.status, await before.json()]).toMatchObject([409, { status: 'answered' }]);
		const listing = await fetch(url, { headers: { accept: 'application/json' } });
		expect(await listing.json()).toMatchObject({ status: 'expired' });
		const late = await page(shownUrl(parked));
		expect(late).toContain('The time for this answer is over');
		expect(late).not.toContain('goes on');
		expect(late).not.toContain('id="answer"');
		expect((await host().rest.execution(parked.id)).status).toBe('waiting');

		const done = await ends(parked);
		expect(jsonOf(done, 'After')).toEqual(lookedBack([null, 'second']));
		expectCalledOnce(done, calls);
		expect((await postAnswer(shownUrl(parked), 'too late')).status).toBe(409);
	});
});

describe.concurrent("n8n's other ways of running a node", () => {
	test('Execute Once with Always Output Data: one item is called and leaves, and no empty one', async () => {
		const calls = [suspends('First'), suspends('Never asked')];
		const settings = { executeOnce: true, alwaysOutputData: true };
		const node = limitedCall(credential, limitOf(SOON), { settings });
		const done = await ends(await park(manyItems(calls, [node, lookBack()])));
		expect(outcomesOf(done)).toEqual(['expired']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack([null]));
		expect(sent(calls)).toEqual([1, 0]);
	});

	test('a run up to the node', async () => {
		const { rest } = host();
		const calls = [suspends('First')];
		const node = limitedCall(credential, limitOf(SOON));
		const { id } = await rest.createWorkflow(manyItems(calls, [node, nothing()]));
		const executionId = await rest.runManually(id, { destination: 'Call' });
		const done = await ends(await rest.waitForExecution(executionId, ['waiting']));
		expect(outcomesOf(done)).toEqual(['expired']);
		expect(done.runData).not.toHaveProperty('After');
		expectCalledOnce(done, calls);
	});

	test('a loop: a wait that expires, then one that is answered, each with its own item', async () => {
		const { rest } = host();
		const calls = [suspends('First'), suspends('Second'), suspends('Third')];
		const before = items(
			calls.map((call, x) => ({ x: `x${String(x)}`, call })),
			'Before',
		);
		const loop = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 1, options: {} },
		};
		const node = limitedCall(credential, limitOf(40));
		const spec = workflow(
			[manualTrigger(), before, loop, node, setFields({ said: '{{ $json.call.outcome }}' })],
			[
				{ from: 'Start', to: 'Before' },
				{ from: 'Before', to: 'Loop' },
				{ from: 'Loop', output: 1, to: 'Call' },
				{ from: 'Call', to: 'Loop' },
				{ from: 'Loop', output: 0, to: 'After' },
			],
		);
		const first = await park(spec);
		expect((await postAnswer(shownUrl(first), 'first')).status).toBe(200);
		const waitsFor = async (reason: string) =>
			await until(
				async () => {
					const execution = await rest.execution(first.id);
					const shown = execution.status === 'waiting' ? parkOf(execution) : {};
					return shown.reason === reason ? execution : undefined;
				},
				POLL_MS,
				() => `Nothing waits for ${reason}`,
			);
		await waitsFor('Second');
		const third = await waitsFor('Third');
		expect((await postAnswer(shownUrl(third), 'third')).status).toBe(200);
		const done = await rest.waitForExecution(first.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual([
			{ said: 'resumed' },
			{ said: 'expired' },
			{ said: 'resumed' },
		]);
		expect(done.runData.Call).toHaveLength(3);
		expect(sent(calls)).toEqual([1, 1, 1]);
	});

	test('two branches into the node: each waits by itself, and both expire with their own items', async () => {
		const calls = [suspends('First'), suspends('Second')];
		const before = items(
			calls.map((call, x) => ({ x: `x${String(x)}`, call })),
			'Before',
		);
		const split = {
			name: 'Split',
			type: 'n8n-nodes-base.if',
			typeVersion: 2.2,
			parameters: {
				conditions: {
					options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
					combinator: 'and',
					conditions: [
						{
							id: 'first',
							leftValue: '={{ $json.x }}',
							rightValue: 'x0',
							operator: { type: 'string', operation: 'equals' },
						},
					],
				},
				options: {},
			},
		};
		const spec = workflow(
			[manualTrigger(), before, split, limitedCall(credential, limitOf(SOON)), lookBack()],
			[
				{ from: 'Start', to: 'Before' },
				{ from: 'Before', to: 'Split' },
				{ from: 'Split', output: 0, to: 'Call' },
				{ from: 'Split', output: 1, to: 'Call' },
				{ from: 'Call', to: 'After' },
			],
		);
		const { rest } = host();
		const first = await park(spec);
		const second = await until(
			async () => {
				const execution = await rest.execution(first.id);
				return (execution.runData.Call?.length ?? 0) === 2 ? execution : undefined;
			},
			POLL_MS,
			() => 'The second branch was not run',
		);
		const done = await ends(second);
		expect(sent(calls)).toEqual([1, 1]);
		const reasons = (done.runData.Call ?? []).map(
			({ outputs }) => outputs[0]?.map(({ json }) => (json.call as Json).park as Json)[0]?.reason,
		);
		expect(reasons.toSorted()).toEqual(['First', 'Second']);
		const pairs = (done.runData.After ?? []).flatMap(({ outputs }) =>
			(outputs[0] ?? []).map(({ json }) => json.x),
		);
		expect(pairs.toSorted()).toEqual(['x0', 'x1']);
	});

	test('a sub-workflow: the parent gets what its child puts out after the limit (P28)', async () => {
		const { call, id } = child;
		const parent = await park(
			workflow([
				manualTrigger(),
				{
					name: 'Child',
					type: 'n8n-nodes-base.executeWorkflow',
					typeVersion: 1.2,
					parameters: {
						workflowId: { __rl: true, mode: 'id', value: id },
						options: {},
					},
				},
				nothing(),
			]),
		);
		const done = await ends(parent);
		expect(jsonOf(done, 'After')).toEqual(lookedBack([null]));
		expect(sent([call])).toEqual([1]);
	});

	test('binary data and fields beside leave with an item that expires', async () => {
		const calls = [suspends('First'), suspends('Second')];
		const mark = {
			name: 'Mark',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: {
				jsCode:
					"return $input.all().map((item) => ({ ...item, json: { ...item.json, mark: 'kept' }, binary: { file: { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' } } }));",
			},
		};
		const nodes = [
			callEach(credential, { whenParked: 'continue' }),
			mark,
			limitedAwait(toolCallType, limitOf(SOON)),
		];
		const done = await ends(await park(manyItems(calls, nodes)));
		for (const item of itemsOf(done, 'Await')) {
			expect(item.json.mark).toBe('kept');
			expect(asJson(item.binary?.file, 'The file')).toMatchObject({ mimeType: 'text/plain' });
		}
		expect(outcomesOf(done, 'Await')).toEqual(['expired', 'expired']);
	});
});

test.concurrent(
	"n8n's timer of a wait that an answer has ended does not end the next wait of the execution",
	async () => {
		const { rest } = host();
		await n8nHasLooked();
		// n8n arms the timers of all three at its next look, and keeps those whose wait an answer ends.
		const looked = n8nHasLooked();
		const sleepsUntil = inSeconds(3_600);
		const stale = [suspends('Answered in time'), suspends('Has no limit')];
		const asleep = [suspends('Answered in time'), sleeps(sleepsUntil)];
		const two = (calls: readonly RelayCall[]) =>
			workflow([
				manualTrigger(),
				items([{ call: calls[0], next: calls[1] }], 'Before'),
				limitedCall(credential, limitOf(66)),
				items([{ call: calls[1] }], 'Then'),
				{
					...callEach(credential, { name: 'Next' }),
					parameters: {
						...callEach(credential).parameters,
						argumentsJson: '={{ JSON.stringify($json.call) }}',
					},
				},
			]);
		const [waits, sleeper] = [await park(two(stale)), await park(two(asleep))];
		const witness = await park(
			manyItems([suspends('Tells when the timers fire')], [limitedCall(credential, limitOf(68))]),
		);
		await looked;
		for (const execution of [waits, sleeper]) {
			expect((await postAnswer(shownUrl(execution), 'in time')).status).toBe(200);
		}
		await ends(witness);
		const settledDown = async (id: string) =>
			await until(
				async () => {
					const execution = await rest.execution(id);
					const again = execution.status === 'waiting' && execution.runData.Next !== undefined;
					return again ? execution : undefined;
				},
				20_000,
				() => `Execution ${id} does not wait any more`,
			);
		const stillWaits = await settledDown(waits.id);
		const stillSleeps = await settledDown(sleeper.id);
		expect(stillSleeps.waitTill).toEqual(sleepsUntil);
		await rest.stopExecution(sleeper.id);
		expect((await postAnswer(shownUrl(stillWaits, 'Next'), 'at last')).status).toBe(200);
		const done = await rest.waitForExecution(waits.id, ['success']);
		expect(jsonOf(done, 'Next')[0]?.output).toBe('at last');
		expect(done.runData.Next).toHaveLength(1);
		expect(sent([...stale, ...asleep])).toEqual([1, 1, 1, 1]);
	},
);

describe.concurrent('a limit that is of no use is refused before anything is called', () => {
	test.each([
		['an amount of 0', { amount: 0 }, 'Amount'],
		['a negative amount', { amount: -1 }, 'Amount'],
		['an amount that is a text', { amount: '={{ "soon" }}' }, 'Amount'],
		['an unknown unit', { unit: 'fortnights' }, 'Unit'],
		['a deadline in the year 3000', { amount: 400_000, unit: 'days' }, '3000'],
	])('%s', async (_, values, named) => {
		const { rest } = host();
		const call = suspends('Never asked');
		const limit = { limitWait: { values } };
		const failed = await runUntil(
			rest,
			manyItems([call], [limitedCall(credential, limit), nothing()]),
			['error'],
		);
		expect(failed.error?.message).toContain('Limit Wait');
		expect(failed.error?.message).toContain(named);
		expect(failed.error?.description).toContain('did-not-happen');
		expect(sent([call])).toEqual([0]);
	});
});

test.concurrent(
	'no wait ends before its deadline; one of more than 70 s ends on time, a shorter one when n8n looks next',
	async () => {
		const leaves = async (seconds: number) => {
			const calls = [suspends(`In ${String(seconds)} s`)];
			const stamp = setFields({ at: '{{ Date.now() }}' });
			const parked = await park(
				manyItems(calls, [limitedCall(credential, limitOf(seconds)), stamp]),
			);
			const done = await ends(parked);
			const deadline = new Date(String(parkOf(parked).deadline)).getTime();
			return { seconds, lateMs: Number(jsonOf(done, 'After')[0]?.at) - deadline };
		};
		const measured = await Promise.all([0.001, 1, 10, 30, 50, 66, 75, 95, 130].map(leaves));
		if (process.env['SHOW_LATENESS'] !== undefined) console.log(JSON.stringify(measured));
		for (const { seconds, lateMs } of measured) {
			expect(lateMs).toBeGreaterThanOrEqual(0);
			expect(lateMs).toBeLessThan(seconds > 70 ? 10_000 : 70_000);
		}
	},
);
