import { afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { demoServerCommand } from '../../scripts/host/stdioCommands';
import { byName } from '../support/calls';
import {
	host,
	httpConnection,
	stdioConnection,
	toolCallType,
	toolPickerType,
} from '../support/host';
import { listed, startToolServer, type ServedTool } from '../support/servers/toolServer';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

async function connectTo(...tools: readonly ServedTool[]): Promise<CredentialReference> {
	const server = await startToolServer(tools, { pageSize: 2 });
	endings.push(() => server.stop());
	return await httpConnection(host().rest, { endpoint: server.endpoint });
}

/** A credential whose server is gone. */
async function disconnected(): Promise<CredentialReference> {
	const server = await startToolServer([]);
	await server.stop();
	return await httpConnection(host().rest, { endpoint: server.endpoint });
}

const search = async (credential: CredentialReference, filter?: string, nodeType = toolCallType) =>
	await host().rest.resourceLocatorResults(
		{
			nodeType,
			method: 'searchTools',
			parameter: 'tool',
			parameters: {},
			credentials: { mcpConnectionApi: credential },
		},
		filter,
	);

const map = async (credential: CredentialReference, tool: Json) =>
	await host().rest.resourceMapperFields({
		nodeType: toolCallType,
		method: 'mapArguments',
		parameter: 'argumentFields',
		parameters: { tool },
		credentials: { mcpConnectionApi: credential },
	});

const labels = ({ results }: Json) => (results as readonly Json[]).map(({ name }) => name);

describe('the list of tools', () => {
	test.each([
		['the Call node', toolCallType],
		['the Picker node', toolPickerType],
	])('shows name, effect and its source at %s (E6)', async (_, nodeType) => {
		const credential = await httpConnection(host().rest, {
			toolPolicies: {
				tool: [
					{ name: 'settle_payment', effect: 'idempotent' },
					{ name: 'broken_park', access: 'denied' },
				],
			},
		});
		const { results } = await search(credential, undefined, nodeType);
		expect(results).toEqual([
			{
				name: 'get_invoice — read (hint)',
				value: 'get_invoice',
				description: 'Looks an invoice up: supplier, amount, currency and due date.',
			},
			expect.objectContaining({ name: 'request_payment — write (default)' }),
			expect.objectContaining({
				name: 'settle_payment — idempotent (operator)',
				value: 'settle_payment',
			}),
			expect.objectContaining({ name: 'attach_receipt — read (hint)' }),
			expect.objectContaining({ name: 'check_invoices — read (hint)' }),
			expect.objectContaining({ name: 'request_quote — write (default)' }),
			expect.objectContaining({ name: 'schedule_reminder — write (default)' }),
			expect.objectContaining({
				name: 'broken_park — write (default), not allowed',
				value: 'broken_park',
			}),
		]);
	});

	test('shows what the server overclaims of a tool (G3)', async () => {
		const server = await startToolServer([
			{ listed: listed('pay', { readOnlyHint: true, destructiveHint: false }) },
		]);
		endings.push(() => server.stop());
		const credential = await httpConnection(host().rest, {
			endpoint: server.endpoint,
			toolPolicies: { tool: [{ name: 'pay', effect: 'write', access: 'denied' }] },
		});
		expect(labels(await search(credential))).toEqual([
			'pay — write (operator), not allowed, the server claims readOnlyHint: true and destructiveHint: false',
		]);
	});

	test('comes over stdio as well, filtered by name, title and description, whatever the case', async () => {
		const credential = await stdioConnection(host().rest, demoServerCommand);
		expect(labels(await search(credential, 'PAYMENT'))).toEqual([
			'request_payment — write (default)',
			'settle_payment — write (default)',
			'attach_receipt — read (hint)',
		]);
		expect(labels(await search(credential, 'nothing like it'))).toEqual([]);
	});

	test('holds the tools of all pages, and is empty for a server without tools (C4, U16)', async () => {
		const tools = Array.from({ length: 5 }, (_, n) => ({ listed: listed(`t${n}`) }));
		expect(labels(await search(await connectTo(...tools)))).toEqual(
			tools.map((_, n) => `t${n} — write (default)`),
		);
		expect(labels(await search(await connectTo()))).toEqual([]);
	});

	test('leaves no session behind, whether it finds what it looks for or not (U14)', async () => {
		const server = await startToolServer([{ listed: listed('work') }]);
		endings.push(() => server.stop());
		const credential = await httpConnection(host().rest, { endpoint: server.endpoint });
		await search(credential);
		await map(credential, byName('work'));
		await expect(map(credential, byName('nothing'))).rejects.toThrow('does not list');
		expect([server.initialised(), server.open()]).toEqual([3, 0]);
	});

	test('says what is wrong when the server is away', async () => {
		await expect(search(await disconnected())).rejects.toThrow('could not be reached');
	});

	test('says what is wrong when the command is not allowed (C8)', async () => {
		const credential = await stdioConnection(host().rest, ['/bin/sh', '-c', 'exit 0']);
		await expect(search(credential)).rejects.toThrow('SALVOR_STDIO_COMMANDS');
	});

	test('names the field of a connection that is not filled in', async () => {
		const credential = await httpConnection(host().rest, { endpoint: 'localhost:1' });
		await expect(search(credential)).rejects.toThrow('Endpoint is not an http or https URL');
	});
});

describe('the argument fields', () => {
	const schema = {
		type: 'object',
		properties: {
			note: { type: 'string', title: 'A note', default: 'none' },
			count: { type: 'integer', default: 3 },
			urgent: { type: 'boolean', default: false },
			level: { $ref: '#/$defs/level' },
			size: { anyOf: [{ type: 'number' }, { type: 'null' }] },
			width: { anyOf: [{ type: 'number' }, { type: 'null' }], default: null },
			open: { type: 'boolean' },
			tags: { type: 'array', items: { type: 'string' } },
			place: { type: 'object', properties: { x: { type: 'number' } } },
			any: {},
			id: { type: 'string' },
		},
		required: ['id', 'level'],
		$defs: { level: { enum: ['low', 'high', 3] } },
	};

	const yesOrNo = [
		{ name: 'true', value: true },
		{ name: 'false', value: false },
	];
	const field = (id: string, type: string, more: Json = {}) => ({
		id,
		displayName: id,
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		type,
		...more,
	});

	test('follow the schema: required first, types, choices, defaults, references (C13, U19)', async () => {
		const credential = await connectTo({ listed: listed('work', undefined, schema) });
		const { fields } = await map(credential, byName('work'));
		expect(fields).toEqual([
			field('level', 'options', {
				required: true,
				options: [
					{ name: 'low', value: 'low' },
					{ name: 'high', value: 'high' },
					{ name: '3', value: 3 },
				],
			}),
			field('id', 'string', { required: true }),
			field('note', 'string', { displayName: 'A note', defaultValue: 'none' }),
			field('count', 'number', { defaultValue: 3 }),
			field('urgent', 'boolean', { defaultValue: false }),
			field('size', 'string'),
			field('width', 'number'),
			field('open', 'options', { options: yesOrNo }),
			field('tags', 'array'),
			field('place', 'object'),
			field('any', 'string'),
		]);
	});

	test('are those of the tool that is chosen in the list', async () => {
		const credential = await httpConnection(host().rest);
		const chosen = { __rl: true, mode: 'list', value: 'request_payment' };
		const { fields } = await map(credential, chosen);
		expect(
			(fields as readonly Json[]).map(({ id, required, type }) => [id, required, type]),
		).toEqual([
			['invoice_id', true, 'string'],
			['amount', false, 'number'],
			['payment_id', false, 'string'],
		]);
	});

	test.each([
		[
			'a tool without arguments',
			{ type: 'object', properties: {}, additionalProperties: false },
			'This tool takes no arguments.',
		],
		['a tool that names none', { type: 'object' }, 'Give them as JSON if it takes any.'],
		['a broken schema', 'none', 'Give them as JSON if it takes any.'],
	])('%s has none, and the notice says so', async (_, inputSchema, notice) => {
		const credential = await connectTo({ listed: { name: 'work', inputSchema } });
		const { fields, emptyFieldsNotice } = await map(credential, byName('work'));
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toContain(notice);
	});

	test('wait for a tool to be chosen', async () => {
		const credential = await httpConnection(host().rest);
		expect(await map(credential, byName(''))).toEqual({
			fields: [],
			emptyFieldsNotice: 'Choose a tool first.',
		});
	});

	test('of an unknown tool: the error names it', async () => {
		const credential = await httpConnection(host().rest);
		await expect(map(credential, byName('nothing'))).rejects.toThrow(
			'The server does not list a tool "nothing"',
		);
	});

	test('say what is wrong when the server is away', async () => {
		await expect(map(await disconnected(), byName('work'))).rejects.toThrow('could not be reached');
	});
});
