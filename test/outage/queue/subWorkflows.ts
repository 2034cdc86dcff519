import { expect, test } from 'vitest';
import { jsonOf, postAnswer } from '../../support/host';
import { answers, newTag, runInProduction, sendsPark, suspends } from '../../support/parkRuns';
import type { RelayCall } from '../../support/parkRuns';
import type { QueueBench } from '../../support/queueBench';
import { createChild, parentNodes, waitingRuns } from '../../support/subWorkflows';
import { webhookTrigger, workflow } from '../../support/workflow';

/** A sub-workflow whose call parks, run by workers. */
export function subWorkflowsInQueueMode(bench: QueueBench): void {
	async function parkChild(makeCalls: () => readonly RelayCall[]) {
		const { host, credential } = bench();
		const { rest } = host;
		const childId = await createChild(rest, credential);
		const calls = makeCalls();
		const hook = `queue-sub-${newTag()}`;
		const spec = workflow([webhookTrigger(hook), ...parentNodes(childId, calls)]);
		const { executionId } = await runInProduction(rest, spec, hook);
		await rest.waitForExecution(executionId, ['waiting']);
		const [child = ''] = await waitingRuns(rest, childId, 1);
		return { calls, parentId: executionId, childId: child };
	}
	const sent = (calls: readonly RelayCall[]) =>
		calls.map(({ tag }) => bench().parkServer.calls(tag).length);

	test('a sub-workflow makes its parent wait, and the parent goes on with its final output after the last answer (P24, P28)', async () => {
		const { rest } = bench().host;
		const calls = [suspends('First'), answers('said 1'), suspends('Last')];
		const { parentId, childId } = await parkChild(() => calls);
		const url = await rest.resumeUrl(childId);
		expect((await postAnswer(`${url}&item=0`, 'first')).status).toBe(202);
		expect((await rest.execution(parentId)).status).toBe('waiting');
		expect((await postAnswer(`${url}&item=2`, 'last')).status).toBe(200);
		await rest.waitForExecution(childId, ['success']);
		const done = await rest.waitForExecution(parentId, ['success'], 100_000);
		expect(jsonOf(done, 'Child')).toEqual([
			{ done: '"first"' },
			{ done: '"said 1"' },
			{ done: '"last"' },
		]);
		expect(done.runData.After).toHaveLength(1);
		expect(sent(calls)).toEqual([1, 1, 1]);
	});

	test('a sub-workflow that sleeps wakes by itself, and its parent goes on with its final output (P23, P28)', async () => {
		const { rest } = bench().host;
		let until = '';
		const { calls, parentId } = await parkChild(() => {
			until = new Date(Date.now() + 110_000).toISOString();
			return [sendsPark({ sleep_until: until })];
		});
		const done = await rest.waitForExecution(parentId, ['success'], 180_000);
		expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
		expect(jsonOf(done, 'Child')).toEqual([{ done: JSON.stringify({ slept_until: until }) }]);
		expect(sent(calls)).toEqual([1]);
	});
}
