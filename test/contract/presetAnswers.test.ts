import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
	CallToolRequestSchema,
	ElicitResultSchema,
	McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, test } from 'vitest';

import type { McpSession } from '../../src/call/session';
import { valueOf } from '../support/connections';
import { openMemorySession } from '../support/memorySession';

const sessions: McpSession[] = [];

afterEach(async () => {
	await Promise.all(sessions.splice(0).map((session) => session.close()));
});

/** A server that asks what the test says in the middle of a call, past the checks of its own SDK. */
async function ask(
	params: Readonly<Record<string, unknown>>,
	presetAnswers?: Readonly<Record<string, unknown>>,
	method = 'elicitation/create',
): Promise<unknown> {
	const server = new McpServer(
		{ name: 'asking', version: '0.0.1' },
		{ capabilities: { tools: {} } },
	);
	let answer: unknown;
	server.server.setRequestHandler(CallToolRequestSchema, async (_, { sendRequest }) => {
		try {
			answer = await sendRequest({ method, params }, ElicitResultSchema);
		} catch (error) {
			answer = error instanceof McpError ? error.code : error;
		}
		return { content: [] };
	});
	const session = await connect(server, presetAnswers);
	valueOf(await session.callTool({ name: 'any', arguments: {} }));
	return answer;
}

async function connect(server: McpServer, presetAnswers?: Readonly<Record<string, unknown>>) {
	const session = await openMemorySession(server, presetAnswers);
	sessions.push(session);
	return session;
}

const form = (properties: object, more: object = {}) => ({
	message: 'Say more',
	requestedSchema: { type: 'object', properties, ...more },
});
const text = { type: 'string' };

test('without Preset Answers nothing is advertised, and a server that asks all the same gets no answer (C12)', async () => {
	const server = new McpServer(
		{ name: 'quiet', version: '0.0.1' },
		{ capabilities: { tools: {} } },
	);
	await connect(server);
	expect(server.server.getClientCapabilities()).toEqual({});
	expect(await ask(form({ reason: text }))).toBe(-32601);
});

test('with them forms are advertised, and URLs never (C12)', async () => {
	const server = new McpServer(
		{ name: 'quiet', version: '0.0.1' },
		{ capabilities: { tools: {} } },
	);
	await connect(server, { reason: 'audit' });
	expect(server.server.getClientCapabilities()).toEqual({ elicitation: { form: {} } });
});

describe('a server that asks gets the presets that it asks for, and no others (C12)', () => {
	const presets = { reason: 'audit', count: 3, tags: ['a'], sure: false, secret: 'kept' };

	test.each<[string, object, object, object]>([
		['one of several', { reason: text }, {}, { reason: 'audit' }],
		['all of its kinds', kinds(), {}, { reason: 'audit', count: 3, tags: ['a'], sure: false }],
		[
			'those that are required',
			{ reason: text, other: text },
			{ required: ['reason'] },
			{ reason: 'audit' },
		],
		['without those that have none', { reason: text, other: text }, {}, { reason: 'audit' }],
		[
			'a schema that the SDK does not know',
			{ reason: { not: { const: '' } } },
			{},
			{ reason: 'audit' },
		],
	])('%s', async (_, properties, more, content) => {
		expect(await ask(form(properties, more), presets)).toEqual({ action: 'accept', content });
	});

	test('also when it says that it means a form', async () => {
		const asked = { mode: 'form', ...form({ reason: text }) };
		expect(await ask(asked, presets)).toMatchObject({ action: 'accept' });
	});

	test.each<[string, Readonly<Record<string, unknown>>]>([
		['a required field has none', form({ reason: text, other: text }, { required: ['other'] })],
		['one is of another type', form({ count: text })],
		['one is out of bounds', form({ count: { type: 'integer', maximum: 2 } })],
		['one misses the format', form({ reason: { type: 'string', format: 'email' } })],
		['one is none of the choices', form({ reason: { type: 'string', enum: ['a', 'b'] } })],
		['it asks for none of them', form({ other: text })],
		['it asks for nothing: that would be consent', form({})],
		['what it asks for is on the prototype', form({ constructor: text, toString: text })],
		['its schema does not compile', form({ reason: { type: 'nothing' } })],
		['its schema is no object', { message: 'x', requestedSchema: 'reason' }],
		['its schema is missing', { message: 'x' }],
		['its properties are a list', { message: 'x', requestedSchema: { properties: ['reason'] } }],
	])('declined when %s', async (_, asked) => {
		expect(await ask(asked, presets)).toEqual({ action: 'decline' });
	});

	test('a URL is refused, whatever it asks for', async () => {
		const asked = {
			mode: 'url',
			url: 'http://127.0.0.1/',
			elicitationId: '1',
			...form({ reason: text }),
		};
		expect(await ask(asked, presets)).toBe(-32602);
	});

	test('whatever else a server may ask of a client is not answered', async () => {
		expect(await ask({}, presets, 'roots/list')).toBe(-32601);
	});
});

function kinds(): object {
	return {
		reason: text,
		count: { type: 'integer', minimum: 1 },
		tags: { type: 'array', items: { enum: ['a', 'b'] } },
		sure: { type: 'boolean' },
	};
}
