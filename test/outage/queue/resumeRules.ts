import { expect, test } from 'vitest';
import { callWebhook } from '../../support/callWebhook';
import { jsonOf, postAnswer } from '../../support/host';
import {
	awaitParks,
	callEach,
	listItems,
	lookBack,
	lookedBack,
	outcomesOf,
	runUrl,
} from '../../support/manyParks';
import { answers, newTag, sendsPark, shownUrl, suspends } from '../../support/parkRuns';
import type { RelayCall } from '../../support/parkRuns';
import type { QueueBench } from '../../support/queueBench';
import { items, webhookTrigger, workflow } from '../../support/workflow';
import type { NodeSpec } from '../../support/workflow';

const SCHEMA = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const json = { 'content-type': 'application/json' };

/** What a parked run of several items answers to whom, and how its items leave. */
export function resumeRulesInQueueMode(bench: QueueBench): void {
	async function park(calls: readonly RelayCall[], nodes: readonly NodeSpec[]) {
		const hook = `queue-rules-${newTag()}`;
		const before = items(
			calls.map((call, x) => ({ x: `x${String(x)}`, call })),
			'Before',
		);
		const spec = workflow([webhookTrigger(hook), before, ...nodes]);
		return (await callWebhook(bench().host.rest, spec, hook)).parked;
	}
	const sent = (calls: readonly RelayCall[]) =>
		calls.map(({ tag }) => bench().parkServer.calls(tag).length);
	const post = async (url: string, body: string, headers: Record<string, string> = json) =>
		(await fetch(url, { method: 'POST', headers, body })).status;

	test('what is no answer leaves a batch parked, on main and on the webhook process; its answers are verbatim, and its sleeper leaves asleep, all in order and paired (P21, P22, P25, R3, R4, R5, R7, R11)', async () => {
		const { rest, webhookBaseUrl } = bench().host;
		const until = inSeconds(3_600);
		const calls = [
			suspends('First', SCHEMA),
			answers('said 1'),
			sendsPark({ sleep_until: until }),
			suspends('Last'),
		];
		const parked = await park(calls, [callEach(bench().credential), lookBack()]);
		const onMain = (url: string) => url.replace(webhookBaseUrl, rest.baseUrl);
		const [first, asleep, last] = [0, 2, 3].map((item) => shownUrl(parked, 'Call', item));
		if (first === undefined || asleep === undefined || last === undefined) throw new Error();

		for (const at of [(url: string) => url, onMain]) {
			expect([400, 415, 422]).toContain(await post(at(first), '{"yes":'));
			expect([400, 415, 422]).toContain(await post(at(first), 'yes', { 'content-type': 'x/y' }));
			expect(await post(at(last), JSON.stringify('x'.repeat(1024 * 1024)))).toBe(413);

			const early = await postAnswer(at(asleep), { slept_until: until });
			expect([early.status, await early.json()]).toEqual([
				409,
				{ status: 'sleeping', sleep_until: until, remaining_seconds: expect.any(Number) },
			]);
			const unnamed = await postAnswer(at(runUrl(parked)), { yes: true });
			expect([unnamed.status, await unnamed.json()]).toEqual([
				400,
				expect.objectContaining({
					status: 'which-item',
					items: [
						expect.objectContaining({ item: 0, reason: 'First' }),
						expect.objectContaining({ item: 2, sleep_until: until }),
						expect.objectContaining({ item: 3, reason: 'Last' }),
					],
				}),
			]);
			const deep = '['.repeat(50_000) + ']'.repeat(50_000);
			expect(await post(at(first), deep)).toBeGreaterThanOrEqual(400);
			expect(await post(at(`${first}&item[__proto__]=0`), '{"yes":true}')).toBeGreaterThanOrEqual(
				400,
			);
		}
		expect((await rest.execution(parked.id)).status).toBe('waiting');
		expect((await listItems(runUrl(parked))).filter((item) => 'answered_at' in item)).toEqual([]);

		const verbatim = [null, { ß: [1.5, '', {}] }, false];
		expect((await postAnswer(last, verbatim)).status).toBe(202);
		expect((await postAnswer(onMain(first), { yes: true })).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(outcomesOf(done)).toEqual(['resumed', 'completed', 'sleeping', 'resumed']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack([{ yes: true }, 'said 1', null, verbatim]));
		expect(sent(calls)).toEqual([1, 1, 1, 1]);
	});

	test('items that came parked out of one node are awaited by another, and a sleep of seconds is waited out on the worker; nothing is called again (P21, P27, P29)', async () => {
		const { rest, ranOn } = bench().host;
		const soon = inSeconds(12);
		const calls = [suspends('First'), sendsPark({ sleep_until: soon }), answers('said 2')];
		const parked = await park(calls, [
			callEach(bench().credential, { whenParked: 'continue' }),
			awaitParks(),
			lookBack(),
		]);
		expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
		expect(outcomesOf(parked)).toEqual(['suspended', 'sleeping', 'completed']);
		expect(outcomesOf(parked, 'Await')).toEqual(['suspended', 'woke', 'completed']);
		expect(ranOn(parked.id)).toHaveLength(1); // it did not wait for the sleeper
		expect((await postAnswer(shownUrl(parked, 'Await'), 'first')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', { slept_until: soon }, 'said 2']));
		expect(done.runData.Await).toHaveLength(1);
		expect(sent(calls)).toEqual([1, 1, 1]);
	});
}
