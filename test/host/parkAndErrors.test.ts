import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEffects } from '../../examples/demo-server/effects.ts';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { host, httpConnection, itemsOf, jsonOf, postAnswer, runUntil } from '../support/host';
import {
	answers,
	callJson,
	callOf,
	failsLanded,
	newTag,
	parkOf,
	relay,
	relayEach,
	sendsPark,
	shownUrl,
	suspends,
} from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { items, manualTrigger, nothing, setFields, workflow } from '../support/workflow';
import type { NodeSpec } from '../support/workflow';

const continueOnFail = { onError: 'continueRegularOutput' };
const errorOutput = { onError: 'continueErrorOutput' };
const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

let parkServer: ParkServer;
let credential: CredentialReference;

beforeAll(async () => {
	parkServer = await startParkServer();
	credential = await httpConnection(host().rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await parkServer.stop();
});

/** One item for each call, `x` counting them; `After` and `Failed` look back to `Before` by expression. */
function perItem(calls: readonly RelayCall[], settings: Json = {}, tool = 'relay') {
	const nodes: readonly NodeSpec[] = [
		manualTrigger(),
		items(
			calls.map((call, x) => ({ x: `x${String(x)}`, call })),
			'Before',
		),
		relayEach(credential, settings, tool),
		setFields({
			x: "{{ $('Before').item.json.x }}",
			said: '{{ $json.output ?? $json.error.code }}',
		}),
		setFields({ x: "{{ $('Before').item.json.x }}", code: '{{ $json.error.code }}' }, 'Failed'),
	];
	return workflow(nodes, [
		{ from: 'Start', to: 'Before' },
		{ from: 'Before', to: 'Call' },
		{ from: 'Call', to: 'After' },
		{ from: 'Call', output: 1, to: 'Failed' },
	]);
}

const sent = (calls: readonly RelayCall[]) => calls.map(({ tag }) => parkServer.calls(tag).length);
const once = (calls: readonly RelayCall[]) => calls.map(() => 1);

describe('one item parks among others', () => {
	test.each([0, 2, 4])(
		'all five leave in order and paired when item %i is answered (P20, P21, P24)',
		async (at) => {
			const { rest } = host();
			const calls = [0, 1, 2, 3, 4].map((x) =>
				x === at ? suspends('Only this one') : answers(`said ${String(x)}`),
			);
			const parked = await runUntil(rest, perItem(calls), ['waiting']);
			expect(jsonOf(parked, 'Call').map(({ output }) => output)).toEqual(
				calls.map((_, x) => (x === at ? null : `said ${String(x)}`)),
			);
			expect(parked.runData).not.toHaveProperty('After');
			expect(sent(calls)).toEqual(once(calls));

			expect((await postAnswer(shownUrl(parked, 'Call', at), `said ${String(at)}`)).status).toBe(
				200,
			);
			const done = await rest.waitForExecution(parked.id, ['success']);
			expect(jsonOf(done, 'Call').map((_, item) => callOf(done, 'Call', item).outcome)).toEqual(
				calls.map((_, x) => (x === at ? 'resumed' : 'completed')),
			);
			expect(jsonOf(done, 'After')).toEqual(
				calls.map((_, x) => ({ x: `x${String(x)}`, said: `said ${String(x)}` })),
			);
			expect(done.runData.After).toHaveLength(1);
			expect(sent(calls)).toEqual(once(calls));
		},
	);

	test('binary data of the other items outlives the wait', async () => {
		const { rest } = host();
		const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, i) => i % 251)).toString('base64');
		const image = { type: 'image', data: bytes, mimeType: 'image/png' };
		const calls: readonly RelayCall[] = [
			suspends(),
			{ tag: newTag(), result: { content: [image] } },
			answers('no binary'),
		];
		const spec = workflow([
			manualTrigger(),
			items(
				calls.map((call) => ({ call })),
				'Before',
			),
			relayEach(credential),
			{
				name: 'Only files',
				type: 'n8n-nodes-base.filter',
				typeVersion: 2.2,
				parameters: {
					conditions: {
						options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
						combinator: 'and',
						conditions: [
							{
								id: 'has',
								leftValue: '={{ Object.keys($binary).length }}',
								rightValue: 1,
								operator: { type: 'number', operation: 'equals' },
							},
						],
					},
					options: {},
				},
			},
			setFields({ name: '{{ Object.keys($binary)[0] }}' }, 'Named'),
		]);
		const parked = await runUntil(rest, spec, ['waiting']);
		const [, shown] = itemsOf(parked, 'Call');
		expect(Object.keys(shown?.binary ?? {})).toHaveLength(1);
		expect((await postAnswer(shownUrl(parked), 'done')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(itemsOf(done, 'Call').map(({ binary }) => binary)).toEqual([
			undefined,
			shown?.binary,
			undefined,
		]);
		expect(itemsOf(done, 'Only files')).toHaveLength(1);
		const [file] = Object.values(itemsOf(done, 'Only files')[0]?.binary ?? {}) as Json[];
		expect(file).toMatchObject({ mimeType: 'image/png', bytes: 3_000 });
		expect(await binaryOf(file ?? {})).toBe(bytes);
	});

	test('in a loop over items, one at a time, three parks are answered one after the other, and none is called again (P20)', async () => {
		const { rest } = host();
		const calls = [suspends('First'), suspends('Second'), suspends('Third')];
		const spec = workflow(
			[
				manualTrigger(),
				items(
					calls.map((call, x) => ({ x: `x${String(x)}`, call })),
					'Before',
				),
				{
					name: 'Loop',
					type: 'n8n-nodes-base.splitInBatches',
					typeVersion: 3,
					parameters: { batchSize: 1, options: {} },
				},
				relayEach(credential),
				setFields({ said: '{{ $json.output }}' }),
			],
			[
				{ from: 'Start', to: 'Before' },
				{ from: 'Before', to: 'Loop' },
				{ from: 'Loop', output: 1, to: 'Call' },
				{ from: 'Call', to: 'Loop' },
				{ from: 'Loop', output: 0, to: 'After' },
			],
		);
		const { id } = await rest.createWorkflow(spec);
		const executionId = await rest.runManually(id);
		let before = '2000-01-01T00:00:00.000Z';
		for (const [round, reason] of ['First', 'Second', 'Third'].entries()) {
			const parked = await rest.waitForExecution(executionId, ['waiting']);
			expect(parked.runData.Call).toHaveLength(round + 1);
			expect(parkOf(parked).reason).toBe(reason);
			const listing = await fetch(shownUrl(parked), { headers: { accept: 'application/json' } });
			expect(await listing.json()).toMatchObject({ items: [{ reason }] });
			const stale = { 'x-salvor-parked-at': before };
			expect((await postAnswer(shownUrl(parked), 'meant for another', stale)).status).toBe(409);
			before = String(parkOf(parked).parkedAt);
			const meant = { 'x-salvor-parked-at': before };
			const answered = await postAnswer(shownUrl(parked), `answer ${String(round)}`, meant);
			expect(answered.status).toBe(200);
			if (round < 2) {
				await expect
					.poll(async () => (await rest.execution(executionId)).runData.Call?.length, {
						timeout: 20_000,
					})
					.toBe(round + 2);
			}
		}
		const done = await rest.waitForExecution(executionId, ['success']);
		expect(jsonOf(done, 'After')).toEqual([
			{ said: 'answer 0' },
			{ said: 'answer 1' },
			{ said: 'answer 2' },
		]);
		expect(sent(calls)).toEqual([1, 1, 1]);
	});

	test('two nodes in a row that both park are answered one after the other', async () => {
		const { rest } = host();
		const [first, second] = [suspends('First'), suspends('Second', { type: 'number' })];
		const parked = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				relay(credential, first, {}, 'One'),
				relay(credential, second, {}, 'Two'),
				nothing(),
			]),
			['waiting'],
		);
		expect((await postAnswer(shownUrl(parked, 'One'), 'a')).status).toBe(200);
		await expect
			.poll(async () => jsonOf(await rest.execution(parked.id), 'Two').length, { timeout: 20_000 })
			.toBe(1);
		const again = await rest.waitForExecution(parked.id, ['waiting']);
		expect((await postAnswer(shownUrl(again, 'Two'), 'not a number')).status).toBe(422);
		expect((await postAnswer(shownUrl(again, 'Two'), 2)).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'One')[0]?.output).toBe('a');
		expect(jsonOf(done, 'After')[0]?.output).toBe(2);
		expect(sent([first, second])).toEqual([1, 1]);
	});
});

