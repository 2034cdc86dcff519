import { afterEach, describe, expect, test } from 'vitest';
import { readEffects } from '../../examples/demo-server/effects';
import { asArray, asJson, type Json } from '../../scripts/host/json';
import { demoServerCommand } from '../../scripts/host/stdioCommands';
import { byName, fieldsCall, jsonCall } from '../support/calls';
import {
	host,
	httpConnection,
	itemsOf,
	jsonOf,
	runUntil,
	stdioConnection,
	toolCallType,
} from '../support/host';
import { stdioPeerCommand } from '../support/hostPeers';
import {
	listed,
	startToolServer,
	text,
	toolError,
	type SeenCall,
	type ServedTool,
	type ToolServer,
} from '../support/servers/toolServer';
import { items, manualTrigger, setFields, toolCall, workflow } from '../support/workflow';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

async function serve(...tools: readonly ServedTool[]): Promise<ToolServer> {
	const server = await startToolServer(tools);
	endings.push(() => server.stop());
	return server;
}

/** Calls once with these parameters and gives the one item. */
async function called(connection: Json, parameters: Json): Promise<Json> {
	const { rest } = host();
	const credential = await httpConnection(rest, connection);
	const execution = await runUntil(
		rest,
		workflow([manualTrigger(), toolCall(credential, parameters)]),
		['success'],
	);
	const [item, ...others] = jsonOf(execution, 'Call');
	expect(others).toEqual([]);
	return asJson(item, 'The item');
}

/** The effects that were recorded under a payment id of the test's own. */
function effectsOf(paymentId: string): readonly string[] {
	return readEffects(host().effectsFile).flatMap((done) =>
		'paymentId' in done && done.paymentId === paymentId ? [done.effect] : [],
	);
}

describe.each(['streamable HTTP', 'stdio'])('over %s', (transport) => {
	const connect = async () => {
		const { rest } = host();
		return transport === 'stdio'
			? await stdioConnection(rest, demoServerCommand)
			: await httpConnection(rest);
	};

	test('a tool is called with fields, and the item is output and call', async () => {
		const { rest } = host();
		const credential = await connect();
		const parameters = fieldsCall('get_invoice', { invoice_id: 'INV-1002' });
		const execution = await runUntil(
			rest,
			workflow([manualTrigger(), toolCall(credential, parameters)]),
			['success'],
		);
		expect(itemsOf(execution, 'Call')).toEqual([
			{
				json: {
					output: {
						invoice_id: 'INV-1002',
						supplier: 'Corner Print Shop',
						amount: 186.5,
						currency: 'EUR',
						due: '2026-12-01',
					},
					call: {
						tool: 'get_invoice',
						serverName: 'demo',
						effect: 'read',
						effectSource: 'hint',
						outcome: 'completed',
						attempts: 1,
					},
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('arguments come as JSON text, as an object and as fields, each by expression for its item', async () => {
		const { rest } = host();
		const credential = await connect();
		const asText = '={{ JSON.stringify({ invoice_id: $json.id }) }}';
		const asObject = '={{ ({ invoice_id: $("Items").item.json.id }) }}';
		const field = { invoice_id: "={{ $('Items').item.json.id }}" };
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				items([{ id: 'INV-1003' }, { id: 'INV-1001' }]),
				toolCall(credential, jsonCall('get_invoice', asText), {}, 'Text'),
				toolCall(credential, jsonCall('get_invoice', asObject), {}, 'Object'),
				toolCall(credential, fieldsCall('get_invoice', field), {}, 'Fields'),
			]),
			['success'],
		);
		for (const node of ['Text', 'Object', 'Fields']) {
			const ids = jsonOf(execution, node).map(({ output }) => asJson(output, node).invoice_id);
			expect(ids, node).toEqual(['INV-1003', 'INV-1001']);
		}
	});
});

test('the tool, and with it the effect, may be another one for each item (E6)', async () => {
	const { rest } = host();
	const server = await serve(
		{ listed: listed('look', { readOnlyHint: true }), answer: () => text('seen') },
		{ listed: listed('do'), answer: () => text('done') },
	);
	const credential = await httpConnection(rest, { endpoint: server.endpoint });
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			items([{ use: 'do' }, { use: 'look' }]),
			toolCall(credential, jsonCall('={{ $json.use }}', {})),
		]),
		['success'],
	);
	expect(
		jsonOf(execution, 'Call').map(({ output, call }) => [output, asJson(call, 'call').effect]),
	).toEqual([
		['done', 'write'],
		['seen', 'read'],
	]);
});

