import { afterEach, expect, test } from 'vitest';
import type { Json } from '../../scripts/host/json';
import { demoServerCommand } from '../../scripts/host/stdioCommands';
import { host, httpConnection, itemsOf, jsonOf, runUntil, stdioConnection } from '../support/host';
import { listed, startToolServer, type ToolServer } from '../support/servers/toolServer';
import { items, manualTrigger, setFields, toolPicker, workflow } from '../support/workflow';

const KEYS = [
	'tool',
	'serverName',
	'title',
	'description',
	'effect',
	'effectSource',
	'granted',
	'overclaims',
	'annotations',
	'inputSchema',
	'outputSchema',
	'fingerprint',
	'problems',
];

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

async function serve(...[tools, options]: Parameters<typeof startToolServer>): Promise<ToolServer> {
	const server = await startToolServer(tools, options);
	endings.push(() => server.stop());
	return server;
}

const pick = (name: string): Json => ({
	operation: 'pick',
	tool: { __rl: true, mode: 'name', value: name },
});

/** Runs the picker on one item and gives the items it put out. */
async function picked(connection: Json, parameters: Json): Promise<readonly Json[]> {
	const { rest } = host();
	const credential = await httpConnection(rest, connection);
	const execution = await runUntil(
		rest,
		workflow([manualTrigger(), toolPicker(credential, parameters)]),
		['success'],
	);
	return jsonOf(execution, 'Pick');
}

const names = (tools: readonly Json[]) => tools.map(({ tool }) => tool);

test.each(['streamable HTTP', 'stdio'])(
	'over %s every tool is one item with the keys of the surface, in the order of the server',
	async (transport) => {
		const { rest } = host();
		const credential =
			transport === 'stdio'
				? await stdioConnection(rest, demoServerCommand)
				: await httpConnection(rest);
		const execution = await runUntil(
			rest,
			workflow([manualTrigger(), toolPicker(credential, { operation: 'list' })]),
			['success'],
		);
		const tools = jsonOf(execution, 'Pick');
		expect(names(tools)).toEqual([
			'get_invoice',
			'request_payment',
			'settle_payment',
			'attach_receipt',
			'check_invoices',
			'request_quote',
			'schedule_reminder',
			'broken_park',
		]);
		for (const tool of tools) expect(Object.keys(tool)).toEqual(KEYS);
		expect(tools[0]).toEqual({
			tool: 'get_invoice',
			serverName: 'demo',
			title: 'Get invoice',
			description: 'Looks an invoice up: supplier, amount, currency and due date.',
			effect: 'read',
			effectSource: 'hint',
			granted: true,
			overclaims: [],
			annotations: { readOnlyHint: true, openWorldHint: false },
			inputSchema: expect.objectContaining({
				type: 'object',
				required: ['invoice_id'],
			}) as unknown,
			outputSchema: expect.objectContaining({ type: 'object' }) as unknown,
			fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
			problems: [],
		});
	},
);

test('all pages are followed over one session (C4, U14, U16)', async () => {
	const tools = Array.from({ length: 23 }, (_, n) => ({ listed: listed(`tool_${n}`) }));
	const server = await serve(tools, { pageSize: 5 });
	const found = await picked({ endpoint: server.endpoint }, {});
	expect(names(found)).toEqual(tools.map(({ listed: { name } }) => name));
	expect(server.pagesRead()).toBe(5);
	expect(server.initialised()).toBe(1);
});

test('a list that never ends fails the node instead of hanging it (C4)', async () => {
	const { rest } = host();
	const endless = listed('again');
	const server = await serve([{ listed: endless }, { listed: endless }], { pageSize: 0 });
	const credential = await httpConnection(rest, { endpoint: server.endpoint });
	const { error } = await runUntil(rest, workflow([manualTrigger(), toolPicker(credential, {})]), [
		'error',
	]);
	expect(error?.message).toContain('gave the same page cursor twice, so its list never ends');
});