describe('more than one item parks', () => {
	test('with Continue On Fail failed items between the parked ones leave in their places when all are answered (P21, P24)', async () => {
		const { rest } = host();
		const calls = [
			failsLanded('no'),
			suspends('First'),
			sendsPark({ sleepUntil: 'now' }),
			suspends('Second'),
			answers('fine'),
		];
		const parked = await runUntil(rest, perItem(calls, continueOnFail), ['waiting']);
		expect((await postAnswer(shownUrl(parked, 'Call', 3), 'second')).status).toBe(202);
		expect((await postAnswer(shownUrl(parked, 'Call', 1), 'first')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual([
			{ x: 'x0', said: 'tool-error' },
			{ x: 'x1', said: 'first' },
			{ x: 'x2', said: 'park-malformed' },
			{ x: 'x3', said: 'second' },
			{ x: 'x4', said: 'fine' },
		]);
		for (const failed of [0, 2].map((item) => jsonOf(done, 'Call')[item] ?? {})) {
			expect(
				Object.keys(failed).every((key) => ['error', 'message', 'details'].includes(key)),
			).toBe(true);
		}
		expect(sent(calls)).toEqual(once(calls));
	});

	test('with the error output the failed items arrive there after the resume, the others on the first output, all paired', async () => {
		const { rest } = host();
		const calls = [
			failsLanded('no'),
			suspends('First'),
			answers('fine'),
			suspends('Second'),
			sendsPark({ sleepUntil: 'now' }),
		];
		const parked = await runUntil(rest, perItem(calls, errorOutput), ['waiting']);
		expect(parked.runData).not.toHaveProperty('Failed');
		const url = await rest.resumeUrl(parked.id);
		expect((await postAnswer(`${url}&item=1`, 'first')).status).toBe(202);
		expect((await postAnswer(`${url}&item=3`, 'second')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual([
			{ x: 'x1', said: 'first' },
			{ x: 'x2', said: 'fine' },
			{ x: 'x3', said: 'second' },
		]);
		expect(jsonOf(done, 'Failed')).toEqual([
			{ x: 'x0', code: 'tool-error' },
			{ x: 'x4', code: 'park-malformed' },
		]);
		expect(sent(calls)).toEqual(once(calls));
	});

	test('without Continue On Fail a failed item behind two parks fails the node, and nothing waits', async () => {
		const { rest } = host();
		const calls = [suspends('First'), suspends('Second'), failsLanded('no'), answers('never sent')];
		const failed = await runUntil(rest, perItem(calls), ['error']);
		expect(failed.lastNode).toBe('Call');
		expect(failed.error?.message).toMatch(/answered with an error: no/);
		expect(failed.waitTill).toBeUndefined();
		expect(failed.runData).not.toHaveProperty('After');
		expect(sent(calls)).toEqual([1, 1, 1, 0]);
	});

	test('reads that overlap may all park, and each waits for its own answer (P24)', async () => {
		const { rest } = host();
		const calls = Array.from({ length: 6 }, (_, x) => suspends(`Read ${String(x)}`));
		const parked = await runUntil(rest, perItem(calls, {}, 'look'), ['waiting']);
		const reasons = calls.map((_, item) => parkOf(parked, 'Call', item).reason);
		expect(reasons).toEqual(calls.map((_, x) => `Read ${String(x)}`));
		for (const item of [5, 0, 3, 1, 4, 2]) {
			const { status } = await postAnswer(shownUrl(parked, 'Call', item), `said ${String(item)}`);
			expect(status).toBe(item === 2 ? 200 : 202);
		}
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(
			calls.map((_, x) => ({ x: `x${String(x)}`, said: `said ${String(x)}` })),
		);
		expect(sent(calls)).toEqual(once(calls));
	});

	test('a short sleeper beside a parked item is waited out first, and both leave finished (P25, P29)', async () => {
		const { rest } = host();
		const until = new Date(Date.now() + 3_000).toISOString();
		const calls = [sendsPark({ sleep_until: until }), suspends('And a person')];
		const parked = await runUntil(rest, perItem(calls), ['waiting']);
		expect((await postAnswer(shownUrl(parked, 'Call', 1), 'answered')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'Call').map(({ output }) => output)).toEqual([
			{ slept_until: until },
			'answered',
		]);
		expect(jsonOf(done, 'Call').map((_, item) => callOf(done, 'Call', item).outcome)).toEqual([
			'woke',
			'resumed',
		]);
		expect(sent(calls)).toEqual([1, 1]);
	});
});

describe('a malformed park', () => {
	const brokenParks = () =>
		readEffects(host().effectsFile).filter(({ effect }) => effect === 'park.broken').length;

	test.each([
		['as it is', {}],
		['with Retry On Fail', retries],
	])(
		'%s, fails the node, says which key is wrong, and is sent once (P4, P14)',
		async (_, settings) => {
			const { rest } = host();
			const before = brokenParks();
			const demo = await httpConnection(rest);
			const failed = await runUntil(
				rest,
				workflow([manualTrigger(), callJson(demo, 'broken_park', '{}', settings), nothing()]),
				['error'],
			);
			expect(failed.error?.message).toMatch(/^_meta\.salvor\.sleepUntil is not a known key/);
			expect(failed.error?.description).toMatch(/park-malformed.*landed/);
			expect(failed.runData).not.toHaveProperty('After');
			expect(brokenParks() - before).toBe(1);
		},
	);

	test.each([
		['continues', continueOnFail],
		['continues after Retry On Fail', { ...continueOnFail, ...retries }],
	])('%s as an error item with its code and disposition, sent once (P14)', async (_, settings) => {
		const { rest } = host();
		const calls = [
			sendsPark({ suspend: { reason: '  ', input_schema: true } }),
			sendsPark('tomorrow'),
			answers('fine'),
		];
		const done = await runUntil(rest, perItem(calls, settings), ['success']);
		expect(jsonOf(done, 'Call').map(({ error }) => error)).toEqual([
			expect.objectContaining({
				code: 'park-malformed',
				disposition: 'landed',
				message: expect.stringMatching(/^_meta\.salvor\.suspend\.reason /),
			}),
			expect.objectContaining({
				code: 'park-malformed',
				disposition: 'landed',
				message: expect.stringMatching(/^_meta\.salvor must be an object.*tomorrow/),
			}),
			undefined,
		]);
		expect(jsonOf(done, 'After').map(({ x }) => x)).toEqual(['x0', 'x1', 'x2']);
		expect(sent(calls)).toEqual(once(calls));
	});

	test('no effect makes its call repeatable: a read is sent once too (P14, P20)', async () => {
		const { rest } = host();
		const calls = [sendsPark(7)];
		const settings = { ...continueOnFail, ...retries };
		const done = await runUntil(rest, perItem(calls, settings, 'look'), ['success']);
		expect(jsonOf(done, 'Call')[0]?.error).toMatchObject({ code: 'park-malformed' });
		expect(sent(calls)).toEqual([1]);
	});

	test('beside `isError` replaces the error of the tool (P2)', async () => {
		const { rest } = host();
		const { tag, result } = suspends();
		const call = { tag, result: { ...result, isError: true } };
		const done = await runUntil(rest, perItem([call], continueOnFail), ['success']);
		expect(jsonOf(done, 'Call')[0]?.error).toMatchObject({
			code: 'park-malformed',
			message: expect.stringMatching(/^_meta\.salvor .*isError/),
		});
		expect(sent([call])).toEqual([1]);
	});
});

describe('Retry On Fail never calls a server again for a call that landed (P20)', () => {
	test.each([
		['a failed item before the one that parks', [failsLanded('no'), suspends('Wait')], 1],
		['a failed item behind the one that parks', [suspends('Wait'), failsLanded('no')], 0],
		['two failed items around it', [failsLanded('no'), suspends('Wait'), sendsPark(7)], 1],
	])('%s, with Continue On Fail: it parks once', async (_, calls, at) => {
		const { rest } = host();
		const settings = { ...retries, ...continueOnFail };
		const parked = await runUntil(rest, perItem(calls, settings), ['waiting']);
		const url = await rest.resumeUrl(parked.id);
		const listing = await fetch(url, { headers: { accept: 'application/json' } });
		expect(await listing.json()).toMatchObject({ items: [{ item: at, reason: 'Wait' }] });
		expect((await postAnswer(url, 'answered')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After').map(({ said }) => said)).toEqual(
			calls.map((call, x) =>
				x === at ? 'answered' : call.result.isError === true ? 'tool-error' : 'park-malformed',
			),
		);
		expect(jsonOf(done, 'After').map(({ x }) => x)).toEqual(
			calls.map((_call, x) => `x${String(x)}`),
		);
		expect(done.runData.Call).toHaveLength(1);
		expect(sent(calls)).toEqual(once(calls));
	});

	test('with the error output it parks once, and the failed item arrives there', async () => {
		const { rest } = host();
		const calls = [failsLanded('no'), suspends('Wait')];
		const parked = await runUntil(rest, perItem(calls, { ...retries, ...errorOutput }), [
			'waiting',
		]);
		expect((await postAnswer(await rest.resumeUrl(parked.id), 'answered')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual([{ x: 'x1', said: 'answered' }]);
		expect(jsonOf(done, 'Failed')).toEqual([{ x: 'x0', code: 'tool-error' }]);
		expect(sent(calls)).toEqual([1, 1]);
	});

	test('without Continue On Fail a park before the failure is not called again by the next try', async () => {
		const { rest } = host();
		const calls = [suspends('Wait'), failsLanded('no'), answers('never sent')];
		const failed = await runUntil(rest, perItem(calls, retries), ['error']);
		expect(failed.error?.message).toMatch(/answered with an error: no/);
		expect(failed.waitTill).toBeUndefined();
		expect(sent(calls)).toEqual([1, 1, 0]);
	});

	test.each(['relay', 'look'])(
		'two parks of %s beside a failed item are called once each by all tries together',
		async (tool) => {
			const { rest } = host();
			const calls = [sendsPark(7), suspends('First'), suspends('Second')];
			const settings = { ...retries, ...continueOnFail };
			const parked = await runUntil(rest, perItem(calls, settings, tool), ['waiting']);
			expect((await postAnswer(shownUrl(parked, 'Call', 2), 'second')).status).toBe(202);
			expect((await postAnswer(shownUrl(parked, 'Call', 1), 'first')).status).toBe(200);
			const done = await rest.waitForExecution(parked.id, ['success']);
			expect(jsonOf(done, 'After').map(({ said }) => said)).toEqual([
				'park-malformed',
				'first',
				'second',
			]);
			expect(done.runData.Call).toHaveLength(1);
			expect(sent(calls)).toEqual([1, 1, 1]);
		},
	);

	test('a park alone is called once and answered once', async () => {
		const { rest } = host();
		const call = suspends();
		const parked = await runUntil(
			rest,
			workflow([manualTrigger(), relay(credential, call, retries), nothing()]),
			['waiting'],
		);
		const answer = { error: 'looks like a failure' };
		expect((await postAnswer(shownUrl(parked), answer)).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')[0]?.output).toEqual(answer);
		expect(done.runData.Call).toHaveLength(1);
		expect(sent([call])).toEqual([1]);
	});
});

/** The bytes of a file as n8n gives them to its editor, in base64. */
async function binaryOf(file: Json): Promise<string> {
	if (typeof file.id !== 'string') return String(file.data);
	const { rest, baseUrl } = host();
	const url = `${baseUrl}/rest/binary-data?id=${encodeURIComponent(file.id)}&action=view`;
	const response = await fetch(url, { headers: { cookie: rest.cookie() ?? '' } });
	expect(response.status).toBe(200);
	return Buffer.from(await response.arrayBuffer()).toString('base64');
}
