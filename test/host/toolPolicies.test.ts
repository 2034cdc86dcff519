import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { agentTool, agentWorkflow, answered, modelConnection, repeats } from '../support/agentRuns';
import { byName, jsonCall } from '../support/calls';
import { host, httpConnection, itemsOf, jsonOf, runUntil } from '../support/host';
import type { ModelServer, ModelTurn } from '../support/servers/modelServer';
import { startModelServer } from '../support/servers/modelServer';
import type { ServedTool } from '../support/servers/toolServer';
import { listed, startToolServer } from '../support/servers/toolServer';
import { items, manualTrigger, toolCall, toolPicker, workflow } from '../support/workflow';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

async function serve(tools: readonly ServedTool[], connection: Json) {
	const server = await startToolServer(tools);
	endings.push(() => server.stop());
	const { endpoint } = server;
	const credential = await httpConnection(host().rest, { endpoint, ...connection });
	return { server, credential, endpoint };
}

const policies = (...tool: readonly Json[]): Json => ({ toolPolicies: { tool } });

describe('a row of Tool Policies whose tool the server does not offer (E8)', () => {
	test.each([
		['denies it', policies({ name: 'Pay', access: 'denied' })],
		[
			'allows it under Deny',
			{ unlistedTools: 'deny', ...policies({ name: 'pay' }, { name: 'Pay' }) },
		],
		['names a key', policies({ name: 'Pay', idempotencyKey: 'claim.id' })],
	])(
		'%s: a call is refused and nothing is sent, listing and picking go on with a warning, and the test fails',
		async (_, connection) => {
			const { rest } = host();
			const { server, credential, endpoint } = await serve([{ listed: listed('pay') }], connection);
			const pick = { operation: 'pick', tool: byName('pay') };
			const { error, runData } = await runUntil(
				rest,
				workflow([
					manualTrigger(),
					toolPicker(credential, { operation: 'list' }, {}, 'List'),
					toolPicker(credential, pick),
					toolCall(credential, jsonCall('pay', {})),
				]),
				['error'],
			);
			expect(error?.message).toContain(
				'states an access or a key for tools that the server "demo" does not offer: "Pay"',
			);
			expect(error?.description).toContain('Code: policy-denied. Disposition: did-not-happen.');
			const warning =
				'Tool Policies states an access or a key for tools that demo does not offer: Pay. No tool is called over this connection until those rows are corrected or removed.';
			for (const name of ['List', 'Pick']) {
				expect(runData[name]?.[0]?.hints).toEqual([
					expect.objectContaining({ type: 'warning', message: warning }),
				]);
			}
			expect(server.calls).toEqual([]);
			const verdict = await rest.testCredential({
				name: 'Unsaved',
				type: 'mcpConnectionApi',
				data: { transport: 'streamableHttp', serverName: 'demo', endpoint, ...connection },
			});
			expect(verdict).toEqual({ status: 'Error', message: warning });
		},
	);

	test('states an effect alone: the call is made, and the node says it', async () => {
		const { server, credential } = await serve(
			[{ listed: listed('pay') }],
			policies({ name: 'Pay', effect: 'read' }),
		);
		const execution = await runUntil(
			host().rest,
			workflow([manualTrigger(), toolCall(credential, jsonCall('pay', {}))]),
			['success'],
		);
		expect(execution.runData.Call?.[0]?.hints).toEqual([
			expect.objectContaining({
				type: 'warning',
				message: 'Tool Policies names tools that demo does not offer: Pay.',
			}),
		]);
		expect(server.calls).toHaveLength(1);
	});
});

test('an item fails that would lower the effect, and says which the connection has; one that raises it is called (E5, E6)', async () => {
	const { server, credential } = await serve(
		[{ listed: listed('look', { readOnlyHint: true }) }, { listed: listed('pay') }],
		policies({ name: 'pay', effect: 'write' }),
	);
	const execution = await runUntil(
		host().rest,
		workflow([
			manualTrigger(),
			items([{ tool: 'look' }, { tool: 'pay' }]),
			toolCall(
				credential,
				{ ...jsonCall('x', {}, { treatAs: 'idempotent' }), tool: byName('={{ $json.tool }}') },
				{ onError: 'continueRegularOutput' },
			),
		]),
		['success'],
	);
	const [raised, lowered] = jsonOf(execution, 'Call');
	expect(raised?.call).toMatchObject({ effect: 'idempotent', effectSource: 'node' });
	expect(lowered).toMatchObject({
		error: {
			code: 'policy-denied',
			message: 'Treat As must not be laxer than the connection: "pay" is write (operator) there',
		},
		details: { call: { effect: 'write', effectSource: 'operator' } },
	});
	expect(server.calls.map(({ tool }) => tool)).toEqual(['look']);
});

