import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Execution } from '../../scripts/host/executionData';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference, WorkflowSpec } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import {
	agentWorkflow,
	finalText,
	modelConnection,
	relays,
	relayTool,
	repeats,
} from '../support/agentRuns';
import { host, httpConnection, jsonOf, postAnswer, runUntil } from '../support/host';
import { awaitParks } from '../support/manyParks';
import {
	answers,
	callOf,
	failsLanded,
	parkOf,
	relayEach,
	runInProduction,
	sendsPark,
	shownUrl,
	suspends,
} from '../support/parkRuns';
import type { RelayCall } from '../support/parkRuns';
import { startModelServer } from '../support/servers/modelServer';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { items, manualTrigger, nothing, webhookTrigger, workflow } from '../support/workflow';
import type { NodeSpec } from '../support/workflow';

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

/** What a sub-workflow starts with. */
const calledTrigger = (): NodeSpec => ({
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
});

const code = (jsCode: string): NodeSpec => ({
	name: 'Code',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode },
});

const wait = (seconds: number): NodeSpec => ({
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { resume: 'timeInterval', amount: seconds, unit: 'seconds' },
});

/** A workflow that is told, published unless it is to stay a draft. */
async function teller(
	nodes: readonly NodeSpec[] = [nothing('Tell')],
	{ settings = {}, draft = false }: { settings?: Json; draft?: boolean } = {},
): Promise<string> {
	const { rest } = host();
	const spec: WorkflowSpec = workflow([calledTrigger(), ...nodes]);
	const { id } = await rest.createWorkflow({
		...spec,
		settings: { ...spec.settings, ...settings },
	});
	if (!draft) await rest.activate(id);
	return id;
}

const selects = (workflowId: string): Json => ({
	onParkWorkflow: { __rl: true, mode: 'list', value: workflowId, cachedResultName: 'Teller' },
});

/** A call for each item, in a workflow that tells another one. */
function telling(
	calls: readonly RelayCall[],
	options: Json,
	{ settings = {}, hook }: { settings?: Json; hook?: string } = {},
): WorkflowSpec {
	const node = relayEach(credential, settings);
	return workflow([
		hook === undefined ? manualTrigger() : webhookTrigger(hook),
		items(calls.map((call) => ({ call }))),
		{ ...node, parameters: { ...node.parameters, options } },
		nothing(),
	]);
}

async function parkInProduction(calls: readonly RelayCall[], options: Json): Promise<Execution> {
	const { rest } = host();
	const hook = randomUUID();
	const { executionId } = await runInProduction(rest, telling(calls, options, { hook }), hook);
	return await rest.waitForExecution(executionId, ['waiting']);
}

/** The runs of a workflow that is told, which end after the execution that started them has parked. */
async function runsOf(workflowId: string, count = 1): Promise<readonly Execution[]> {
	const { rest } = host();
	const rows = await until(
		async () => {
			const found = await rest.listExecutions(workflowId);
			return found.length >= count ? found : undefined;
		},
		30_000,
		() => `The workflow ${workflowId} was not run ${String(count)} times`,
	);
	expect(rows).toHaveLength(count);
	return await Promise.all(rows.map(async ({ id }) => await rest.execution(id)));
}

async function toldItems(workflowId: string): Promise<readonly Json[]> {
	const [run] = await runsOf(workflowId);
	if (run === undefined) throw new Error('unreachable');
	const done = await host().rest.waitForExecution(run.id, ['success']);
	return jsonOf(done, 'Called');
}

const hintsOf = (execution: Execution, node = 'Call') =>
	execution.runData[node]?.at(-1)?.hints ?? [];

async function expectStillAnswerable(parked: Execution, node = 'Call'): Promise<void> {
	const { rest } = host();
	const url = shownUrl(parked, node);
	expect((await postAnswer(url, { yes: 'perhaps' })).status).toBe(422);
	expect((await rest.execution(parked.id)).status).toBe('waiting');
	expect((await postAnswer(url, { yes: true })).status).toBe(200);
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, node)[0]?.output).toEqual({ yes: true });
}

