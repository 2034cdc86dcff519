import { expect, test } from 'vitest';
import { callWebhook } from '../../support/callWebhook';
import { postAnswer } from '../../support/host';
import { callOf, newTag, relay, sendsPark, shownUrl, suspends } from '../../support/parkRuns';
import type { QueueBench } from '../../support/queueBench';
import { nothing, webhookTrigger, workflow } from '../../support/workflow';

/** How a parked run may end otherwise than by its answer. */
export function endingsInQueueMode(bench: QueueBench): void {
	test('a run that is stopped while it is parked is over: its address says so on every process, and nothing is called', async () => {
		const { host, credential, parkServer } = bench();
		const { rest, webhookBaseUrl } = host;
		const hook = `queue-stop-${newTag()}`;
		const call = suspends();
		const spec = workflow([webhookTrigger(hook), relay(credential, call), nothing()]);
		const { parked } = await callWebhook(rest, spec, hook);
		await rest.stopExecution(parked.id);
		await rest.waitForExecution(parked.id, ['canceled']);
		const url = shownUrl(parked);
		for (const address of [url, url.replace(webhookBaseUrl, rest.baseUrl)]) {
			expect((await fetch(address)).status).toBe(409);
			expect((await postAnswer(address, 'late')).status).toBe(409);
		}
		expect((await rest.execution(parked.id)).status).toBe('canceled');
		expect(parkServer.calls(call.tag)).toHaveLength(1);
	});

	test('a run that sleeps longer than its workflow may run wakes: a worker measures anew, so no timeout is warned of (P23)', async () => {
		const { host, credential } = bench();
		const { rest } = host;
		const hook = `queue-timeout-${newTag()}`;
		const until = new Date(Date.now() + 110_000).toISOString();
		const call = relay(credential, sendsPark({ sleep_until: until }));
		const spec = workflow([webhookTrigger(hook), call, nothing()]);
		const settings = { ...spec.settings, executionTimeout: 40 };
		const { parked } = await callWebhook(rest, { ...spec, settings }, hook);
		expect(parked.runData.Call?.at(-1)?.hints).toEqual([]);
		const done = await rest.waitForExecution(parked.id, ['success'], 150_000);
		expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
		expect(callOf(done).outcome).toBe('woke');
	});
}
