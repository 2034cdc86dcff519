import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { host, httpConnection, jsonOf, postAnswer } from '../support/host';
import { answers, newTag, runInProduction, sendsPark, suspends } from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { createChild, parentNodes, waitingRuns } from '../support/subWorkflows';
import { manualTrigger, webhookTrigger, workflow } from '../support/workflow';

const SCHEMA = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };

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

/** Starts a parent whose child calls; gives both ids once both wait. */
async function parkChild(makeCalls: () => readonly RelayCall[], hook?: string) {
	const { rest } = host();
	const childId = await createChild(rest, credential);
	const calls = makeCalls();
	const nodes = parentNodes(childId, calls);
	let parentId: string;
	if (hook === undefined) {
		const { id } = await rest.createWorkflow(workflow([manualTrigger(), ...nodes]));
		parentId = await rest.runManually(id);
	} else {
		const spec = workflow([webhookTrigger(hook), ...nodes]);
		parentId = (await runInProduction(rest, spec, hook)).executionId;
	}
	await rest.waitForExecution(parentId, ['waiting']);
	const [child = ''] = await waitingRuns(rest, childId, 1);
	return { calls, parentId, child: await rest.waitForExecution(child, ['waiting']) };
}

// The sleepers set the time that these take.
describe.concurrent('a sub-workflow whose call parks', () => {
	test.each(['by hand', 'in production'] as const)(
		'makes its parent wait, run %s: answers on the child’s address end both, and the parent gets the child’s final output (P24, P28)',
		async (how) => {
			const { rest } = host();
			const calls = [suspends('First', SCHEMA), answers('said 1'), suspends('Last', SCHEMA)];
			const hook = how === 'in production' ? `sub-${newTag()}` : undefined;
			const { parentId, child } = await parkChild(() => calls, hook);
			const url = await rest.resumeUrl(child.id);
			expect((await postAnswer(`${url}&item=0`, { yes: 'perhaps' })).status).toBe(422);
			expect((await postAnswer(`${url}&item=0`, { yes: true })).status).toBe(202);
			expect((await rest.execution(parentId)).status).toBe('waiting');
			expect((await postAnswer(`${url}&item=2`, { yes: false })).status).toBe(200);
			await rest.waitForExecution(child.id, ['success']);
			const done = await rest.waitForExecution(parentId, ['success']);
			expect(jsonOf(done, 'Child')).toEqual([
				{ done: '{"yes":true}' },
				{ done: '"said 1"' },
				{ done: '{"yes":false}' },
			]);
			expect(done.runData.After).toHaveLength(1);
			expect(sent(calls)).toEqual([1, 1, 1]);
		},
	);

	test('for a date wakes by itself, and its parent goes on with its final output (P23, P28)', async () => {
		const { rest } = host();
		let until = '';
		const { calls, parentId, child } = await parkChild(() => {
			until = new Date(Date.now() + 90_000).toISOString();
			return [sendsPark({ sleep_until: until })];
		});
		expect((await postAnswer(await rest.resumeUrl(child.id), {})).status).toBe(409);
		const done = await rest.waitForExecution(parentId, ['success'], 150_000);
		expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
		expect(jsonOf(done, 'Child')).toEqual([{ done: JSON.stringify({ slept_until: until }) }]);
		expect(sent(calls)).toEqual([1]);
	});

	test('called once for each item gives its parent the output of the child that ends first, and of no other: so n8n does it', async () => {
		const { rest } = host();
		const childId = await createChild(rest, credential);
		const calls = [suspends('First'), suspends('Second')];
		const spec = workflow([manualTrigger(), ...parentNodes(childId, calls, 'each')]);
		const parentId = await rest.runManually((await rest.createWorkflow(spec)).id);
		await rest.waitForExecution(parentId, ['waiting']);
		const [first = '', second = ''] = await waitingRuns(rest, childId, 2);
		expect((await postAnswer(await rest.resumeUrl(second), 'to the second')).status).toBe(200);
		const done = await rest.waitForExecution(parentId, ['success']);
		expect(jsonOf(done, 'Child')).toEqual([{ done: '"to the second"' }]);
		expect((await postAnswer(await rest.resumeUrl(first), 'to the first')).status).toBe(200);
		await rest.waitForExecution(first, ['success']);
		const later = await rest.execution(parentId);
		expect([later.status, jsonOf(later, 'Child')]).toEqual(['success', jsonOf(done, 'Child')]);
		expect(sent(calls)).toEqual([1, 1]);
	});
});
