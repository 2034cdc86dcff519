import { expect, test } from 'vitest';
import { jsonOf, postAnswer } from '../../support/host';
import { callOf, relayEach, runInProduction, shownUrl, suspends } from '../../support/parkRuns';
import type { QueueBench } from '../../support/queueBench';
import { items, webhookTrigger, workflow } from '../../support/workflow';

const SCHEMA = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };

/** On Park Workflow, run by a worker. */
export function tellingInQueueMode(bench: QueueBench): void {
	test('a worker tells the workflow of On Park Workflow, which fails or not, and takes the next job', async () => {
		const { host, credential } = bench();
		const { rest, workers } = host;
		const called = {
			name: 'Called',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		};
		const broken = {
			name: 'Broken',
			type: 'n8n-nodes-base.stopAndError',
			parameters: { errorMessage: 'No mail today' },
		};
		const tellers = [workflow([called]), workflow([called, broken])];
		const warnings: unknown[] = [];
		for (const [at, spec] of tellers.entries()) {
			const { id } = await rest.createWorkflow({ ...spec, settings: { callerPolicy: 'any' } });
			await rest.activate(id);
			const hook = `queue-told-${String(at)}`;
			const node = relayEach(credential);
			const onParkWorkflow = { __rl: true, mode: 'id', value: id };
			const { executionId } = await runInProduction(
				rest,
				workflow([
					webhookTrigger(hook),
					items([{ x: 'x0', call: suspends('Told', SCHEMA) }], 'Before'),
					{ ...node, parameters: { ...node.parameters, options: { onParkWorkflow } } },
				]),
				hook,
			);
			const parked = await rest.waitForExecution(executionId, ['waiting']);
			warnings.push(callOf(parked).warnings);
			const [run] = await rest.listExecutions(id);
			const told = jsonOf(await rest.execution(run?.id ?? ''), 'Called');
			expect(told).toMatchObject([{ reason: 'Told', resumeUrl: shownUrl(parked) }]);
			expect((await postAnswer(shownUrl(parked), { yes: true })).status).toBe(200);
			await rest.waitForExecution(executionId, ['success']);
		}
		expect(warnings).toEqual([
			undefined,
			[expect.stringMatching(/On Park Workflow failed \(No mail today\)/)],
		]);
		expect(workers()).toHaveLength(2);
	});
}