test('every item is called and paired, so that expressions behind the node find its input (P21, U29)', async () => {
	const { rest } = host();
	const server = await serve({
		listed: listed('double', { readOnlyHint: true }),
		answer: (call) => text(String(Number(call.arguments.n) * 2)),
	});
	const credential = await httpConnection(rest, { endpoint: server.endpoint });
	const numbers = Array.from({ length: 40 }, (_, n) => n);
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			items(numbers.map((n) => ({ n }))),
			setFields({ was: '{{ $json.n }}' }, 'Before'),
			toolCall(credential, fieldsCall('double', { n: '={{ Number($json.was) }}' })),
			setFields({
				doubled: '{{ $json.output }}',
				before: "{{ $('Before').item.json.was }}",
				first: "{{ $('Items').item.json.n }}",
			}),
		]),
		['success'],
	);
	expect(jsonOf(execution, 'After')).toEqual(
		numbers.map((n) => ({ doubled: String(n * 2), before: String(n), first: String(n) })),
	);
	expect(server.calls).toHaveLength(40);
});

describe('one connection serves all items of a run (C9, U12, U14)', () => {
	test('over streamable HTTP: one session', async () => {
		const { rest } = host();
		const server = await serve({ listed: listed('work') });
		const credential = await httpConnection(rest, { endpoint: server.endpoint });
		await runUntil(
			rest,
			workflow([
				manualTrigger(),
				items([{}, {}, {}, {}, {}]),
				toolCall(credential, jsonCall('work', {})),
			]),
			['success'],
		);
		expect(server.calls).toHaveLength(5);
		expect(server.initialised()).toBe(1);
	});

	test('over stdio: one child', async () => {
		const { rest } = host();
		const credential = await stdioConnection(rest, stdioPeerCommand);
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				items([{}, {}, {}, {}, {}]),
				toolCall(credential, jsonCall('pid', {})),
			]),
			['success'],
		);
		const pids = jsonOf(execution, 'Call').map(({ output }) => Number(output));
		expect(pids).toHaveLength(5);
		expect(new Set(pids).size).toBe(1);
	});
});

test.each([
	['structuredContent', { ...text('other'), structuredContent: { a: [1] } }, { a: [1] }],
	['structuredContent that is no object', { content: [], structuredContent: [1, 2] }, [1, 2]],
	['one text', text('plain'), 'plain'],
	['one text that is JSON', text(' {"a": null} '), { a: null }],
	['one text that is a JSON number', text('12'), 12],
	['a text that only begins as JSON', text('{"a": 1} and more'), '{"a": 1} and more'],
	[
		'several blocks',
		{
			content: [
				{ type: 'text', text: '1' },
				{ type: 'text', text: 'b', annotations: { x: 1 } },
			],
		},
		[
			{ type: 'text', text: '1' },
			{ type: 'text', text: 'b', annotations: { x: 1 } },
		],
	],
	[
		'a block of a kind yet unknown, and a link',
		{
			content: [
				{ type: 'hologram', z: 3 },
				{ type: 'resource_link', uri: 'a:b', name: 'b' },
			],
		},
		[
			{ type: 'hologram', z: 3 },
			{ type: 'resource_link', uri: 'a:b', name: 'b' },
		],
	],
	['no content', { content: [] }, []],
] as const)('the simple output of %s (C5, C14, U30)', async (_, result, output) => {
	const server = await serve({ listed: listed('say'), answer: () => result });
	expect((await called({ endpoint: server.endpoint }, jsonCall('say', {}))).output).toEqual(output);
});

test('Full Result is the whole result frame as it came, _meta and bytes included (C5, U30)', async () => {
	const result = {
		content: [
			{ type: 'text', text: '{"a":1}' },
			{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
		],
		structuredContent: 7,
		_meta: { trace: 'x' },
		isError: false,
		more: true,
	};
	const server = await serve({ listed: listed('say'), answer: () => result });
	const { rest } = host();
	const credential = await httpConnection(rest, { endpoint: server.endpoint });
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			toolCall(credential, jsonCall('say', {}, { output: 'fullResult' })),
		]),
		['success'],
	);
	const [item] = itemsOf(execution, 'Call');
	expect(item?.json.output).toEqual(result);
	expect(item).not.toHaveProperty('binary');
});