test('under Deny without a row nothing is called (G1, G2)', async () => {
	for (const connection of [
		{ unlistedTools: 'deny' },
		policies({ name: 'pay', access: 'denied', effect: 'read' }),
	]) {
		const { server, credential } = await serve([{ listed: listed('pay') }], connection);
		const { error } = await runUntil(
			host().rest,
			workflow([manualTrigger(), toolCall(credential, jsonCall('pay', {}))]),
			['error'],
		);
		expect(error?.message).toBe('The connection\'s policy does not allow "pay"');
		expect(server.calls).toEqual([]);
	}
});

test('a keyed call without its key fails alone and names tool, path and what was there; a read needs none (K2, K11)', async () => {
	const { server, credential } = await serve(
		[{ listed: listed('pay') }, { listed: listed('look') }],
		policies(
			{ name: 'pay', effect: 'write', idempotencyKey: 'claim.id' },
			{ name: 'look', effect: 'read', idempotencyKey: 'claim.id' },
		),
	);
	const execution = await runUntil(
		host().rest,
		workflow([
			manualTrigger(),
			items([{ tool: 'pay' }, { tool: 'look' }]),
			toolCall(
				credential,
				{ ...jsonCall('x', { claim: null }), tool: byName('={{ $json.tool }}') },
				{ onError: 'continueRegularOutput' },
			),
		]),
		['success'],
	);
	expect(itemsOf(execution, 'Call').map(({ json }) => json.error)).toEqual([
		expect.objectContaining({
			code: 'key-missing',
			disposition: 'did-not-happen',
			message: '"pay" needs its idempotency key "claim.id", but null stands at "claim"',
		}),
		undefined,
	]);
	expect(server.calls.map(({ tool }) => tool)).toEqual(['look']);
});

test('a key path that is none is refused where the connection is tested and used, naming tool and path (K1)', async () => {
	const row = policies({ name: 'pay', idempotencyKey: 'claims[0].id' });
	const { server, credential, endpoint } = await serve([{ listed: listed('pay') }], row);
	const said =
		'Tool Policies has an unusable Idempotency Key for "pay": "claims[0].id" holds a bracket, and lists cannot be walked';
	const verdict = await host().rest.testCredential({
		name: 'Unsaved',
		type: 'mcpConnectionApi',
		data: { transport: 'streamableHttp', endpoint, ...row },
	});
	expect(verdict.status).toBe('Error');
	expect(verdict.message).toContain(said);
	const { error } = await runUntil(
		host().rest,
		workflow([manualTrigger(), toolCall(credential, jsonCall('pay', {}))]),
		['error'],
	);
	expect(error?.message).toContain(said);
	expect(server.initialised()).toBe(0);
});

describe("the picker as an AI Agent's tool", () => {
	let models: ModelServer;
	let modelCredential: CredentialReference;
	beforeAll(async () => {
		models = await startModelServer();
		modelCredential = await modelConnection(host().rest, models);
	});
	afterAll(async () => {
		await models.stop();
	});

	const pickerTool = (credential: CredentialReference, parameters: Json, settings: Json = {}) => ({
		...agentTool(credential, parameters, settings, 'Tools'),
		type: 'n8n-nodes-salvor.mcpToolPickerTool',
	});
	const asks = (more: Json = {}): ModelTurn => ({ calls: [{ tool: 'Tools', arguments: more }] });

	test('lists what may be called and nothing else (G1, G2)', async () => {
		const { credential } = await serve(
			['pay', 'look', 'hidden'].map((name) => ({ listed: listed(name) })),
			{ unlistedTools: 'deny', ...policies({ name: 'look' }, { name: 'pay', access: 'denied' }) },
		);
		const model = models.model((got) => (got.length === 0 ? asks() : repeats(got)));
		const tools = [pickerTool(credential, { operation: 'list' })];
		await runUntil(host().rest, agentWorkflow({ model, modelCredential, tools }), ['success']);
		const told = models.requests(model)[1]?.toolAnswers[0] ?? '';
		expect((JSON.parse(told) as Json[]).map(({ tool }) => tool)).toEqual(['look']);
		expect(told).not.toContain('hidden');
	});

	test('compares what may be called and nothing else, whatever the baseline holds (G1, G4)', async () => {
		const { credential } = await serve(
			['look', 'hidden'].map((name) => ({ listed: listed(name) })),
			{ unlistedTools: 'deny', ...policies({ name: 'look' }) },
		);
		const model = models.model((got) => (got.length === 0 ? asks() : repeats(got)));
		const baselineTools = JSON.stringify({ hidden: 'a'.repeat(64), secret: 'b'.repeat(64) });
		const parameters = { operation: 'compare', baseline: 'given', baselineTools };
		const tools = [pickerTool(credential, parameters)];
		await runUntil(host().rest, agentWorkflow({ model, modelCredential, tools }), ['success']);
		const told = models.requests(model)[1]?.toolAnswers[0] ?? '';
		expect(JSON.parse(told)).toMatchObject([{ added: ['look'], removed: [], changed: [] }]);
		expect(told).not.toMatch(/hidden|secret/);
	});

	test.each([3.1, 2.2])(
		'refuses in one sentence whatever the reason, and the execution keeps the true one (G5): AI Agent %s',
		async (version) => {
			const { credential } = await serve(
				['pay', 'look'].map((name) => ({ listed: listed(name) })),
				policies({ name: 'pay', access: 'denied' }),
			);
			const names = ['pay', 'look', 'nothing'];
			const model = models.model((got) => {
				const name = names[got.length];
				return name === undefined ? repeats(got) : asks({ tool_name: name });
			});
			const parameters = {
				operation: 'pick',
				tool: { ...byName(''), value: "={{ $fromAI('tool_name') }}" },
				exclude: 'look',
			};
			const tools = [pickerTool(credential, parameters, { onError: 'continueRegularOutput' })];
			const setting = { model, modelCredential, tools, version };
			const done = await runUntil(host().rest, agentWorkflow(setting), ['success']);
			const sentence = answered({ error: 'This tool cannot be called here' });
			expect(models.requests(model)[3]?.toolAnswers).toEqual([sentence, sentence, sentence]);
			if (version < 3) return;
			expect(done.runData['Tools']?.map(({ error }) => error?.raw.context)).toEqual([
				expect.objectContaining({ reason: expect.stringContaining('does not allow "pay"') }),
				expect.objectContaining({ reason: expect.stringContaining('"look" is left out') }),
				expect.objectContaining({ reason: expect.stringContaining('does not list a tool') }),
			]);
		},
	);
});

