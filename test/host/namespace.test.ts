import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { byName, jsonCall } from '../support/calls';
import { host, httpConnection, jsonOf, runUntil, toolCallType } from '../support/host';
import { listed, type ServedTool, startToolServer } from '../support/servers/toolServer';
import { items, manualTrigger, toolCall, toolPicker, workflow } from '../support/workflow';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

const schema = { type: 'object', properties: { id: { type: 'string' } } };
const offered: readonly ServedTool[] = [
	{ listed: listed('get', { readOnlyHint: true }, schema) },
	{ listed: listed('pay') },
];

/** A connection with the namespace "shop" to a server with these tools. */
async function connect(
	tools: readonly ServedTool[] = offered,
	{ namespace = 'shop', ...more }: Json = {},
) {
	const server = await startToolServer(tools);
	endings.push(() => server.stop());
	const { rest } = host();
	const { endpoint } = server;
	const credential = await httpConnection(rest, { endpoint, namespace, ...more });
	const list = async (parameters: Json = {}) => {
		const spec = workflow([manualTrigger(), toolPicker(credential, parameters)]);
		return jsonOf(await runUntil(rest, spec, ['success']), 'Pick');
	};
	return { server, credential, list };
}

const regular = { onError: 'continueRegularOutput' };

describe('a namespace (C11)', () => {
	test("stands before the names in List and Pick, beside the server's own", async () => {
		const { list } = await connect();
		const names = (tools: readonly Json[]) =>
			tools.map(({ tool, nativeName }) => [tool, nativeName]);
		expect(names(await list())).toEqual([
			['shop__get', 'get'],
			['shop__pay', 'pay'],
		]);
		expect(names(await list({ include: 'shop__g*' }))).toEqual([['shop__get', 'get']]);
		const picked = await list({ operation: 'pick', tool: byName('shop__pay') });
		expect(names(picked)).toEqual([['shop__pay', 'pay']]);
		const { list: plain } = await connect(offered, { namespace: '' });
		expect((await plain()).map((tool) => [tool.tool, 'nativeName' in tool])).toEqual([
			['get', false],
			['pay', false],
		]);
	});

	test("stands in the editor's list, and leads to the fields of the tool", async () => {
		const { credential } = await connect();
		const look = {
			nodeType: toolCallType,
			credentials: { mcpConnectionApi: credential },
		};
		const { results } = await host().rest.resourceLocatorResults(
			{ ...look, method: 'searchTools', parameter: 'tool', parameters: {} },
			'',
		);
		expect(results).toEqual([
			{ name: 'shop__get — read (hint)', value: 'shop__get' },
			{ name: 'shop__pay — write (default)', value: 'shop__pay' },
		]);
		const { fields } = await host().rest.resourceMapperFields({
			...look,
			method: 'mapArguments',
			parameter: 'argumentFields',
			parameters: { tool: byName('shop__get') },
		});
		expect((fields as readonly Json[]).map(({ id }) => id)).toEqual(['id']);
	});

	test('the server gets its own name, and rows and keys are for that (E7, K2)', async () => {
		const invoice = randomUUID();
		const { server, credential } = await connect(offered, {
			toolPolicies: {
				tool: [
					{ name: 'pay', effect: 'write', idempotencyKey: 'id' },
					{ name: 'get', access: 'denied' },
				],
			},
		});
		const execution = await runUntil(
			host().rest,
			workflow([
				manualTrigger(),
				items(['shop__pay', 'shop__get', 'pay'].map((tool) => ({ tool }))),
				toolCall(credential, jsonCall('={{ $json.tool }}', { id: invoice }), regular),
			]),
			['success'],
		);
		expect(server.calls.map(({ tool }) => tool)).toEqual(['pay']);
		const [paid, denied, unlisted] = jsonOf(execution, 'Call');
		expect(paid?.call).toMatchObject({ tool: 'pay', idempotencyKey: `pay:${invoice}` });
		expect(denied?.error).toMatchObject({ code: 'policy-denied' });
		expect(unlisted).toMatchObject({
			error: { code: 'tool-unknown' },
			details: { description: expect.stringContaining('Write "shop__pay"') as unknown },
		});
	});

	test('keeps the tools of two servers apart that have one name: each call reaches its own, and no other (U23)', async () => {
		const [shop, bank] = [await connect(), await connect(offered, { namespace: 'bank' })];
		const pay = (credential: CredentialReference, tool: string, name: string) =>
			toolCall(credential, jsonCall(tool, { by: name }), regular, name);
		const execution = await runUntil(
			host().rest,
			workflow([
				manualTrigger(),
				pay(shop.credential, 'shop__pay', 'Shop'),
				pay(bank.credential, 'bank__pay', 'Bank'),
				pay(bank.credential, 'shop__pay', 'Mistaken'),
			]),
			['success'],
		);
		const payers = [shop, bank].map(({ server }) => server.calls.map((call) => call.arguments.by));
		expect(payers).toEqual([['Shop'], ['Bank']]);
		expect(jsonOf(execution, 'Mistaken')[0]?.error).toMatchObject({ code: 'tool-unknown' });
	});

	test('two tools that come to one name are called by neither, and the error names both (C11, U23)', async () => {
		const tools = ['a b', 'a/b', 'get'].map((name) => ({ listed: listed(name) }));
		const { server, credential, list } = await connect(tools);
		const problem =
			'the tools "a b" and "a/b" have one name under the namespace "shop", "shop__a_b"';
		const shown = await list();
		expect(shown.map(({ tool, problems }) => [tool, problems])).toEqual([
			['shop__a_b', [`The tool cannot be called by its name: ${problem}.`]],
			['shop__a_b', [`The tool cannot be called by its name: ${problem}.`]],
			['shop__get', []],
		]);
		const { rest } = host();
		const called = workflow([manualTrigger(), toolCall(credential, jsonCall('shop__a_b', {}))]);
		const { error } = await runUntil(rest, called, ['error']);
		expect(error?.message).toContain(problem);
		const pick = { operation: 'pick', tool: byName('shop__a_b') };
		const picked = await runUntil(rest, workflow([manualTrigger(), toolPicker(credential, pick)]), [
			'error',
		]);
		expect(picked.error?.message).toContain(problem);
		expect(server.calls).toEqual([]);
	});

	test('a listing made under it is a baseline for the same server, with a namespace or without', async () => {
		const { credential, list } = await connect();
		const compare = {
			operation: 'compare',
			baseline: 'given',
			baselineTools: JSON.stringify(await list()),
		};
		const { rest } = host();
		const spec = workflow([manualTrigger(), toolPicker(credential, compare)]);
		expect(jsonOf(await runUntil(rest, spec, ['success']), 'Pick')).toMatchObject([
			{ drifted: false, unchanged: 2 },
		]);
		const { list: plain } = await connect(offered, { namespace: '' });
		expect(await plain(compare)).toMatchObject([{ drifted: false, unchanged: 2 }]);
	});

	test.each(['my shop', 'a__b', 'a_', 'x'.repeat(65)])(
		'%j is an error that names the field',
		async (namespace) => {
			const { server, credential } = await connect(offered, { namespace });
			const { error } = await runUntil(
				host().rest,
				workflow([manualTrigger(), toolPicker(credential, {})]),
				['error'],
			);
			expect(error?.message).toBe(
				'The MCP connection cannot be used: Namespace is nothing that tool names can begin with',
			);
			expect(error?.description).toContain('without `__` in it');
			expect(server.initialised()).toBe(0);
		},
	);
});
