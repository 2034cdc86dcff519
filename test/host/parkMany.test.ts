import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Execution } from '../../scripts/host/executionData';
import { asJson } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { host, httpConnection, itemsOf, jsonOf, postAnswer, runUntil } from '../support/host';
import {
	awaitParks,
	callEach,
	ifAsleep,
	listItems,
	lookBack,
	lookedBack,
	manyItems,
	outcomesOf,
	recordOnly,
	runUrl,
} from '../support/manyParks';
import {
	answers,
	callOf,
	newTag,
	parkOf,
	sendsPark,
	shownUrl,
	suspends,
} from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';

const RESUME_URL_KEY = 'io.github.n8n-nodes-salvor/resume-url';

const APPROVAL = {
	type: 'object',
	properties: { approved: { type: 'boolean' } },
	required: ['approved'],
};

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
const once = (calls: readonly RelayCall[]) => calls.map(() => 1);
const sleeps = (until: Date) => sendsPark({ sleep_until: until.toISOString() });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

/** A run of one call node that waits for answers. */
async function park(calls: readonly RelayCall[], tool = 'relay'): Promise<Execution> {
	const { rest } = host();
	const spec = manyItems(calls, [callEach(credential, { tool }), lookBack()]);
	return await runUntil(rest, spec, ['waiting']);
}

/** Posts an answer for one item; gives status and body. */
async function post(url: string, answer: unknown, headers?: Readonly<Record<string, string>>) {
	const response = await postAnswer(url, answer, headers);
	return { status: response.status, body: asJson(await response.json(), 'The body') };
}

/** Three of five items wait: 0, 2 and 4. */
const fiveCalls = () => [
	suspends('Pay the first?', APPROVAL),
	answers('said 1'),
	suspends('Pay the second?', APPROVAL),
	answers('said 3'),
	suspends('Which colour?', { type: 'string' }),
];