describe('images, audio and blobs (C14)', () => {
	test('a receipt becomes n8n binary, which can be downloaded', async () => {
		const { rest, baseUrl } = host();
		const credential = await httpConnection(rest);
		const paymentId = 'call-receipt';
		const call = (tool: string, more: Json = {}, options: Json = {}) =>
			toolCall(credential, jsonCall(tool, { payment_id: paymentId, ...more }, options), {}, tool);
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				call('request_payment', { invoice_id: 'INV-1002' }),
				call('settle_payment'),
				call('attach_receipt'),
			]),
			['success'],
		);
		const [item] = itemsOf(execution, 'attach_receipt');
		expect(item?.json.output).toEqual([
			{ type: 'text', text: expect.stringContaining('Receipt: 186.50 EUR') as unknown },
			{ type: 'image', mimeType: 'image/png', binary: 'data' },
		]);
		expect(Object.keys(item?.binary ?? {})).toEqual(['data']);
		const data = asJson(item?.binary?.data, 'The binary');
		expect(data).toMatchObject({ mimeType: 'image/png', fileExtension: 'png' });
		const query = new URLSearchParams({ id: String(data.id), action: 'download' });
		const response = await fetch(`${baseUrl}/rest/binary-data?${query.toString()}`, {
			headers: { cookie: rest.cookie() ?? '' },
		});
		expect(response.status).toBe(200);
		const png = Buffer.from(await response.arrayBuffer());
		expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
		expect(png.length).toBe(data.bytes);
		expect(effectsOf(paymentId)).toEqual(['payment.requested', 'payment.settled']);
	});

	const blobs = {
		content: [
			{ type: 'image', data: 'aW1hZ2U=', mimeType: 'image/png' },
			{ type: 'audio', data: 'YXVkaW8=', mimeType: 'audio/wav' },
			{
				type: 'resource',
				resource: { uri: 'file:///a/b%20c.zip?x', blob: 'emlw', mimeType: 'application/zip' },
			},
			{ type: 'resource', resource: { uri: 'file:///a/t.txt', text: 'words' } },
		],
	};

	test('each blob gets a key of its own, and its block says which', async () => {
		const server = await serve({ listed: listed('say'), answer: () => blobs });
		const { rest } = host();
		const credential = await httpConnection(rest, { endpoint: server.endpoint });
		const execution = await runUntil(
			rest,
			workflow([manualTrigger(), toolCall(credential, jsonCall('say', {}))]),
			['success'],
		);
		const [item] = itemsOf(execution, 'Call');
		expect(item?.json.output).toEqual([
			{ type: 'image', mimeType: 'image/png', binary: 'data' },
			{ type: 'audio', mimeType: 'audio/wav', binary: 'data_1' },
			{
				type: 'resource',
				resource: { uri: 'file:///a/b%20c.zip?x', mimeType: 'application/zip' },
				binary: 'data_2',
			},
			{ type: 'resource', resource: { uri: 'file:///a/t.txt', text: 'words' } },
		]);
		expect(item?.binary).toMatchObject({
			data: { mimeType: 'image/png', bytes: 5 },
			data_1: { mimeType: 'audio/wav', bytes: 5 },
			data_2: { mimeType: 'application/zip', bytes: 3 },
		});
	});

	test('with Binary off the blocks keep their bytes', async () => {
		const server = await serve({ listed: listed('say'), answer: () => blobs });
		const { output } = await called(
			{ endpoint: server.endpoint },
			jsonCall('say', {}, { binary: false }),
		);
		expect(output).toEqual(blobs.content);
	});
});

describe('Treat As (E5)', () => {
	test.each([
		['read', 'idempotent'],
		['read', 'write'],
		['idempotent', 'write'],
	])('makes a tool that is %s stricter: %s, decided by the node', async (effect, treatAs) => {
		const server = await serve({ listed: listed('work') });
		const toolPolicies = { tool: [{ name: 'work', effect }] };
		const { call } = await called(
			{ endpoint: server.endpoint, toolPolicies },
			jsonCall('work', {}, { treatAs }),
		);
		expect(call).toMatchObject({ effect: treatAs, effectSource: 'node', outcome: 'completed' });
	});

	test('the effect that the connection states already stays its own', async () => {
		const server = await serve({ listed: listed('work') });
		const { call } = await called(
			{ endpoint: server.endpoint },
			jsonCall('work', {}, { treatAs: 'write' }),
		);
		expect(call).toMatchObject({ effect: 'write', effectSource: 'default' });
	});

	test("never makes it laxer: refused with the connection's effect, and nothing is sent", async () => {
		const { rest } = host();
		const server = await serve({ listed: listed('work') });
		const credential = await httpConnection(rest, { endpoint: server.endpoint });
		const { error } = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				toolCall(credential, jsonCall('work', {}, { treatAs: 'idempotent' })),
			]),
			['error'],
		);
		expect(error?.message).toBe(
			'Treat As must not be laxer than the connection: "work" is write (default) there',
		);
		expect(error?.description).toContain('Code: policy-denied. Disposition: did-not-happen.');
		expect(server.calls).toEqual([]);
	});
});