describe('the workflow that is told', () => {
	test('gets one item for each that waits, with all that a message needs, before the wait; each address takes its answer', async () => {
		const { rest } = host();
		const id = await teller();
		const until75 = new Date(Date.now() + 3_600_000).toISOString();
		const calls = [
			suspends('First', SCHEMA),
			answers('no wait'),
			sendsPark({ suspend: { reason: 'Second', input_schema: true, kind: 'signal' } }),
			sendsPark({ sleep_until: until75 }),
		];
		const parked = await parkInProduction(calls, selects(id));
		const told = await toldItems(id);
		const { name } = await rest.workflow(parked.workflowId);
		const common = {
			tool: 'relay',
			serverName: 'demo',
			parkedAt: expect.stringMatching(/^\d{4}-.*Z$/),
			executionId: parked.id,
			workflowId: parked.workflowId,
			workflowName: name,
			nodeName: 'Call',
		};
		expect(told).toEqual([
			{
				...common,
				item: 0,
				kind: 'person',
				reason: 'First',
				inputSchema: SCHEMA,
				resumeUrl: shownUrl(parked, 'Call', 0),
			},
			{
				...common,
				item: 2,
				kind: 'signal',
				reason: 'Second',
				inputSchema: true,
				resumeUrl: shownUrl(parked, 'Call', 2),
			},
			{
				...common,
				item: 3,
				kind: 'sleep',
				until: until75,
				resumeUrl: shownUrl(parked, 'Call', 3),
			},
		]);
		expect(callOf(parked)).not.toHaveProperty('warnings');
		expect((await postAnswer(String(told[1]?.resumeUrl), 'signal')).status).toBe(202);
		expect((await postAnswer(String(told[0]?.resumeUrl), { yes: true })).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'Call').map(({ output }) => output)).toEqual([
			{ yes: true },
			'no wait',
			'signal',
			null,
		]);
		await runsOf(id);
	});

	test('is the draft in a run by hand, and need not be published', async () => {
		const { rest } = host();
		const id = await teller(undefined, { draft: true });
		const parked = await runUntil(rest, telling([suspends('Draft', SCHEMA)], selects(id)), [
			'waiting',
		]);
		expect(await toldItems(id)).toMatchObject([{ reason: 'Draft' }]);
		expect(callOf(parked)).not.toHaveProperty('warnings');
		await expectStillAnswerable(parked);
	});

	test('is not run when nothing waits, nor by When Parked = Continue; Await runs it', async () => {
		const { rest } = host();
		const [idle, forAwait] = [await teller(), await teller()];
		const node = relayEach(credential);
		const spec = workflow([
			manualTrigger(),
			items([{ call: suspends('Later', SCHEMA) }]),
			{
				...node,
				parameters: { ...node.parameters, whenParked: 'continue', options: selects(idle) },
			},
			{ ...awaitParks(), parameters: { operation: 'await', options: selects(forAwait) } },
		]);
		const parked = await runUntil(rest, spec, ['waiting']);
		expect(await toldItems(forAwait)).toMatchObject([
			{ reason: 'Later', resumeUrl: shownUrl(parked, 'Await'), nodeName: 'Await' },
		]);
		await expectStillAnswerable(parked, 'Await');
		await runUntil(rest, telling([answers('at once')], selects(idle)), ['success']);
		expect(await rest.listExecutions(idle)).toEqual([]);
	});

	test('is run once under Retry On Fail, after the try that parks (P20)', async () => {
		const { rest } = host();
		const id = await teller();
		const calls = [failsLanded('broken'), suspends('Once', SCHEMA)];
		const settings = {
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 0,
			onError: 'continueRegularOutput',
		};
		const spec = telling(calls, selects(id), { settings });
		const parked = await runUntil(rest, spec, ['waiting']);
		expect(parkOf(parked, 'Call', 1).reason).toBe('Once');
		expect(await toldItems(id)).toMatchObject([{ item: 1, reason: 'Once' }]);
		expect((await postAnswer(shownUrl(parked, 'Call', 1), { yes: true })).status).toBe(200);
		await rest.waitForExecution(parked.id, ['success']);
		await runsOf(id);
	});

	test('is run for an AI Agent’s tool too, and the agent goes on with the answer (P28)', async () => {
		const { rest } = host();
		const models = await startModelServer();
		try {
			const id = await teller(undefined, { draft: true });
			const tool = relayTool(credential);
			const spec = agentWorkflow({
				model: models.model((got) =>
					got.length === 0 ? relays(suspends('Ask a person', SCHEMA)) : repeats(got),
				),
				modelCredential: await modelConnection(rest, models),
				tools: [{ ...tool, parameters: { ...tool.parameters, options: selects(id) } }],
			});
			const parked = await runUntil(rest, spec, ['waiting']);
			const [told] = await toldItems(id);
			expect(told).toMatchObject({ reason: 'Ask a person', executionId: parked.id });
			expect((await postAnswer(String(told?.resumeUrl), { yes: true })).status).toBe(200);
			const done = await rest.waitForExecution(parked.id, ['success']);
			expect(finalText(done)).toBe('[{"yes":true}]');
		} finally {
			await models.stop();
		}
	});
});

