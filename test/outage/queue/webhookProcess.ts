import { expect, test } from 'vitest';
import { callWebhook } from '../../support/callWebhook';
import { jsonOf, postAnswer } from '../../support/host';
import { callEach, listItems, lookBack, lookedBack, runUrl } from '../../support/manyParks';
import { answers, newTag, relay, shownUrl, suspends } from '../../support/parkRuns';
import type { QueueBench } from '../../support/queueBench';
import { items, respond, setFields, webhookTrigger, workflow } from '../../support/workflow';
import type { NodeSpec, ResponseMode } from '../../support/workflow';
import type { WorkflowSpec } from '../../../scripts/host/n8nRest';

const SCHEMA = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };

/** Triggers and resume addresses served by `n8n webhook`, runs by workers. */
export function webhookProcess(bench: QueueBench): void {
	/** Calls a trigger on the webhook process, and waits until the run is parked. */
	async function park(spec: (hook: string) => WorkflowSpec) {
		const { rest, webhookBaseUrl } = bench().host;
		const hook = `process-${newTag()}`;
		return await callWebhook(rest, spec(hook), hook, {}, webhookBaseUrl);
	}
	/** A run whose call parks, for a caller who is answered in this mode. */
	const called = async (mode: ResponseMode, behind: readonly NodeSpec[] = []) =>
		await park((hook) =>
			workflow([
				webhookTrigger(hook, mode),
				relay(bench().credential, suspends()),
				setFields({ said: '{{ $json.output }}' }),
				...behind,
			]),
		);
	async function finish(id: string): Promise<void> {
		const { rest } = bench().host;
		expect((await postAnswer(await rest.resumeUrl(id), 'yes')).status).toBe(200);
		const done = await rest.waitForExecution(id, ['success']);
		expect(jsonOf(done, 'After')).toEqual([{ said: 'yes' }]);
	}

	test('a run that a worker parked is shown and answered on the webhook process, whose address the worker gives, as on main (R1, R2, R6, R8, R9)', async () => {
		const { host, parkServer, credential } = bench();
		const calls = [suspends('First', SCHEMA), answers('said 1'), suspends('Last', SCHEMA)];
		const before = items(
			calls.map((call, x) => ({ x: `x${String(x)}`, call })),
			'Before',
		);
		const { parked } = await park((hook) =>
			workflow([webhookTrigger(hook), before, callEach(credential), lookBack()]),
		);
		const [first, last] = [shownUrl(parked), shownUrl(parked, 'Call', 2)];
		for (const url of [first, last]) expect(url).toMatch(`${host.webhookBaseUrl}/webhook-waiting/`);
		const onMain = (url: string) => url.replace(host.webhookBaseUrl, host.rest.baseUrl);

		const page = await fetch(first, { headers: { accept: 'text/html' } });
		expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('First')]);
		expect((await listItems(runUrl(parked))).map(({ reason }) => reason)).toEqual([
			'First',
			'Last',
		]);
		expect((await postAnswer(first, { yes: 'perhaps' })).status).toBe(422);
		expect((await postAnswer(first, { yes: true })).status).toBe(202);
		expect((await postAnswer(onMain(first), { yes: false })).status).toBe(409);
		expect((await postAnswer(last, { yes: false })).status).toBe(200);
		const done = await host.rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack([{ yes: true }, 'said 1', { yes: false }]));
		expect(done.runData.After).toHaveLength(1);
		expect(calls.map(({ tag }) => parkServer.calls(tag).length)).toEqual([1, 1, 1]);
	});

	test('a caller who is answered by the last node gets the parked item without its address', async () => {
		const { response, parked } = await called('lastNode');
		const body = await (await response).text();
		expect(body).toContain('Say something');
		expect(body).not.toContain('webhook-waiting');
		expect(body).not.toContain(parked.resumeToken);
		await finish(parked.id);
	});

	test('a caller who is to be answered by a Respond to Webhook node behind the call gets an empty answer when the run parks: so n8n does it', async () => {
		const { response, parked } = await called('responseNode', [respond()]);
		const answer = await response;
		expect([answer.status, await answer.text()]).toEqual([200, '']);
		await finish(parked.id);
	});
}