test('one broken schema spoils only its tool, and schemas come out as the server has them (C4, U17, U18)', async () => {
	const kept = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } };
	const server = await serve([
		{ listed: listed('good', undefined, kept) },
		{ listed: { name: 'bad', inputSchema: 'none' } },
		{ listed: { name: 'unusable', inputSchema: { type: 'object', minProperties: 'x' } } },
	]);
	const tools = await picked({ endpoint: server.endpoint }, {});
	expect(tools.map(({ tool, inputSchema, problems }) => ({ tool, inputSchema, problems }))).toEqual(
		[
			{ tool: 'good', inputSchema: kept, problems: [] },
			{
				tool: 'bad',
				inputSchema: 'none',
				problems: expect.arrayContaining(["The tool's inputSchema is not an object."]) as unknown,
			},
			{
				tool: 'unusable',
				inputSchema: { type: 'object', minProperties: 'x' },
				problems: [expect.stringMatching(/^inputSchema cannot be used: /) as unknown],
			},
		],
	);
});

test('each tool shows its effect and who decided it; only a literal true is a promise (E2, E3, E4, E6, G3)', async () => {
	const server = await serve([
		{ listed: listed('reads', { readOnlyHint: true }) },
		{ listed: listed('repeats', { idempotentHint: true }) },
		{ listed: listed('both', { readOnlyHint: true, idempotentHint: true }) },
		{ listed: listed('text', { readOnlyHint: 'true', destructiveHint: false }) },
		{ listed: listed('silent') },
		{ listed: listed('raised', { readOnlyHint: true, destructiveHint: false }) },
		{ listed: listed('lowered') },
		{ listed: listed('left', { idempotentHint: true }) },
	]);
	const toolPolicies = {
		tool: [
			{ name: 'raised', effect: 'write' },
			{ name: 'lowered', effect: 'read' },
			{ name: 'left', effect: 'server', access: 'allowed' },
			{ name: 'Reads', effect: 'write' },
		],
	};
	const shown = async (connection: Json) =>
		(await picked({ endpoint: server.endpoint, ...connection }, {})).map(
			({ tool, effect, effectSource }) => [tool, effect, effectSource],
		);
	expect(await shown({ toolPolicies })).toEqual([
		['reads', 'read', 'hint'],
		['repeats', 'idempotent', 'hint'],
		['both', 'read', 'hint'],
		['text', 'write', 'default'],
		['silent', 'write', 'default'],
		['raised', 'write', 'operator'],
		['lowered', 'read', 'operator'],
		['left', 'idempotent', 'hint'],
	]);
	const unhinted = await shown({ toolPolicies, useServerHints: false });
	expect(unhinted.filter(([, effect]) => effect !== 'write')).toEqual([
		['lowered', 'read', 'operator'],
	]);
	const [raised] = await picked({ endpoint: server.endpoint, toolPolicies }, pick('raised'));
	expect(raised).toMatchObject({ overclaims: ['readOnlyHint: true', 'destructiveHint: false'] });
});

test('a tool that Tool Policies names and the server lacks is a hint at the node (E8)', async () => {
	const { rest } = host();
	const credential = await httpConnection(rest, {
		toolPolicies: { tool: [{ name: 'pay', effect: 'read' }] },
	});
	const execution = await runUntil(rest, workflow([manualTrigger(), toolPicker(credential, {})]), [
		'success',
	]);
	expect(execution.runData.Pick?.[0]?.hints).toEqual([
		expect.objectContaining({
			type: 'warning',
			message: 'Tool Policies names tools that demo does not offer: pay.',
		}),
	]);
	expect(jsonOf(execution, 'Pick')).toHaveLength(8);
});

test('access and Tools Not Listed decide what is granted, and the listing says so (G1, G2, U24)', async () => {
	const toolPolicies = {
		tool: [{ name: 'get_invoice' }, { name: 'settle_payment', access: 'denied' }],
	};
	const granted = async (connection: Json) =>
		names((await picked(connection, {})).filter((tool) => tool.granted === true));
	expect(await granted({ toolPolicies })).not.toContain('settle_payment');
	expect(await granted({ toolPolicies })).toHaveLength(7);
	expect(await granted({ toolPolicies, unlistedTools: 'deny' })).toEqual(['get_invoice']);
	expect(await granted({ unlistedTools: 'deny' })).toEqual([]);
});