describe('three of five items wait', () => {
	test('answered in reverse order by different clients, all leave in order, paired, each with its own answer (P21, P22, P24, R1)', async () => {
		const { rest } = host();
		const calls = fiveCalls();
		const parked = await park(calls);
		expect(outcomesOf(parked)).toEqual([
			'suspended',
			'completed',
			'suspended',
			'completed',
			'suspended',
		]);
		expect(jsonOf(parked, 'Call').map(({ output }) => output)).toEqual([
			null,
			'said 1',
			null,
			'said 3',
			null,
		]);
		expect(parked.runData).not.toHaveProperty('After');

		const browser = { accept: '*/*', 'user-agent': 'a browser', origin: host().baseUrl };
		expect(await post(shownUrl(parked, 'Call', 4), 'blue', browser)).toEqual({
			status: 202,
			body: { status: 'recorded', remaining: 2 },
		});
		expect((await rest.execution(parked.id)).status).toBe('waiting');
		const terminal = { 'user-agent': 'a terminal', connection: 'close' };
		expect(await post(shownUrl(parked, 'Call', 2), { approved: false }, terminal)).toEqual({
			status: 202,
			body: { status: 'recorded', remaining: 1 },
		});
		expect((await rest.execution(parked.id)).status).toBe('waiting');
		expect(await post(shownUrl(parked, 'Call', 0), { approved: true })).toEqual({
			status: 200,
			body: { status: 'resumed' },
		});

		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(
			lookedBack([{ approved: true }, 'said 1', { approved: false }, 'said 3', 'blue']),
		);
		expect(outcomesOf(done)).toEqual(['resumed', 'completed', 'resumed', 'completed', 'resumed']);
		const answeredAt = [4, 2, 0].map((item) => String(parkOf(done, 'Call', item).answeredAt));
		expect(answeredAt.toSorted()).toEqual(answeredAt);
		expect(JSON.stringify(jsonOf(done, 'Call'))).not.toContain('resumeUrl');
		expect(done.runData.Call).toHaveLength(1);
		expect(done.runData.After).toHaveLength(1);
		expect(sent(calls)).toEqual(once(calls));
		expect((await post(shownUrl(parked, 'Call', 0), { approved: true })).status).toBe(409);
	});

	test('a GET without item lists them, each with a link to its own page, and changes nothing (R8)', async () => {
		const { rest } = host();
		const parked = await park(fiveCalls());
		const url = runUrl(parked);
		const reasons = ['Pay the first?', 'Pay the second?', 'Which colour?'];
		const list = await pageAt(url);
		for (const reason of reasons) expect(list).toContain(reason);
		expect(list).not.toContain('id="answer"');
		const links = linksOf(list, url);
		expect(links).toEqual([0, 2, 4].map((item) => shownUrl(parked, 'Call', item)));
		for (const [at, link] of links.entries()) {
			const page = await pageAt(link);
			expect(page).toContain('id="answer"');
			expect(reasons.filter((reason) => page.includes(reason))).toEqual([reasons[at]]);
		}
		const done = await fetch(`${url}&item=1`, { headers: { accept: 'text/html' } });
		expect(done.status).toBe(404);

		expect((await post(shownUrl(parked, 'Call', 2), { approved: true })).status).toBe(202);
		expect(linksOf(await pageAt(url), url)).toEqual([links[0], links[2]]);
		const answered = await pageAt(links[1] ?? '');
		expect(answered).toContain('Answered already');
		expect(answered).not.toContain('id="answer"');
		expect((await rest.execution(parked.id)).status).toBe('waiting');
		await finish(parked, { 0: { approved: true }, 4: 'red' });
	});

	test('JSON tells them all, and of those answered when, but not what (R9)', async () => {
		const parked = await park(fiveCalls());
		const url = runUrl(parked);
		const told = (item: number, reason: string, inputSchema: unknown) => ({
			item,
			tool: 'relay',
			server_name: 'demo',
			kind: 'person',
			reason,
			input_schema: inputSchema,
			parked_at: parkOf(parked, 'Call', item).parkedAt,
			deadline: null,
		});
		const all = [
			told(0, 'Pay the first?', APPROVAL),
			told(2, 'Pay the second?', APPROVAL),
			told(4, 'Which colour?', { type: 'string' }),
		];
		expect(await listItems(url)).toEqual(all);
		expect((await post(shownUrl(parked, 'Call', 4), 'a secret colour')).status).toBe(202);
		const later = await listItems(url);
		const answeredAt = { answered_at: expect.stringMatching(/Z$/) };
		expect(later).toEqual([all[0], all[1], { ...all[2], ...answeredAt }]);
		expect(JSON.stringify(later)).not.toContain('a secret colour');
		await finish(parked, { 0: { approved: true }, 2: { approved: false } });
	});

	test('a POST without item is told which wait and why, and nothing is recorded (R7)', async () => {
		const parked = await park(fiveCalls());
		const url = runUrl(parked);
		const refused = await post(url, { approved: true });
		expect(refused.status).toBe(400);
		expect(refused.body).toMatchObject({
			status: 'which-item',
			items: [
				{ item: 0, reason: 'Pay the first?' },
				{ item: 2, reason: 'Pay the second?' },
				{ item: 4, reason: 'Which colour?' },
			],
		});
		for (const item of ['1', '5', '-1', '', 'x', '0&item=2', '0.0']) {
			expect([item, (await post(`${url}&item=${item}`, { approved: true })).status]).toEqual([
				item,
				404,
			]);
		}
		expect((await listItems(url)).filter((item) => 'answered_at' in item)).toEqual([]);
		expect((await post(shownUrl(parked, 'Call', 2), { approved: true })).status).toBe(202);
		const later = await post(url, { approved: true });
		expect(later).toMatchObject({ status: 400, body: { items: [{}, { item: 2 }, {}] } });
		expect(later.body.items).toEqual(await listItems(url));
		await finish(parked, { 0: { approved: true }, 4: 'red' });
	});

	test('a second answer for an item is told when the first came, and the first stands (R6)', async () => {
		const { rest } = host();
		const parked = await park(fiveCalls());
		const url = shownUrl(parked, 'Call', 2);
		expect((await post(url, { approved: false })).status).toBe(202);
		const [, listed] = await listItems(url);
		for (const answer of [{ approved: true }, { approved: false }, 'one that does not fit']) {
			expect(await post(url, answer)).toEqual({
				status: 409,
				body: {
					status: 'answered',
					answered_at: listed?.answered_at,
					message: expect.stringContaining('first answer stands'),
				},
			});
		}
		expect((await rest.execution(parked.id)).status).toBe('waiting');
		const done = await finish(parked, { 0: { approved: true }, 4: 'red' });
		expect(jsonOf(done, 'Call')[2]?.output).toEqual({ approved: false });
		expect(parkOf(done, 'Call', 2).answeredAt).toBe(listed?.answered_at);
	});

	test('a wrong answer for one item leaves it and the others as they are (R2)', async () => {
		const parked = await park(fiveCalls());
		expect(await post(shownUrl(parked, 'Call', 0), { approved: 'yes' })).toMatchObject({
			status: 422,
			body: { status: 'rejected', issues: [{ path: '$.approved' }] },
		});
		expect((await post(shownUrl(parked, 'Call', 4), { approved: true })).status).toBe(422);
		expect((await listItems(runUrl(parked))).filter((item) => 'answered_at' in item)).toEqual([]);
		const done = await finish(parked, { 0: { approved: true }, 2: { approved: true }, 4: 'red' });
		expect(jsonOf(done, 'Call')[0]?.output).toEqual({ approved: true });
	});
});

