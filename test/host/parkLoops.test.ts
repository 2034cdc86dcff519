import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { host, httpConnection, jsonOf, postAnswer, runUntil } from '../support/host';
import {
	awaitParks,
	callEach,
	ifOutcome,
	listItems,
	manyItems,
	outcomesOf,
} from '../support/manyParks';
import { answers, callJson, shownUrl, suspends } from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { setFields } from '../support/workflow';
import type { NodeSpec, Wire } from '../support/workflow';

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
const said = setFields({ said: '{{ $json.output }}' });

/** Hands on two items at a time. */
const batchesOfTwo: NodeSpec = {
	name: 'Loop',
	type: 'n8n-nodes-base.splitInBatches',
	typeVersion: 3,
	parameters: { batchSize: 2, options: {} },
};
const roundTheCall: readonly Wire[] = [
	{ from: 'Start', to: 'Before' },
	{ from: 'Before', to: 'Loop' },
	{ from: 'Loop', output: 1, to: 'Call' },
	{ from: 'Call', to: 'Loop' },
];

test('a node with When Parked = Continue, wired back to itself while items are open, awaits them on their way round: it neither spins nor calls again (P20, P27)', async () => {
	const { rest } = host();
	const calls = [suspends('First'), answers('said 1'), suspends('Last')];
	const spec = manyItems(
		calls,
		[callEach(credential, { whenParked: 'continue' }), ifOutcome('suspended', 'Open'), said],
		[
			{ from: 'Start', to: 'Before' },
			{ from: 'Before', to: 'Call' },
			{ from: 'Call', to: 'Open' },
			{ from: 'Open', output: 0, to: 'Call' },
			{ from: 'Open', output: 1, to: 'After' },
		],
	);
	const parked = await runUntil(rest, spec, ['waiting']);
	expect(parked.runData.Call).toHaveLength(2);
	expect(outcomesOf(parked)).toEqual(['suspended', 'suspended']);
	expect((await postAnswer(shownUrl(parked, 'Call', 1), 'last')).status).toBe(202);
	expect((await postAnswer(shownUrl(parked), 'first')).status).toBe(200);
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(done.runData.Call).toHaveLength(2);
	const outputs = (done.runData.After ?? []).flatMap(({ outputs: [items = []] }) =>
		items.map(({ json }) => json.said),
	);
	expect(outputs.toSorted()).toEqual(['first', 'last', 'said 1']);
	expect(sent(calls)).toEqual([1, 1, 1]);
});

test('an item that parks in a node with When Parked = Continue leaves with its park open, beside one that was awaited there (P27)', async () => {
	const { rest } = host();
	const [carried, fresh] = [suspends('Carried'), suspends('New')];
	const both: NodeSpec = {
		name: 'Both',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `return [$input.first(), { json: { request: ${JSON.stringify(fresh)} } }];`,
		},
	};
	const second = callJson(
		credential,
		'relay',
		'={{ JSON.stringify($json.request) }}',
		{},
		'Second',
	);
	const spec = manyItems(
		[carried],
		[
			callEach(credential, { whenParked: 'continue' }),
			both,
			{ ...second, parameters: { ...second.parameters, whenParked: 'continue' } },
			awaitParks(),
			said,
		],
	);
	const parked = await runUntil(rest, spec, ['waiting']);
	expect((await listItems(await rest.resumeUrl(parked.id))).map(({ reason }) => reason)).toEqual([
		'Carried',
	]);
	expect((await postAnswer(shownUrl(parked, 'Second'), 'to the carried')).status).toBe(200);
	await expect
		.poll(async () => (await rest.execution(parked.id)).runData.Await?.length, { timeout: 30_000 })
		.toBe(1);
	const again = await rest.waitForExecution(parked.id, ['waiting']);
	expect(outcomesOf(again, 'Second')).toEqual(['resumed', 'suspended']);
	expect((await postAnswer(shownUrl(again, 'Await', 1), 'to the new')).status).toBe(200);
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, 'After')).toEqual([{ said: 'to the carried' }, { said: 'to the new' }]);
	expect(sent([carried, fresh])).toEqual([1, 1]);
});

test('Loop Over Items with two items a batch: each batch parks by itself, and all leave in order (P20, P21, P24)', async () => {
	const { rest } = host();
	const calls = [0, 1, 2, 3].map((x) => suspends(`Question ${String(x)}`));
	const spec = manyItems(
		calls,
		[batchesOfTwo, callEach(credential), said],
		[...roundTheCall, { from: 'Loop', output: 0, to: 'After' }],
	);
	const { id } = await rest.createWorkflow(spec);
	const executionId = await rest.runManually(id);
	for (const round of [0, 1]) {
		const [first, second] = [`Question ${String(round * 2)}`, `Question ${String(round * 2 + 1)}`];
		await expect
			.poll(async () => (await rest.execution(executionId)).runData.Call?.length, {
				timeout: 30_000,
			})
			.toBe(round + 1);
		const parked = await rest.waitForExecution(executionId, ['waiting']);
		expect((await listItems(shownUrl(parked))).map(({ reason }) => reason)).toEqual([
			first,
			second,
		]);
		expect(sent(calls)).toEqual(round === 0 ? [1, 1, 0, 0] : [1, 1, 1, 1]);
		expect((await postAnswer(shownUrl(parked, 'Call', 1), `to ${second}`)).status).toBe(202);
		expect((await postAnswer(shownUrl(parked), `to ${first}`)).status).toBe(200);
	}
	const done = await rest.waitForExecution(executionId, ['success']);
	expect(jsonOf(done, 'After')).toEqual(
		[0, 1, 2, 3].map((x) => ({ said: `to Question ${String(x)}` })),
	);
	expect(sent(calls)).toEqual([1, 1, 1, 1]);
});

test('Loop Over Items around a call with When Parked = Continue collects all parks, and one Await behind the loop waits for them together (P24, P27)', async () => {
	const { rest } = host();
	const calls = [0, 1, 2].map((x) => suspends(`Question ${String(x)}`));
	const spec = manyItems(
		calls,
		[batchesOfTwo, callEach(credential, { whenParked: 'continue' }), awaitParks(), said],
		[...roundTheCall, { from: 'Loop', output: 0, to: 'Await' }, { from: 'Await', to: 'After' }],
	);
	const parked = await runUntil(rest, spec, ['waiting']);
	expect(parked.runData.Call).toHaveLength(2);
	expect(outcomesOf(parked, 'Await')).toEqual(['suspended', 'suspended', 'suspended']);
	for (const [at, item] of [1, 2, 0].entries()) {
		const { status } = await postAnswer(shownUrl(parked, 'Await', item), `to ${String(item)}`);
		expect(status).toBe(at < 2 ? 202 : 200);
	}
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, 'After')).toEqual([0, 1, 2].map((x) => ({ said: `to ${String(x)}` })));
	expect(sent(calls)).toEqual([1, 1, 1]);
});