describe("the call node as an AI Agent's tool", () => {
	let models: ModelServer;
	let modelCredential: CredentialReference;
	beforeAll(async () => {
		models = await startModelServer();
		modelCredential = await modelConnection(host().rest, models);
	});
	afterAll(async () => {
		await models.stop();
	});

	/** What the model is told when it calls `pay` twice. */
	async function toldTwice(credential: CredentialReference, options: Json = {}, version = 3.1) {
		const model = models.model((got) =>
			got.length < 2 ? { calls: [{ tool: 'Pay', arguments: {} }] } : repeats(got),
		);
		const tools = [agentTool(credential, jsonCall('pay', {}, options), {}, 'Pay')];
		const spec = agentWorkflow({ model, modelCredential, tools, version });
		const done = await runUntil(host().rest, spec, ['success']);
		const reasons = done.runData['Pay']?.map(({ error }) => error?.raw.context);
		return { told: models.requests(model)[2]?.toolAnswers, reasons };
	}

	const sentence = answered({ error: 'This tool cannot be called here' });

	test('refuses alike for a broken policy and for a drifted or malformed pin (E8, G4, G5)', async () => {
		const broken = policies({ name: 'Pay', access: 'denied' });
		for (const [connection, options, reason] of [
			[broken, {}, 'does not offer: "Pay"'],
			[{}, { pinnedFingerprint: 'a'.repeat(64), onDrift: 'refuse' }, 'has changed since'],
			[{}, { pinnedFingerprint: 'none' }, 'is no fingerprint'],
		] as const) {
			const { credential } = await serve([{ listed: listed('pay') }], connection);
			const { told, reasons } = await toldTwice(credential, options);
			expect(told).toEqual([sentence, sentence]);
			expect(reasons).toEqual(
				[1, 2].map((): unknown =>
					expect.objectContaining({ reason: expect.stringContaining(reason) as unknown }),
				),
			);
		}
	});

	test.each([3.1, 2.2])(
		'says of the same failure that it is the same, and gives its beginning (failures.md, At the node): AI Agent %s',
		async (version) => {
			const { credential } = await serve(
				[{ listed: listed('pay') }],
				policies({ name: 'pay', effect: 'write', idempotencyKey: 'claim.id' }),
			);
			const { told } = await toldTwice(credential, {}, version);
			const error =
				'This call did not happen: an argument that it needs is missing or cannot be used. Do not try it again with the same arguments';
			expect(told).toEqual([
				answered({ error }),
				answered({ error: `The same failure again, 2 times now: ${error}` }),
			]);
		},
	);

	test('a further try by Retry On Fail is no repeat: the model hears the whole sentence (failures.md, At the node)', async () => {
		const { credential } = await serve(
			[{ listed: listed('pay') }],
			policies({ name: 'pay', effect: 'write', idempotencyKey: 'claim.id' }),
		);
		const model = models.model((got) =>
			got.length === 0 ? { calls: [{ tool: 'Pay', arguments: {} }] } : repeats(got),
		);
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const tools = [agentTool(credential, jsonCall('pay', {}), retry, 'Pay')];
		await runUntil(host().rest, agentWorkflow({ model, modelCredential, tools }), ['success']);
		expect(models.requests(model)[1]?.toolAnswers).toEqual([
			answered({
				error:
					'This call did not happen: an argument that it needs is missing or cannot be used. Do not try it again with the same arguments',
			}),
		]);
	});
});