test('of ten answers at once for each of five items one is recorded per item, and the run goes on once (R6, R10)', async () => {
	const { rest } = host();
	const calls = Array.from({ length: 5 }, (_, x) => suspends(`Question ${String(x)}`));
	const parked = await park(calls);
	const posts = Array.from({ length: 50 }, (_, at) => ({
		item: at % 5,
		answer: `answer ${String(at)}`,
	}));
	const responses = await Promise.all(
		posts.map(async ({ item, answer }) => {
			const response = await postAnswer(shownUrl(parked, 'Call', item), answer);
			return { item, answer, status: response.status, body: await response.text() };
		}),
	);
	const taken = responses.filter(({ status }) => status === 202 || status === 200);
	expect(taken.map(({ item }) => item).toSorted()).toEqual([0, 1, 2, 3, 4]);
	expect(taken.filter(({ status }) => status === 200)).toHaveLength(1);
	// n8n itself answers 500 to a request that comes while it takes the execution up again.
	const unlike409 = responses.filter(({ status, body }) => {
		const ofN8n = status === 500 && /inputOverride|problem executing/.test(body);
		return !taken.some((first) => first.status === status) && status !== 409 && !ofN8n;
	});
	expect(unlike409).toEqual([]);

	const done = await rest.waitForExecution(parked.id, ['success']);
	const byItem = taken.toSorted((a, b) => a.item - b.item);
	expect(jsonOf(done, 'After')).toEqual(lookedBack(byItem.map(({ answer }) => answer)));
	expect(done.runData.Call).toHaveLength(1);
	expect(done.runData.After).toHaveLength(1);
	expect(sent(calls)).toEqual(once(calls));
});