test.each([
	[{ maximumEffect: 'read' }, ['get_invoice', 'get_status']],
	[{ maximumEffect: 'idempotent' }, ['get_invoice', 'get_status', 'put_status']],
	[{ maximumEffect: 'write' }, ['get_invoice', 'get_status', 'put_status', 'pay', 'repay']],
	[{ include: 'get_*' }, ['get_invoice', 'get_status']],
	[{ include: '*_status, pay' }, ['get_status', 'put_status', 'pay']],
	[{ exclude: '*pay' }, ['get_invoice', 'get_status', 'put_status']],
	[{ include: '*_*', exclude: 'get_i*e' }, ['get_status', 'put_status']],
	[{ include: 'GET_*' }, []],
	[{ include: '*_status', maximumEffect: 'read' }, ['get_status']],
])('%j leaves the tools %j', async (limits, left) => {
	const server = await serve([
		{ listed: listed('get_invoice', { readOnlyHint: true }) },
		{ listed: listed('get_status', { readOnlyHint: true }) },
		{ listed: listed('put_status', { idempotentHint: true }) },
		{ listed: listed('pay') },
		{ listed: listed('repay') },
	]);
	expect(names(await picked({ endpoint: server.endpoint }, limits))).toEqual(left);
});

test('a tool is picked from the list, and by expression for each item, paired and over one session', async () => {
	const { rest } = host();
	const server = await serve([{ listed: listed('a') }, { listed: listed('b') }]);
	const credential = await httpConnection(rest, { endpoint: server.endpoint });
	const fromList = { operation: 'pick', tool: { __rl: true, mode: 'list', value: 'b' } };
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			toolPicker(credential, fromList, {}, 'Fixed'),
			items([
				{ want: 'a', n: 1 },
				{ want: 'b', n: 2 },
				{ want: 'a', n: 3 },
			]),
			toolPicker(credential, pick('={{ $json.want }}')),
			setFields({ tool: '{{ $json.tool }}', n: "{{ $('Items').item.json.n }}" }),
		]),
		['success'],
	);
	expect(names(jsonOf(execution, 'Fixed'))).toEqual(['b']);
	expect(jsonOf(execution, 'After')).toEqual([
		{ tool: 'a', n: '1' },
		{ tool: 'b', n: '2' },
		{ tool: 'a', n: '3' },
	]);
	expect(server.initialised()).toBe(1);
});

test('a listing for several items is paired with each of them, under limits by expression', async () => {
	const { rest } = host();
	const credential = await httpConnection(rest);
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			items([
				{ n: 1, most: 'read' },
				{ n: 2, most: 'write' },
			]),
			toolPicker(credential, {
				maximumEffect: '={{ $json.most }}',
				include: '*_invoice, settle_*',
			}),
			setFields({ tool: '{{ $json.tool }}', n: "{{ $('Items').item.json.n }}" }),
		]),
		['success'],
	);
	expect(jsonOf(execution, 'After')).toEqual([
		{ tool: 'get_invoice', n: '1' },
		{ tool: 'get_invoice', n: '2' },
		{ tool: 'settle_payment', n: '2' },
	]);
});

const deniedSettle = { toolPolicies: { tool: [{ name: 'settle_payment', access: 'denied' }] } };

