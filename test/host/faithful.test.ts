import { afterEach, describe, expect, test } from 'vitest';
import { asJson, type Json } from '../../scripts/host/json';
import { jsonCall } from '../support/calls';
import { host, httpConnection, itemsOf, jsonOf, runUntil } from '../support/host';
import { realTools } from '../support/realTools';
import {
	listed,
	startToolServer,
	type ServedTool,
	type ToolServer,
} from '../support/servers/toolServer';
import { items, manualTrigger, toolCall, toolPicker, workflow } from '../support/workflow';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

async function serve(tools: readonly ServedTool[], pageSize?: number): Promise<ToolServer> {
	const server = await startToolServer(tools, pageSize === undefined ? {} : { pageSize });
	endings.push(() => server.stop());
	return server;
}

/** What is more than answers are checked against; the tool can be called all the same. */
const TOO_LARGE: Readonly<Record<string, string>> = {
	'@brave/brave-search-mcp-server@2.1.4/brave_place_search':
		'outputSchema cannot be used: the schema has more than 1000 keywords',
};

test('761 tools of published servers are listed with their schemas unchanged, none of them broken (C4, U16, U17, U18)', async () => {
	const tools = realTools.map(({ source, listed: entry }) => ({
		listed: { ...entry, name: `${source}/${String(entry.name)}` },
	}));
	const server = await serve(tools, 50);
	const credential = await httpConnection(host().rest, { endpoint: server.endpoint });
	const execution = await runUntil(
		host().rest,
		workflow([manualTrigger(), toolPicker(credential, { operation: 'list' })]),
		['success'],
	);
	const found = jsonOf(execution, 'Pick').map(({ tool, inputSchema, outputSchema, problems }) => ({
		tool,
		inputSchema,
		outputSchema,
		problems,
	}));
	expect(found).toEqual(
		tools.map(({ listed: { name, inputSchema, outputSchema = null } }: { listed: Json }) => ({
			tool: name,
			inputSchema,
			outputSchema,
			problems: [TOO_LARGE[String(name)]].filter((problem) => problem !== undefined),
		})),
	);
});

test.each<[string, unknown]>([
	['is no schema', 'none'],
	['is not valid', { type: 'objekt', required: 'a' }],
	['refers to elsewhere', { $ref: 'https://schemas.invalid/a' }],
	['is not there', undefined],
])('a tool whose schema %s is called with JSON arguments (C4, U17)', async (_, inputSchema) => {
	const { inputSchema: _none, ...bare } = listed('odd');
	const entry = inputSchema === undefined ? bare : { ...bare, inputSchema };
	const server = await serve([{ listed: entry }, { listed: listed('good') }]);
	const credential = await httpConnection(host().rest, { endpoint: server.endpoint });
	const args = { a: [1, { b: null }] };
	await runUntil(
		host().rest,
		workflow([
			manualTrigger(),
			toolCall(credential, jsonCall('odd', args), {}, 'Odd'),
			toolCall(credential, jsonCall('good', args), {}, 'Good'),
		]),
		['success'],
	);
	expect(server.calls.map(({ tool, arguments: sent }) => [tool, sent])).toEqual([
		['odd', args],
		['good', args],
	]);
});

/** Blocks of every kind that the protocol knows, with all that may stand beside what they hold. */
const everyKind = [
	{
		type: 'text',
		text: '{"a": 1}',
		annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-11-03T09:30:00Z' },
		_meta: { 'x/own': [1, { deep: null }] },
	},
	{
		type: 'image',
		data: 'aW1hZ2U=',
		mimeType: 'image/png',
		annotations: { priority: 1 },
		_meta: { 'x/own': 'image' },
	},
	{ type: 'audio', data: 'YXVkaW8=', mimeType: 'audio/wav', _meta: { 'x/own': 'audio' } },
	{
		type: 'resource',
		resource: {
			uri: 'file:///a/t.md',
			mimeType: 'text/markdown',
			text: '# words',
			_meta: { inner: true },
		},
		annotations: { audience: ['assistant'] },
		_meta: { 'x/own': 'text' },
	},
	{
		type: 'resource',
		resource: {
			uri: 'file:///a/b.zip',
			mimeType: 'application/zip',
			blob: 'emlw',
			_meta: { inner: 1 },
		},
		_meta: { 'x/own': 'blob' },
	},
	{
		type: 'resource_link',
		uri: 'https://example.org/a',
		name: 'a',
		title: 'A',
		description: 'the A',
		mimeType: 'text/html',
		size: 12,
		icons: [{ src: 'https://example.org/a.png' }],
		annotations: { priority: 0 },
		_meta: { 'x/own': 'link' },
	},
	{ type: 'tool_use', id: '1', name: 'x', input: { a: 1 } },
	{ type: 'hologram', data: 'AAAA', depth: { z: [3] } },
	{ text: 'a block without a type' },
	'a block that is no object',
	null,
] as const;