describe('the last answer was recorded, and the process died before the execution went on (R10)', () => {
	const ledgerFile = () => path.join(host().userFolder, '.n8n', 'salvor-ledger.sqlite');

	async function parkWithAllRecorded() {
		const { rest } = host();
		const calls = [suspends('First'), answers('said 1'), suspends('Last')];
		const parked = await park(calls);
		expect((await post(shownUrl(parked), 'first')).status).toBe(202);
		expect(await recordOnly(ledgerFile(), parked.id, 2, 'last')).toBe(0);
		expect((await rest.execution(parked.id)).status).toBe('waiting');
		return { calls, parked };
	}

	test.each<readonly [string, (parked: Execution) => Promise<unknown>]>([
		['a POST that repeats an answer', (parked) => post(shownUrl(parked, 'Call', 2), 'again')],
		['a POST that repeats an earlier answer', (parked) => post(shownUrl(parked), 'again')],
		['a POST without item', (parked) => post(runUrl(parked), 'which?')],
		['a POST for an item that never waited', (parked) => post(`${runUrl(parked)}&item=1`, 'x')],
		['a GET of the list', (parked) => pageAt(runUrl(parked))],
		['a GET of one page', (parked) => pageAt(shownUrl(parked, 'Call', 2))],
		['a GET of the JSON', (parked) => listItems(runUrl(parked))],
		[
			'many requests at once',
			(parked) =>
				Promise.all([
					...Array.from({ length: 4 }, () => post(shownUrl(parked, 'Call', 2), 'again')),
					...Array.from({ length: 4 }, () => fetch(runUrl(parked))),
				]),
		],
	])('%s resumes it with the recorded answers, once', async (_, knock) => {
		const { rest } = host();
		const { calls, parked } = await parkWithAllRecorded();
		await knock(parked);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', 'last']));
		expect(done.runData.After).toHaveLength(1);
		expect(sent(calls)).toEqual(once(calls));
	});

	test('the request that repeats an answer is told that it was answered', async () => {
		const { rest } = host();
		const { parked } = await parkWithAllRecorded();
		const told = await post(shownUrl(parked, 'Call', 2), 'again');
		expect(told).toMatchObject({ status: 409, body: { status: 'answered' } });
		expect(told.body.answered_at).toMatch(/Z$/);
		await rest.waitForExecution(parked.id, ['success']);
	});
});

