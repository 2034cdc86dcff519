import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { host, httpConnection, jsonOf, postAnswer, runUntil } from '../support/host';
import { callOf, parkOf, relay, sendsPark, shownUrl } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { manualTrigger, nothing, setFields, workflow } from '../support/workflow';

let parkServer: ParkServer;
let credential: CredentialReference;

beforeAll(async () => {
	parkServer = await startParkServer();
	credential = await httpConnection(host().rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await parkServer.stop();
});

const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000);
const sleeps = (until: string) => sendsPark({ sleep_until: until });

/** Stores and starts a workflow of one sleeping call; gives the execution's id. */
async function start(call: ReturnType<typeof sendsPark>): Promise<string> {
	const { rest } = host();
	const spec = workflow([manualTrigger(), relay(credential, call), nothing()]);
	return await rest.runManually((await rest.createWorkflow(spec)).id);
}

// The long sleeper sets the time that this file takes; the others run beside it.
describe.concurrent('a sleeper', () => {
	test('of 75 s parks, cannot be woken before its instant, shows when it wakes, and leaves on time (P23, R5, R8, R9)', async () => {
		const { rest } = host();
		const until = secondsFromNow(75);
		const call = sleeps(until.toISOString());
		const id = await start(call);
		const asleep = await rest.waitForExecution(id, ['waiting']);
		expect(asleep.waitTill).toEqual(until);
		expect(asleep.runData).not.toHaveProperty('After');
		const url = await rest.resumeUrl(id);
		expect(callOf(asleep)).toMatchObject({ outcome: 'sleeping', attempts: 1 });
		expect(parkOf(asleep)).toEqual({
			kind: 'sleep',
			until: until.toISOString(),
			parkedAt: expect.stringMatching(/Z$/),
			resumeUrl: url,
		});

		for (const answer of [{}, null, { slept_until: until.toISOString() }]) {
			const before = Math.floor((until.getTime() - Date.now()) / 1000);
			const early = await postAnswer(url, answer);
			expect(early.status).toBe(409);
			const body = (await early.json()) as Record<string, unknown>;
			expect(body).toMatchObject({ status: 'sleeping', sleep_until: until.toISOString() });
			expect(Math.abs(Number(body.remaining_seconds) - before)).toBeLessThanOrEqual(3);
		}
		expect((await fetch(url, { method: 'POST' })).status).toBe(409);
		expect((await fetch(url, { method: 'POST', body: 'not JSON' })).status).toBe(409);

		const page = await fetch(url, { headers: { accept: 'text/html' } });
		expect(page.status).toBe(200);
		const html = await page.text();
		expect(html).toContain(`data-until="${until.toISOString()}"`);
		expect(html).not.toMatch(/<form|<input|<textarea/);
		const json = await fetch(url, { headers: { accept: 'application/json' } });
		expect(await json.json()).toEqual({
			status: 'waiting',
			items: [
				{
					item: 0,
					tool: 'relay',
					server_name: 'demo',
					kind: 'sleep',
					sleep_until: until.toISOString(),
					parked_at: expect.stringMatching(/Z$/),
					deadline: null,
				},
			],
		});
		expect((await rest.execution(id)).status).toBe('waiting');

		const done = await rest.waitForExecution(id, ['success'], 100_000);
		expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
		expect(Date.now() - until.getTime()).toBeLessThan(10_000);
		const [item] = jsonOf(done, 'Call');
		expect(item?.output).toEqual({ slept_until: until.toISOString() });
		expect(callOf(done)).toMatchObject({ outcome: 'woke', attempts: 1 });
		expect(parkOf(done)).not.toHaveProperty('resumeUrl');
		expect(jsonOf(done, 'After')).toEqual([item]);
		expect(parkServer.calls(call.tag)).toHaveLength(1);
		expect((await postAnswer(url, {})).status).toBe(409);
	});

	test('of a few seconds is waited out inside the node and leaves at its instant (P29)', async () => {
		const { rest } = host();
		const until = secondsFromNow(6);
		const call = sleeps(until.toISOString());
		const id = await start(call);
		await expect.poll(() => parkServer.calls(call.tag).length, { timeout: 10_000 }).toBe(1);
		const meanwhile = await rest.execution(id);
		expect([meanwhile.status, meanwhile.waitTill]).toEqual(['running', undefined]);
		const done = await rest.waitForExecution(id, ['success']);
		expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
		expect(Date.now() - until.getTime()).toBeLessThan(5_000);
		expect(jsonOf(done, 'Call')[0]?.output).toEqual({ slept_until: until.toISOString() });
		expect(callOf(done)).toMatchObject({ outcome: 'woke', park: { kind: 'sleep' } });
		expect(parkServer.calls(call.tag)).toHaveLength(1);
	});

	test('that waits inside the node ends at once when the execution is stopped (P29)', async () => {
		const { rest } = host();
		const until = secondsFromNow(62);
		const call = sleeps(until.toISOString());
		const id = await start(call);
		await expect.poll(() => parkServer.calls(call.tag).length, { timeout: 10_000 }).toBe(1);
		await rest.stopExecution(id);
		const stopped = await rest.waitForExecution(id, ['canceled'], 10_000);
		expect(Date.now()).toBeLessThan(until.getTime() - 30_000);
		expect(stopped.runData).not.toHaveProperty('After');
		expect(parkServer.calls(call.tag)).toHaveLength(1);
	});

	test('that is parked can be stopped, and its address is dead then', async () => {
		const { rest } = host();
		const id = await start(sleeps('2999-12-31T23:59:59Z'));
		const asleep = await rest.waitForExecution(id, ['waiting']);
		expect(asleep.waitTill?.getUTCFullYear()).toBe(2999);
		await rest.stopExecution(id);
		await rest.waitForExecution(id, ['canceled']);
		expect((await postAnswer(shownUrl(asleep), {})).ok).toBe(false);
		expect((await rest.execution(id)).status).toBe('canceled');
	});

	test.each([
		['a year ago', '2025-11-29T10:00:00Z', '2025-11-29T10:00:00.000Z'],
		['with an offset and a fraction', '1999-12-31T23:59:59.5-05:30', '2000-01-01T05:29:59.500Z'],
	])('whose instant is past, %s, is due at once (P12, P13)', async (_, given, utc) => {
		const { rest } = host();
		const call = sleeps(given);
		const done = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				relay(credential, call),
				setFields({ until: '{{ $json.output.slept_until }}' }),
			]),
			['success'],
		);
		expect(callOf(done)).toMatchObject({ outcome: 'woke', park: { kind: 'sleep', until: utc } });
		expect(jsonOf(done, 'After')).toEqual([{ until: utc }]);
		expect(parkServer.calls(call.tag)).toHaveLength(1);
	});
});