describe('what the policy denies is not sent', () => {
	test.each([
		[
			'by its own row (G2)',
			{ toolPolicies: { tool: [{ name: 'request_payment', access: 'denied' }] } },
		],
		[
			'by Tools Not Listed (G1)',
			{ unlistedTools: 'deny', toolPolicies: { tool: [{ name: 'get_invoice' }] } },
		],
		['by an empty list with Deny (G1, U24)', { unlistedTools: 'deny' }],
	])('%s', async (_, policy) => {
		const { rest } = host();
		const credential = await httpConnection(rest, policy);
		const paymentId = 'call-denied';
		const { error } = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				toolCall(
					credential,
					jsonCall('request_payment', { invoice_id: 'INV-1002', payment_id: paymentId }),
				),
			]),
			['error'],
		);
		expect(error?.message).toBe('The connection\'s policy does not allow "request_payment"');
		expect(error?.description).toContain('Tool Policies or Tools Not Listed');
		expect(error?.description).toContain('Code: policy-denied. Disposition: did-not-happen.');
		expect(effectsOf(paymentId)).toEqual([]);
	});
});

test("a tool's error is put out as data where the node says so (U27)", async () => {
	const server = await serve({
		listed: listed('work'),
		answer: () => ({ ...toolError('out of paper'), structuredContent: { code: 17 } }),
	});
	const connection = { endpoint: server.endpoint };
	const data = { toolErrors: 'data' };
	expect(await called(connection, jsonCall('work', {}, data))).toMatchObject({
		output: { code: 17 },
		call: { outcome: 'completed' },
	});
	const full = await called(connection, jsonCall('work', {}, { ...data, output: 'fullResult' }));
	expect(full.output).toMatchObject({ isError: true, content: [{ text: 'out of paper' }] });
});

