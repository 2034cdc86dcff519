import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ServerResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

import packageJson from '../../package.json' with { type: 'json' };
import type { McpSession } from '../../src/call/session';
import { failureOf, valueOf } from '../support/connections';
import { openMemorySession } from '../support/memorySession';

const sessions: McpSession[] = [];

afterEach(async () => {
	await Promise.all(sessions.splice(0).map((session) => session.close()));
});

async function connectTo(server: McpServer): Promise<McpSession> {
	const session = await openMemorySession(server);
	sessions.push(session);
	return session;
}

/** A server whose handlers answer exactly what the test says, past the checks of the high-level API. */
function rawServer(handlers: {
	readonly list?: (cursor: unknown) => unknown;
	readonly call?: (params: Readonly<Record<string, unknown>>) => unknown;
}): McpServer {
	const server = new McpServer({ name: 'raw', version: '0.0.1' });
	server.server.registerCapabilities({ tools: {} });
	server.server.fallbackRequestHandler = ({ method, params = {} }) => {
		const result =
			method === 'tools/list' ? handlers.list?.(params['cursor']) : handlers.call?.(params);
		return Promise.resolve(result as ServerResult);
	};
	return server;
}

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

test('the server is told the name and version of this package', async () => {
	const server = rawServer({});
	await connectTo(server);
	const { name, version } = packageJson;
	expect(server.server.getClientVersion()).toEqual({ name, version });
});

describe('listing tools (C4)', () => {
	test('follows every page', async () => {
		const pages: Record<string, unknown> = {
			first: { tools: [tool('a')], nextCursor: 'b' },
			b: { tools: [tool('b'), tool('b2')], nextCursor: 'c' },
			c: { tools: [tool('c')] },
		};
		const session = await connectTo(
			rawServer({ list: (cursor) => pages[typeof cursor === 'string' ? cursor : 'first'] }),
		);
		const names = valueOf(await session.listTools()).map(({ name }) => name);
		expect(names).toEqual(['a', 'b', 'b2', 'c']);
	});

	test('keeps schemas and annotations as they came, unknown keys included', async () => {
		const listed = {
			...tool('a'),
			title: 'A',
			description: 'does a',
			outputSchema: { type: 'object', 'x-own': [1] },
			annotations: { readOnlyHint: true, 'x-own': { deep: 1 } },
		};
		const session = await connectTo(rawServer({ list: () => ({ tools: [listed] }) }));
		expect(valueOf(await session.listTools())).toEqual([{ ...listed, problems: [] }]);
	});

	test('spoils only the tool that is broken', async () => {
		const tools = [
			tool('good'),
			{ name: 'no schema' },
			{ name: 'odd', inputSchema: 'text', outputSchema: [], annotations: 1, description: 5 },
		];
		const session = await connectTo(rawServer({ list: () => ({ tools }) }));
		const [good, none, odd] = valueOf(await session.listTools());
		expect(good?.problems).toEqual([]);
		expect(none?.problems).toEqual(['The tool is listed without inputSchema.']);
		expect(odd).toMatchObject({ inputSchema: 'text', outputSchema: [] });
		expect(odd?.problems).toHaveLength(4);
	});

	test('leaves out a schema that is nested without end, and says so at that tool alone', async () => {
		const levels = 5_000;
		const deep: unknown = JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
		const tools = [tool('good'), { ...tool('deep'), inputSchema: deep, outputSchema: deep }];
		const session = await connectTo(rawServer({ list: () => ({ tools }) }));
		const [good, bad] = valueOf(await session.listTools());
		expect(good?.problems).toEqual([]);
		expect(bad).toEqual({
			name: 'deep',
			inputSchema: undefined,
			problems: [
				"The tool's inputSchema is nested deeper than 200 levels and is left out.",
				"The tool's outputSchema is nested deeper than 200 levels and is left out.",
			],
		});
	});

	test('leaves a nameless tool out and says so at the first one', async () => {
		const tools = [{ inputSchema: {} }, tool('a'), tool('b')];
		const session = await connectTo(rawServer({ list: () => ({ tools }) }));
		const listed = valueOf(await session.listTools());
		expect(listed.map(({ name }) => name)).toEqual(['a', 'b']);
		expect(listed[0]?.problems[0]).toContain('1 of its 3 tools without a name');
	});

	test('tells both tools of one name about each other (C11)', async () => {
		const tools = [tool('same'), tool('other'), tool('same')];
		const session = await connectTo(rawServer({ list: () => ({ tools }) }));
		const problems = valueOf(await session.listTools()).map((listed) => listed.problems);
		const problem = 'The server lists 2 tools named "same".';
		expect(problems).toEqual([[problem], [], [problem]]);
	});
});

