import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetch } from 'undici';

import type { McpSession } from '../../src/call/session';
import { openSession } from '../../src/mcp/openSession';
import { failureOf, http, valueOf } from '../support/connections';
import { startTunnel } from '../support/servers/tunnel';

/**
 * Calls beyond the 300 s at which Node's HTTP client gives up (C3, U32), on timers that run a hundred times as fast: the
 * client's limits, ours and the server's slowness alike.
 */
const speed = 100;
const callMs = 400_000;

const ends: (() => Promise<void>)[] = [];

beforeEach(() => {
	const real = setTimeout;
	const fast = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
		real(run, ms / speed, ...given);
	vi.stubGlobal('setTimeout', fast);
});

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
	vi.unstubAllGlobals();
});

type Slowness = 'head' | 'body' | 'event' | 'never' | 'mute';

/** A server whose tools are named after where they are slow. */
async function startSlowServer(): Promise<string> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const text = Buffer.concat(chunks).toString();
			const { id, method, params } = (text === '' ? {} : JSON.parse(text)) as {
				id?: number;
				method?: string;
				params?: { protocolVersion?: string; name?: Slowness };
			};
			if (method === 'tools/call') answerSlowly(response, id, params?.name ?? 'never');
			else if (method === 'initialize')
				answer(response, id, {
					protocolVersion: params?.protocolVersion,
					capabilities: {},
					serverInfo: { name: 'slow', version: '1' },
				});
			else response.writeHead(method === undefined ? 405 : 202).end();
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	ends.push(async () => {
		server.close();
		server.closeAllConnections();
		await once(server, 'close');
	});
	return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
}

function answerSlowly(response: ServerResponse, id: number | undefined, slow: Slowness): void {
	const frame = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });
	switch (slow) {
		case 'head':
			setTimeout(() => {
				answer(response, id, { content: [] });
			}, callMs);
			return;
		case 'body':
			response.writeHead(200, { 'content-type': 'application/json' });
			response.write(' ');
			setTimeout(() => response.end(frame), callMs);
			return;
		case 'event':
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(': wait\n\n');
			setTimeout(() => response.end(`data: ${frame}\n\n`), callMs);
			return;
		case 'never':
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write('data: {"jsonrpc"');
			return;
		case 'mute':
	}
}

function answer(response: ServerResponse, id: number | undefined, result: unknown): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

const patient = { requestTimeoutMs: 600_000, maxDurationMs: 900_000 };

async function sessionOf(
	url: string,
	env: NodeJS.ProcessEnv,
	limits = patient,
): Promise<McpSession> {
	const session = valueOf(await openSession({ env })(http(url, {}, limits)));
	ends.unshift(() => session.close());
	return session;
}

const slow: readonly Slowness[] = ['head', 'body', 'event'];
const answered = { ok: true, value: { content: [] } };
const callAll = (session: McpSession) =>
	Promise.all(slow.map((name) => session.callTool({ name, arguments: {} })));

describe('a call of 400 s', () => {
	// Its server never answers: on a busy machine the client's timers run late, though not for ever.
	test('is more than the HTTP client waits for by itself, or this file would prove nothing', async () => {
		const url = await startSlowServer();
		const body = JSON.stringify({ id: 1, method: 'tools/call', params: { name: 'mute' } });
		await expect(fetch(url, { method: 'POST', body })).rejects.toMatchObject({
			cause: { code: 'UND_ERR_HEADERS_TIMEOUT' },
		});
	});

	test('is answered, whatever part of its answer is late (C3, U32)', async () => {
		const session = await sessionOf(await startSlowServer(), {});
		expect(await callAll(session)).toEqual(slow.map(() => answered));
	});

	test('is answered through a proxy, too (C3, C6)', async () => {
		const proxy = await startTunnel();
		ends.push(() => proxy.stop());
		const session = await sessionOf(await startSlowServer(), { HTTP_PROXY: proxy.url });
		expect(await callAll(session)).toEqual(slow.map(() => answered));
		expect(proxy.asked.length).toBeGreaterThan(0);
	});
});

test('a stream that stalls in the midst of an event ends at our limit beyond 300 s (C3, U33)', async () => {
	const limits = { requestTimeoutMs: 350_000, maxDurationMs: 900_000 };
	const session = await sessionOf(await startSlowServer(), {}, limits);
	const failure = failureOf(await session.callTool({ name: 'never', arguments: {} }));
	expect(failure).toMatchObject({ code: 'timed-out', disposition: 'in-doubt' });
	expect(failure.message).toContain('350 s, the Request Timeout');
});