describe('blocks of every kind, in one result (C5, C14)', () => {
	const result = { content: everyKind, _meta: { trace: { id: 'x' } }, 'x-own': [null] };
	const run = async (options: Json) => {
		const server = await serve([{ listed: listed('say'), answer: () => result }]);
		const credential = await httpConnection(host().rest, { endpoint: server.endpoint });
		const execution = await runUntil(
			host().rest,
			workflow([manualTrigger(), toolCall(credential, jsonCall('say', {}, options))]),
			['success'],
		);
		const [item] = itemsOf(execution, 'Call');
		return item;
	};

	test('the simple output keeps each, but for the bytes, which become n8n binary', async () => {
		const item = await run({});
		const names: Readonly<Record<number, string>> = { 1: 'data', 2: 'data_1', 4: 'data_2' };
		expect(item?.json.output).toEqual(
			everyKind.map((block, index) => {
				const binary = names[index];
				if (binary === undefined) return block;
				const { data: _data, ...rest } = block as Json;
				if (rest.resource === undefined) return { ...rest, binary };
				const { blob: _blob, ...resource } = asJson(rest.resource, 'The resource');
				return { ...rest, resource, binary };
			}),
		);
		expect(item?.binary).toMatchObject({
			data: { mimeType: 'image/png', bytes: 5 },
			data_1: { mimeType: 'audio/wav', bytes: 5 },
			data_2: { mimeType: 'application/zip', bytes: 3, fileName: 'b.zip' },
		});
	});

	test('without Binary, it is the blocks as they came', async () => {
		const item = await run({ binary: false });
		expect(item?.json.output).toEqual(everyKind);
		expect(item).not.toHaveProperty('binary');
	});

	test('Full Result is the result as it came', async () => {
		expect((await run({ output: 'fullResult' }))?.json.output).toEqual(result);
	});
});

test('what claims to be bytes and is not base64 stays in its block, and nothing is made up (C14)', async () => {
	const content = [
		{ type: 'image', data: 'not base64!', mimeType: 'image/png' },
		{ type: 'audio', data: 'A', mimeType: 'audio/wav' },
		{ type: 'image', data: 'aW1h\nZ2U=', mimeType: 'image/png' },
		{ type: 'resource', resource: { uri: 'a:b', blob: '-_-_' } },
	];
	const server = await serve([{ listed: listed('say'), answer: () => ({ content }) }]);
	const credential = await httpConnection(host().rest, { endpoint: server.endpoint });
	const execution = await runUntil(
		host().rest,
		workflow([manualTrigger(), toolCall(credential, jsonCall('say', {}))]),
		['success'],
	);
	const [item] = itemsOf(execution, 'Call');
	expect(item?.json.output).toEqual([
		content[0],
		content[1],
		{ type: 'image', mimeType: 'image/png', binary: 'data' },
		{ type: 'resource', resource: { uri: 'a:b' }, binary: 'data_1' },
	]);
	expect(item?.binary).toMatchObject({ data: { bytes: 5 }, data_1: { bytes: 3 } });
});

test('structured content of any JSON type comes out as it is, in either output (C5, U30)', async () => {
	const values = [{}, { a: [null] }, [], [1, 'a', [null]], 'text', '', 0, -1.5, true, false, null];
	const server = await serve([
		{
			listed: listed('say'),
			answer: ({ arguments: { n } }) => ({
				content: [],
				structuredContent: values[Number(n)],
			}),
		},
	]);
	const credential = await httpConnection(host().rest, { endpoint: server.endpoint });
	const call = (name: string, options: Json) =>
		toolCall(
			credential,
			jsonCall('say', "={{ { n: $('Items').item.json.n } }}", options),
			{},
			name,
		);
	const execution = await runUntil(
		host().rest,
		workflow([
			manualTrigger(),
			items(values.map((_, n) => ({ n }))),
			call('Simple', {}),
			call('Full', { output: 'fullResult' }),
		]),
		['success'],
	);
	expect(jsonOf(execution, 'Simple').map(({ output }) => output)).toEqual(values);
	expect(jsonOf(execution, 'Full').map(({ output }) => output)).toEqual(
		values.map((structuredContent) => ({ content: [], structuredContent })),
	);
});

test('a result of twenty megabytes comes whole, its bytes as n8n binary (C6, C14)', async () => {
	const bytes = 15_000_000;
	const data = Buffer.alloc(bytes, 'salvor').toString('base64');
	const server = await serve([
		{
			listed: listed('say'),
			answer: () => ({ content: [{ type: 'image', data, mimeType: 'image/png' }] }),
		},
	]);
	const credential = await httpConnection(host().rest, { endpoint: server.endpoint });
	const execution = await runUntil(
		host().rest,
		workflow([manualTrigger(), toolCall(credential, jsonCall('say', {}))]),
		['success'],
		60_000,
	);
	const [item] = itemsOf(execution, 'Call');
	expect(item?.json.output).toEqual([{ type: 'image', mimeType: 'image/png', binary: 'data' }]);
	expect(item?.binary?.data).toMatchObject({ mimeType: 'image/png', bytes });
});