test.each([
	['an unknown one', {}, pick('Get_Invoice'), 'does not list a tool "Get_Invoice"'],
	['an empty name', {}, pick("={{ '' }}"), 'Tool is empty'],
	[
		'a denied one',
		deniedSettle,
		pick('settle_payment'),
		'the connection\'s policy does not allow "settle_payment"',
	],
	[
		'one above the maximum',
		{},
		{ ...pick('settle_payment'), maximumEffect: 'read' },
		'"settle_payment" is write (default), which is more than Maximum Effect read',
	],
	[
		'an excluded one',
		{},
		{ ...pick('get_invoice'), exclude: 'get_*' },
		'"get_invoice" is left out by Include or Exclude',
	],
] as const)(
	'picking %s fails the node, which says why and what to do',
	async (_, policy, parameters, why) => {
		const { rest } = host();
		const credential = await httpConnection(rest, policy);
		const { error, lastNode } = await runUntil(
			rest,
			workflow([manualTrigger(), toolPicker(credential, parameters)]),
			['error'],
		);
		expect(lastNode).toBe('Pick');
		expect(error?.message).toContain(why);
		expect(error?.description).toMatch(/^(Pick|Enter)/);
		expect(error?.description).toMatch(
			/Code: (policy-denied|tool-unknown)\. Nothing was changed\./,
		);
	},
);

test.each([
	['continueRegularOutput', 0],
	['continueErrorOutput', 1],
] as const)('with onError %s a refused item fails alone (U28)', async (onError, output) => {
	const { rest } = host();
	const credential = await httpConnection(rest, deniedSettle);
	const wanted = ['get_invoice', 'settle_payment', 'nothing', 'attach_receipt'];
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			items(wanted.map((want) => ({ want }))),
			toolPicker(credential, pick('={{ $json.want }}'), { onError }),
		]),
		['success'],
	);
	const failed = jsonOf(execution, 'Pick', output).filter((json) => 'error' in json);
	expect(failed.map(({ error }) => error)).toEqual([
		expect.objectContaining({
			code: 'policy-denied',
			disposition: 'did-not-happen',
			message: expect.stringContaining('settle_payment') as unknown,
		}),
		expect.objectContaining({ code: 'tool-unknown', disposition: 'did-not-happen' }),
	]);
	const good = itemsOf(execution, 'Pick').filter(({ json }) => !('error' in json));
	expect(good.map(({ json, pairedItem }) => [json.tool, pairedItem])).toEqual([
		['get_invoice', { item: 0 }],
		['attach_receipt', { item: 3 }],
	]);
});

test('a failed pick names the tool, the server, the effect and its source in details.call (E6)', async () => {
	const { rest } = host();
	const credential = await httpConnection(rest);
	const refused = { ...pick('get_invoice'), exclude: 'get_*' };
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			toolPicker(credential, refused, { onError: 'continueRegularOutput' }),
		]),
		['success'],
	);
	const [failed] = jsonOf(execution, 'Pick');
	expect(failed).toMatchObject({
		error: { code: 'policy-denied', attempts: 0 },
		details: {
			call: {
				tool: 'get_invoice',
				serverName: 'demo',
				effect: 'read',
				effectSource: 'hint',
				outcome: 'failed',
			},
		},
	});
});

test('an expression that fails for one item fails that item alone (U28)', async () => {
	const { rest } = host();
	const credential = await httpConnection(rest);
	const wanted = "={{ $json.n === 2 ? $('Nowhere').item.json.x : 'get_invoice' }}";
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			items([{ n: 1 }, { n: 2 }, { n: 3 }]),
			toolPicker(credential, pick(wanted), { onError: 'continueRegularOutput' }),
		]),
		['success'],
	);
	const put = jsonOf(execution, 'Pick');
	expect(put.map((json) => 'error' in json)).toEqual([false, true, false]);
	expect(put[1]?.error).toMatchObject({ disposition: 'did-not-happen' });
});

test('a connection that fails gives one failed item for each item with Continue On Fail (U28)', async () => {
	const { rest } = host();
	const server = await startToolServer([]);
	await server.stop();
	const credential = await httpConnection(rest, { endpoint: server.endpoint });
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			items([{ n: 1 }, { n: 2 }]),
			toolPicker(credential, {}, { onError: 'continueErrorOutput' }),
		]),
		['success'],
	);
	expect(itemsOf(execution, 'Pick', 0)).toEqual([]);
	expect(jsonOf(execution, 'Pick', 1).map(({ error }) => error)).toEqual([
		expect.objectContaining({ code: 'unreachable', stage: 'connect' }),
		expect.objectContaining({ code: 'unreachable', stage: 'connect' }),
	]);
});