describe('a result (C5)', () => {
	test.each([
		['_meta with unknown keys', { content: [], _meta: { salvor: { park: 1 }, 'x/y': [2] } }],
		['unknown content blocks', { content: [{ type: 'hologram', data: { a: 1 } }] }],
		['a list as structuredContent', { content: [], structuredContent: [1, 2] }],
		['text as structuredContent', { content: [], structuredContent: 'text' }],
		['unknown keys', { content: [], 'x-own': { deep: [null] } }],
		['no content', { _meta: { salvor: {} } }],
		['isError', { content: [{ type: 'text', text: 'no' }], isError: true }],
	])('is kept whole: %s', async (_name, result) => {
		const session = await connectTo(rawServer({ call: () => result }));
		expect(valueOf(await session.callTool({ name: 'a', arguments: {} }))).toEqual(result);
	});

	test('of a parked call is kept although outputSchema is missed', async () => {
		const server = new McpServer({ name: 'high-level', version: '1.0.0' });
		server.registerTool(
			'charge',
			{ inputSchema: { amount: z.number() }, outputSchema: { id: z.string() } },
			() => ({ content: [], structuredContent: { id: 'x' }, _meta: { salvor: { park: true } } }),
		);
		const session = await connectTo(server);
		expect(valueOf(await session.listTools())[0]?.outputSchema).toMatchObject({ type: 'object' });
		const result = await session.callTool({ name: 'charge', arguments: { amount: 1 } });
		expect(valueOf(result)['_meta']).toEqual({ salvor: { park: true } });
	});

	test('follows from exactly the arguments and _meta that were given, with a progress token', async () => {
		const session = await connectTo(rawServer({ call: (params) => ({ params }) }));
		const args = { n: null, list: [1, 'a'], nested: { '': 0 } };
		const result = await session.callTool({
			name: 'a',
			arguments: args,
			meta: { 'io.github.n8n-nodes-salvor/call': 'id' },
		});
		expect(valueOf(result)['params']).toMatchObject({
			name: 'a',
			arguments: args,
			_meta: {
				'io.github.n8n-nodes-salvor/call': 'id',
				progressToken: expect.any(Number) as number,
			},
		});
	});

	test('asks for progress by the same params, whether anybody hears it or not', async () => {
		const session = await connectTo(rawServer({ call: (params) => ({ params }) }));
		const heard = await session.callTool({ name: 'a', arguments: {}, onProgress: () => undefined });
		expect(Object.keys(valueOf(heard)['params'] as object)).toEqual(['name', 'arguments', '_meta']);
	});

	test('that says the tool is unknown stays a result, since the server sends it as one', async () => {
		const server = new McpServer({ name: 'high-level', version: '1.0.0' });
		server.registerTool('known', {}, () => ({ content: [] }));
		const session = await connectTo(server);
		const result = await session.callTool({ name: 'unknown', arguments: {} });
		expect(valueOf(result)).toMatchObject({ isError: true });
	});
});

test('calls in flight at the same time each get their own answer', async () => {
	const session = await connectTo(rawServer({ call: (params) => ({ params }) }));
	const results = await Promise.all(
		['a', 'b', 'c'].map((name) => session.callTool({ name, arguments: {} })),
	);
	const names = results.map((result) => (valueOf(result)['params'] as { name: string }).name);
	expect(names).toEqual(['a', 'b', 'c']);
});

test('a handler that throws is an error frame: in doubt', async () => {
	const server = rawServer({
		call: () => {
			throw new Error('broke half-way');
		},
	});
	const session = await connectTo(server);
	const failure = failureOf(await session.callTool({ name: 'a', arguments: {} }));
	expect(failure).toMatchObject({
		code: 'rpc-error',
		disposition: 'in-doubt',
		evidence: { rpcCode: -32603 },
	});
	expect(failure.message).toContain('broke half-way');
});