describe('argument fields (C13)', () => {
	const schema = {
		type: 'object',
		properties: {
			title: { type: 'string' },
			note: { type: 'string' },
			count: { type: 'integer' },
			ratio: { type: 'number' },
			urgent: { type: 'boolean' },
			level: { enum: [1, 2, 'high'] },
			tags: { type: 'array', items: { type: 'string' } },
			extra: { type: 'object' },
		},
		required: ['title'],
	};
	const echo = (): Promise<ToolServer> =>
		serve({
			listed: listed('echo', undefined, schema),
			answer: (call: SeenCall) => ({ content: [], structuredContent: call.arguments }),
		});

	test('an optional field left empty is left out, neither null nor an empty text (U21)', async () => {
		const { endpoint } = await echo();
		const empty = {
			note: '',
			count: null,
			ratio: '',
			urgent: null,
			level: '',
			tags: '',
			extra: null,
		};
		const sent = await called({ endpoint }, fieldsCall('echo', { title: 'a', ...empty }));
		expect(sent.output).toEqual({ title: 'a' });
	});

	test('a required text left empty is sent as it is; false and 0 are no emptiness', async () => {
		const { endpoint } = await echo();
		const given = { title: '', urgent: false, count: 0 };
		expect((await called({ endpoint }, fieldsCall('echo', given))).output).toEqual(given);
	});

	test('what the editor stores, with its schema, arrives in the types of the tool', async () => {
		const { rest } = host();
		const { endpoint } = await echo();
		const credential = await httpConnection(rest, { endpoint });
		const { fields } = await rest.resourceMapperFields({
			nodeType: toolCallType,
			method: 'mapArguments',
			parameter: 'argumentFields',
			parameters: { tool: byName('echo') },
			credentials: { mcpConnectionApi: credential },
		});
		const value = {
			title: '={{ 7 }}',
			count: '={{ $json.three }}',
			ratio: 0.5,
			urgent: "={{ 'true' }}",
			level: 2,
			tags: '["a", "b"]',
			extra: '={{ { "deep": [1] } }}',
			note: '',
		};
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				items([{ three: '3' }]),
				toolCall(credential, fieldsCall('echo', value, asArray(fields, 'The fields'))),
			]),
			['success'],
		);
		expect(jsonOf(execution, 'Call')[0]?.output).toEqual({
			title: '7',
			count: 3,
			ratio: 0.5,
			urgent: true,
			level: 2,
			tags: ['a', 'b'],
			extra: { deep: [1] },
		});
	});

	test('an expression that gives nothing leaves its field out, whatever n8n knows of its type (U21)', async () => {
		const { rest } = host();
		const { endpoint } = await echo();
		const credential = await httpConnection(rest, { endpoint });
		const { fields } = await rest.resourceMapperFields({
			nodeType: toolCallType,
			method: 'mapArguments',
			parameter: 'argumentFields',
			parameters: { tool: byName('echo') },
			credentials: { mcpConnectionApi: credential },
		});
		const names = Object.keys(schema.properties).filter((name) => name !== 'title');
		const value = Object.fromEntries(names.map((name) => [name, '={{ $json[$json.of] }}']));
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				items([
					{ of: 'empty', empty: '' },
					{ of: 'null', null: null },
				]),
				toolCall(
					credential,
					fieldsCall('echo', { title: '={{ $json.of }}', ...value }, asArray(fields, 'The fields')),
				),
			]),
			['success'],
		);
		const sent = jsonOf(execution, 'Call').map(({ output }) => output);
		expect(sent).toEqual([{ title: 'empty' }, { title: 'null' }]);
	});

	test("n8n's own values become what the tool wants: an instant a text, 1 and 0 a yes and a no", async () => {
		const { endpoint } = await echo();
		const value = { title: '={{ $now }}', urgent: '={{ 1 }}', note: '={{ new Date(0) }}' };
		const { output } = await called({ endpoint }, fieldsCall('echo', value));
		expect(output).toEqual({
			title: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown,
			urgent: true,
			note: '1970-01-01T00:00:00.000Z',
		});
	});

	test('keys that n8n gives items for its agents do not reach the server unless the tool names them (U22)', async () => {
		const own = { type: 'object', properties: { toolCallId: { type: 'string' } } };
		const server = await serve(
			{ listed: listed('any') },
			{ listed: listed('own', undefined, own) },
		);
		const args = { toolCallId: 'call_1', kept: 1 };
		for (const tool of ['any', 'own']) {
			await called({ endpoint: server.endpoint }, jsonCall(tool, args));
		}
		expect(server.calls.map((call) => call.arguments)).toEqual([{ kept: 1 }, args]);
	});

	test('a tool that takes no arguments is called with an empty object', async () => {
		const bare = { type: 'object', properties: {}, additionalProperties: false };
		const server = await serve({ listed: listed('ping', undefined, bare) });
		await called(
			{ endpoint: server.endpoint },
			{ operation: 'call', tool: byName('ping'), argumentsMode: 'fields' },
		);
		expect(server.calls.map((call) => call.arguments)).toEqual([{}]);
	});
});

test('arguments and environment values of a program arrive literally (C1, U1, U3)', async () => {
	const { rest } = host();
	const literals = ['two words', '{"a": "b,c"}', 'A=1,B=2', '"quoted"', ' $HOME ; `x` \\', ''];
	const rows = literals.slice(0, 5).map((value, n) => ({ name: `PEER_${n}`, value }));
	const credential = await stdioConnection(rest, [...stdioPeerCommand, ...literals], {
		environment: { variable: rows },
	});
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			toolCall(credential, jsonCall('argv', {}), {}, 'Argv'),
			toolCall(credential, jsonCall('env', {}), {}, 'Env'),
		]),
		['success'],
	);
	expect(jsonOf(execution, 'Argv')[0]?.output).toEqual(literals);
	const environment = asJson(jsonOf(execution, 'Env')[0]?.output, 'The environment');
	expect(rows.map(({ name }) => environment[name])).toEqual(literals.slice(0, 5));
	expect(environment).toHaveProperty('PATH');
	const ownOfN8n = Object.keys(environment).filter((name) => /^(N8N|SALVOR|DB)_/.test(name));
	expect(ownOfN8n).toEqual([]);
});

test('the resume URL goes out only when the operator shares it (C15)', async () => {
	const server = await serve({ listed: listed('work') });
	await called({ endpoint: server.endpoint }, jsonCall('work', {}));
	await called({ endpoint: server.endpoint, shareResumeUrl: true }, jsonCall('work', {}));
	const key = 'io.github.n8n-nodes-salvor/resume-url';
	const [kept, shared] = server.calls.map(({ meta }) => meta[key]);
	expect(kept).toBeUndefined();
	expect(shared).toMatch(new RegExp(`^${host().baseUrl}/webhook-waiting/\\d+\\?signature=`));
});