describe('When Parked is Continue', () => {
	test('parked items leave at once, and a later Await waits for them in the same execution (P27)', async () => {
		const { rest } = host();
		const calls = [suspends('First', APPROVAL), answers('said 1'), suspends('Last')];
		const spec = manyItems(calls, [
			callEach(credential, { whenParked: 'continue' }),
			awaitParks(),
			lookBack(),
		]);
		const parked = await runUntil(rest, spec, ['waiting']);
		expect(outcomesOf(parked)).toEqual(['suspended', 'completed', 'suspended']);
		expect(JSON.stringify(jsonOf(parked, 'Call'))).not.toContain('resumeUrl');
		expect(outcomesOf(parked, 'Await')).toEqual(['suspended', 'completed', 'suspended']);
		expect(parkOf(parked, 'Await').parkedAt).toBe(parkOf(parked).parkedAt);
		expect((await listItems(runUrl(parked, 'Await'))).map(({ item }) => item)).toEqual([0, 2]);

		expect((await post(shownUrl(parked, 'Await'), { approved: 1 })).status).toBe(422);
		expect((await post(shownUrl(parked, 'Await', 2), 'last')).status).toBe(202);
		expect((await post(shownUrl(parked, 'Await'), { approved: true })).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(outcomesOf(done, 'Await')).toEqual(['resumed', 'completed', 'resumed']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack([{ approved: true }, 'said 1', 'last']));
		expect(sent(calls)).toEqual(once(calls));
	});

	test('a parked item that comes into a node which calls is awaited there, and only the others are called (P20, P27)', async () => {
		const { rest } = host();
		const calls = [suspends('First'), answers('said 1'), suspends('Last')];
		const spec = manyItems(calls, [
			callEach(credential, { whenParked: 'continue' }),
			callEach(credential, { name: 'Again' }),
			lookBack(),
		]);
		const parked = await runUntil(rest, spec, ['waiting']);
		expect(sent(calls)).toEqual([1, 2, 1]);
		expect((await post(shownUrl(parked, 'Again'), 'first')).status).toBe(202);
		expect((await post(shownUrl(parked, 'Again', 2), 'last')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', 'last']));
		expect(sent(calls)).toEqual([1, 2, 1]);
	});

	test('what other nodes put into a parked item on its way to Await stays in it', async () => {
		const { rest } = host();
		const calls = [suspends('First'), suspends('Last')];
		const addApprover = {
			name: 'Add',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				assignments: {
					assignments: [
						{
							id: 'a',
							name: 'approver',
							type: 'string',
							value: "={{ 'for ' + $json.call.park.reason }}",
						},
					],
				},
				includeOtherFields: true,
				options: {},
			},
		};
		const spec = manyItems(calls, [
			callEach(credential, { whenParked: 'continue' }),
			addApprover,
			awaitParks(),
			lookBack(),
		]);
		const parked = await runUntil(rest, spec, ['waiting']);
		expect((await post(shownUrl(parked, 'Await', 1), 'last')).status).toBe(202);
		expect((await post(shownUrl(parked, 'Await'), 'first')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'Await').map(({ approver, output }) => [approver, output])).toEqual([
			['for First', 'first'],
			['for Last', 'last'],
		]);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'last']));
	});

	test('an address that a server got names its park, though a filter before Await gave the item another number', async () => {
		const { rest } = host();
		const sharing = await httpConnection(rest, {
			endpoint: parkServer.endpoint,
			shareResumeUrl: true,
		});
		const calls = [suspends('First'), suspends('Second'), suspends('Third')];
		const lastTwo = {
			name: 'Last two',
			type: 'n8n-nodes-base.limit',
			typeVersion: 1,
			parameters: { maxItems: 2, keep: 'lastItems' },
		};
		const spec = manyItems(calls, [
			callEach(sharing, { whenParked: 'continue' }),
			lastTwo,
			awaitParks(),
		]);
		const parked = await runUntil(rest, spec, ['waiting']);
		const given = calls.map(({ tag }) => String(parkServer.calls(tag)[0]?.meta[RESUME_URL_KEY]));
		expect(given.map((url) => new URL(url).searchParams.get('item'))).toEqual(['0', '1', '2']);

		const dropped = await post(given[0] ?? '', 'for the first');
		expect(dropped).toMatchObject({ status: 409, body: { status: 'not-waiting' } });
		const page = await fetch(given[0] ?? '', { headers: { accept: 'text/html' } });
		expect([page.status, await page.text()]).toEqual([
			409,
			expect.stringContaining('not wait now'),
		]);
		expect((await post(given[1] ?? '', 'for the second')).status).toBe(202);
		expect((await post(given[1] ?? '', 'again')).body).toMatchObject({ status: 'answered' });
		expect(given[2]).toContain(`park=${String(parkOf(parked, 'Call', 2).id)}`);
		expect((await post(shownUrl(parked, 'Await', 1), 'for the third')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'Await').map(({ output }) => output)).toEqual([
			'for the second',
			'for the third',
		]);
		expect(JSON.stringify(jsonOf(done, 'Await'))).not.toContain('"id"');
	});

	test('Await passes on what does not wait as it is: other items, failed ones and files', async () => {
		const { rest } = host();
		const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
		const calls = [
			{ tag: newTag(), result: { content: [image] } },
			sendsPark(7),
			answers('said 2'),
		];
		const spec = manyItems(calls, [
			callEach(credential, { settings: { onError: 'continueRegularOutput' } }),
			awaitParks(),
			lookBack(),
		]);
		const done = await runUntil(rest, spec, ['success']);
		expect(jsonOf(done, 'Await')).toEqual(jsonOf(done, 'Call'));
		const binary = itemsOf(done, 'Call').map((item) => item.binary);
		expect(itemsOf(done, 'Await').map((item) => item.binary)).toEqual(binary);
		expect(Object.keys(binary[0] ?? {})).toHaveLength(1);
		expect(jsonOf(done, 'After').map(({ x }) => x)).toEqual(['x0', 'x1', 'x2']);
	});
});

test('files of completed items outlive a wait for several answers', async () => {
	const { rest } = host();
	const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
	const file = (): RelayCall => ({ tag: newTag(), result: { content: [image] } });
	const calls = [file(), suspends('First'), file(), suspends('Last')];
	const parked = await park(calls);
	const shown = itemsOf(parked, 'Call').map(({ binary }) => binary);
	expect(shown.map((binary) => Object.keys(binary ?? {}).length)).toEqual([1, 0, 1, 0]);
	await finish(parked, { 3: 'last', 1: 'first' });
	const done = await rest.execution(parked.id);
	expect(itemsOf(done, 'Call').map(({ binary }) => binary)).toEqual(shown);
	expect(jsonOf(done, 'Call').map(({ output }) => output)).toEqual([
		expect.anything(),
		'first',
		expect.anything(),
		'last',
	]);
});