describe('a workflow that cannot tell anybody never loses the park', () => {
	const failures: readonly (readonly [string, () => Promise<Json>, RegExp])[] = [
		[
			'that is not there',
			async () => await Promise.resolve(selects('AAAAAAAAAAAAAAAA')),
			/did not start \(Workflow is not active and cannot be executed\): choose a workflow/,
		],
		[
			'that is not chosen',
			async () => await Promise.resolve(selects('')),
			/On Park Workflow is empty: choose a workflow/,
		],
		[
			'that is not published',
			async () => selects(await teller(undefined, { draft: true })),
			/did not start \(Workflow is not active/,
		],
		[
			'that fails',
			async () => selects(await teller([code("throw new Error('No mail today');")])),
			/failed \(No mail today \[line 1\]\): see its execution \d+\.$/,
		],
		[
			'that forbids to be called',
			async () => selects(await teller(undefined, { settings: { callerPolicy: 'none' } })),
			/failed \(The sub-workflow .* cannot be called by this workflow\): see its execution \d+\.$/,
		],
		[
			'that nothing can call',
			async () => {
				const { rest } = host();
				const hook = randomUUID();
				const { id } = await rest.createWorkflow(workflow([webhookTrigger(hook), nothing()]));
				await rest.activate(id);
				return selects(id);
			},
			/did not start \(Missing node to start execution\): choose a workflow/,
		],
	];
	test.each(failures)('one %s: the item and the editor say so', async (_, options, problem) => {
		const parked = await parkInProduction([suspends('Ask', SCHEMA)], await options());
		expect(callOf(parked).warnings).toEqual([expect.stringMatching(problem)]);
		expect(hintsOf(parked)).toEqual([
			expect.objectContaining({
				type: 'warning',
				message: expect.stringContaining('On Park Workflow'),
			}),
		]);
		await expectStillAnswerable(parked);
	});

	test('one that is the workflow itself is not run', async () => {
		const { rest } = host();
		const hook = randomUUID();
		const spec = telling([suspends('Ask', SCHEMA)], {}, { hook });
		const { id } = await rest.createWorkflow(spec);
		await rest.updateWorkflow(id, telling([suspends('Ask', SCHEMA)], selects(id), { hook }));
		await rest.activate(id);
		await fetch(rest.webhookUrl(hook), { method: 'POST' });
		const [run] = await runsOf(id);
		const parked = await rest.waitForExecution(run?.id ?? '', ['waiting']);
		expect(callOf(parked).warnings).toEqual([expect.stringContaining('this workflow itself')]);
		await expectStillAnswerable(parked);
		await runsOf(id);
	});

	test('one that waits itself is left to wait, and its end does not resume the execution', async () => {
		const { rest } = host();
		const id = await teller([wait(66), nothing('Told')]);
		const parked = await parkInProduction([suspends('Ask', SCHEMA)], selects(id));
		expect(parked.waitTill?.getUTCFullYear()).toBe(3000);
		expect(callOf(parked)).not.toHaveProperty('warnings');
		const [run] = await runsOf(id);
		await rest.waitForExecution(run?.id ?? '', ['success'], 150_000);
		await expectStillAnswerable(parked);
	});

	test('one that hangs is not waited for', async () => {
		const { rest } = host();
		const id = await teller([wait(50)]);
		const before = Date.now();
		const parked = await parkInProduction([suspends('Ask', SCHEMA)], selects(id));
		expect(Date.now() - before).toBeLessThan(30_000);
		expect(callOf(parked)).not.toHaveProperty('warnings');
		const [run] = await runsOf(id);
		expect(run?.status).toBe('running');
		await expectStillAnswerable(parked);
		await rest.stopExecution(run?.id ?? '');
	});
});