test('two hundred items of one run are answered one by one, and leave in order (P24)', async () => {
	const { rest } = host();
	const calls = Array.from({ length: 200 }, (_, x) => suspends(`Question ${String(x)}`));
	const parked = await park(calls, 'look');
	const urls = calls.map((_, item) => shownUrl(parked, 'Call', item));
	// Each step of 77 leads to another item, and in the end to all.
	const order = calls.map((_, at) => (at * 77) % calls.length);
	const begun = performance.now();
	for (const [at, item] of order.entries()) {
		const { status, body } = await post(urls[item] ?? '', `answer ${String(item)}`);
		const remaining = calls.length - at - 1;
		expect([status, body.remaining]).toEqual(remaining > 0 ? [202, remaining] : [200, undefined]);
	}
	const msPerAnswer = (performance.now() - begun) / calls.length;
	console.info(`200 parked items: ${msPerAnswer.toFixed(1)} ms per answer`);
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, 'After')).toEqual(
		lookedBack(calls.map((_, item) => `answer ${String(item)}`)),
	);
	expect(sent(calls)).toEqual(once(calls));
	expect(msPerAnswer).toBeLessThan(500);
}, 240_000);

// The sleepers set the time that these take, so they run beside each other.
describe.concurrent('sleepers', () => {
	test('beside an item that is answered sooner leave still asleep, and a following Await finishes them (P23, P25)', async () => {
		const { rest } = host();
		const until = inSeconds(80);
		const calls = [sleeps(until), suspends('A person'), answers('said 2')];
		const spec = manyItems(calls, [callEach(credential), awaitParks(), lookBack()]);
		const parked = await runUntil(rest, spec, ['waiting']);
		expect(outcomesOf(parked)).toEqual(['sleeping', 'suspended', 'completed']);
		expect(JSON.stringify(parked.runData.Call?.at(-1)?.hints)).toContain('operation Await');
		const early = await post(shownUrl(parked), {});
		expect(early).toMatchObject({
			status: 409,
			body: { status: 'sleeping', sleep_until: until.toISOString() },
		});
		expect((await listItems(runUrl(parked))).map(({ kind }) => kind)).toEqual(['sleep', 'person']);
		expect((await post(runUrl(parked), 'which?')).status).toBe(400);
		expect(await post(shownUrl(parked, 'Call', 1), 'answered')).toEqual({
			status: 200,
			body: { status: 'resumed' },
		});

		const asleep = await untilRuns(parked.id, 'Await', 1);
		expect(outcomesOf(asleep)).toEqual(['sleeping', 'resumed', 'completed']);
		expect(jsonOf(asleep, 'Call')[0]).toMatchObject({ output: null });
		expect(parkOf(asleep)).toEqual({
			kind: 'sleep',
			until: until.toISOString(),
			parkedAt: parkOf(parked).parkedAt,
		});
		expect(asleep.waitTill).toEqual(until);
		const done = await rest.waitForExecution(parked.id, ['success'], 120_000);
		expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
		expect(outcomesOf(done, 'Await')).toEqual(['woke', 'resumed', 'completed']);
		expect(jsonOf(done, 'After')).toEqual(
			lookedBack([{ slept_until: until.toISOString() }, 'answered', 'said 2']),
		);
		expect(sent(calls)).toEqual(once(calls));
	});

	test('may be looped back to the Await that they left (P25)', async () => {
		const { rest } = host();
		const until = inSeconds(80);
		const calls = [suspends('A person'), sleeps(until)];
		const spec = manyItems(
			calls,
			[callEach(credential, { whenParked: 'continue' }), awaitParks(), ifAsleep(), lookBack()],
			[
				{ from: 'Start', to: 'Before' },
				{ from: 'Before', to: 'Call' },
				{ from: 'Call', to: 'Await' },
				{ from: 'Await', to: 'Asleep' },
				{ from: 'Asleep', output: 0, to: 'Await' },
				{ from: 'Asleep', output: 1, to: 'After' },
			],
		);
		const parked = await runUntil(rest, spec, ['waiting']);
		expect((await post(shownUrl(parked, 'Await'), 'answered')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success'], 120_000);
		expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
		expect(done.runData.Await).toHaveLength(2);
		// n8n runs the branch behind the loop when the loop has ended.
		expect(outputsOfRuns(done, 'After').flat().toSorted()).toEqual([
			'"answered"',
			JSON.stringify({ slept_until: until.toISOString() }),
		]);
		expect(sent(calls)).toEqual(once(calls));
	});

	test('looped back into the node that called are awaited, not called again (P20, P27)', async () => {
		const { rest } = host();
		const until = inSeconds(80);
		const calls = [sleeps(until), suspends('A person')];
		const spec = manyItems(
			calls,
			[callEach(credential), ifAsleep(), lookBack()],
			[
				{ from: 'Start', to: 'Before' },
				{ from: 'Before', to: 'Call' },
				{ from: 'Call', to: 'Asleep' },
				{ from: 'Asleep', output: 0, to: 'Call' },
				{ from: 'Asleep', output: 1, to: 'After' },
			],
		);
		const parked = await runUntil(rest, spec, ['waiting']);
		expect((await post(shownUrl(parked, 'Call', 1), 'answered')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success'], 120_000);
		expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
		expect(done.runData.Call).toHaveLength(2);
		expect(callOf(done)).toMatchObject({ outcome: 'woke', attempts: 1 });
		expect(outputsOfRuns(done, 'After').flat().toSorted()).toEqual([
			'"answered"',
			JSON.stringify({ slept_until: until.toISOString() }),
		]);
		expect(sent(calls)).toEqual(once(calls));
	});

	test('among themselves leave together at the latest instant, and nobody can end it sooner (P23, P25, R5)', async () => {
		const { rest } = host();
		const [early, late] = [inSeconds(72), inSeconds(80)];
		const calls = [sleeps(late), answers('said 1'), sleeps(early)];
		const parked = await park(calls);
		expect(parked.waitTill).toEqual(late);
		for (const item of [0, 2]) {
			expect((await post(shownUrl(parked, 'Call', item), {})).status).toBe(409);
		}
		expect((await post(runUrl(parked), {})).status).toBe(400);
		const done = await rest.waitForExecution(parked.id, ['success'], 120_000);
		expect(Date.now()).toBeGreaterThanOrEqual(late.getTime());
		expect(outcomesOf(done)).toEqual(['woke', 'completed', 'woke']);
		expect(jsonOf(done, 'After')).toEqual(
			lookedBack([
				{ slept_until: late.toISOString() },
				'said 1',
				{ slept_until: early.toISOString() },
			]),
		);
		expect(sent(calls)).toEqual(once(calls));
	});
});

/** Answers the items that are missing, in the order of the entries; gives the finished execution. */
async function finish(
	parked: Execution,
	missing: Readonly<Record<number, unknown>>,
): Promise<Execution> {
	const left = Object.entries(missing);
	for (const [at, [item, answer]] of left.entries()) {
		const { status } = await post(shownUrl(parked, 'Call', Number(item)), answer);
		expect(status).toBe(at < left.length - 1 ? 202 : 200);
	}
	const done = await host().rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, 'After')).toHaveLength(jsonOf(parked, 'Call').length);
	expect(done.runData.After).toHaveLength(1);
	return done;
}

async function pageAt(url: string): Promise<string> {
	const response = await fetch(url, { headers: { accept: 'text/html' } });
	expect(response.status).toBe(200);
	expect(response.headers.get('content-type')).toMatch(/^text\/html/);
	return await response.text();
}

/** The addresses that a page links to. */
const linksOf = (html: string, base: string): readonly string[] =>
	[...html.matchAll(/<a href="([^"]+)"/g)].map(
		([, href = '']) => new URL(href.replaceAll('&amp;', '&'), base).href,
	);

async function untilRuns(id: string, node: string, runs: number): Promise<Execution> {
	const { rest } = host();
	await expect
		.poll(async () => (await rest.execution(id)).runData[node]?.length, { timeout: 30_000 })
		.toBe(runs);
	return await rest.waitForExecution(id, ['waiting']);
}

const outputsOfRuns = (execution: Execution, node: string) =>
	(execution.runData[node] ?? []).map(({ outputs }) =>
		(outputs[0] ?? []).map(({ json }) => json.output),
	);
