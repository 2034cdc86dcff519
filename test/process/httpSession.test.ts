import { afterEach, describe, expect, test } from 'vitest';

import type { ConnectionSettings } from '../../src/call/connectionSettings';
import { openSession } from '../../src/mcp/openSession';
import type { McpSession } from '../../src/call/session';
import { selfSigned } from '../support/certificate';
import { failureOf, http, valueOf } from '../support/connections';
import {
	event,
	sessionId,
	startHttpPeer,
	well,
	type Behaviour,
	type HttpPeer,
	type PeerRequest,
} from '../support/servers/httpPeer';

const open = openSession({ env: {} });
const peers: HttpPeer[] = [];
const sessions: McpSession[] = [];

async function peer(...args: Parameters<typeof startHttpPeer>): Promise<HttpPeer> {
	const started = await startHttpPeer(...args);
	peers.push(started);
	return started;
}

async function opened(settings: ConnectionSettings, opener = open): Promise<McpSession> {
	const session = valueOf(await opener(settings));
	sessions.push(session);
	return session;
}

/** Behaves well except for `tools/call`. */
const onCall =
	(behaviour: Behaviour | ((request: PeerRequest) => Behaviour)) =>
	(request: PeerRequest): Behaviour => {
		if (request.message.method !== 'tools/call') return well;
		return typeof behaviour === 'function' ? behaviour(request) : behaviour;
	};

const always = (behaviour: Behaviour) => (): Behaviour => behaviour;
const work = { name: 'work', arguments: {} };
const html: Behaviour = {
	kind: 'answer',
	status: 200,
	type: 'text/html; charset=utf-8',
	body: '<html>Please log in</html>',
};
const status = (code: number, body = 'as asked'): Behaviour => ({
	kind: 'answer',
	status: code,
	type: 'text/plain',
	body,
});

afterEach(async () => {
	await Promise.all(sessions.splice(0).map((session) => session.close()));
	await Promise.all(peers.splice(0).map((started) => started.stop()));
});

describe('a server that behaves', () => {
	test('is initialised, listed and called', async () => {
		const { url } = await peer(always(well));
		const session = await opened(http(url));
		expect(session.server).toEqual({ name: 'http peer', version: '4.5.6' });
		expect(session.protocolVersion).toBe('2025-11-25');
		expect(valueOf(await session.listTools())).toHaveLength(1);
		expect(valueOf(await session.callTool(work))).toEqual({
			content: [{ type: 'text', text: 'done' }],
		});
	});

	test('gets token and header rows literally, names trimmed (C1, U2)', async () => {
		const started = await peer(always(well));
		await opened(
			http(started.url, {
				bearerToken: 'to ken=,"x"',
				headers: [
					{ name: ' X-Json ', value: '{"j":1}' },
					{ name: 'X-List', value: 'a b, x=y;z' },
					{ name: 'X-Latin', value: 'ä' },
				],
			}),
		);
		for (const { headers } of started.seen) {
			expect(headers).toMatchObject({
				authorization: 'Bearer to ken=,"x"',
				'x-json': '{"j":1}',
				'x-list': 'a b, x=y;z',
				'x-latin': 'ä',
			});
		}
	});

	test('is told who asks, unless a header row says otherwise', async () => {
		const started = await peer(always(well));
		await opened(http(started.url));
		expect(started.seen[0]?.headers['user-agent']).toMatch(/^n8n-nodes-salvor\/\d/);
		const rows = { 'user-agent': 'Acme/1', host: 'mcp.example.org', 'accept-encoding': 'identity' };
		const headers = Object.entries(rows).map(([name, value]) => ({ name, value }));
		await opened(http(started.url, { headers }));
		expect(started.seen.at(-1)?.headers).toMatchObject(rows);
	});

	test('sees the session deleted at the end (C6)', async () => {
		const started = await peer(always(well));
		const session = await opened(http(started.url));
		await session.close();
		const deleted = started.seen.find(({ httpMethod }) => httpMethod === 'DELETE');
		expect(deleted?.headers['mcp-session-id']).toBe(sessionId);
	});

	test('may refuse the deletion, or never answer it', async () => {
		for (const behaviour of [status(500), { kind: 'hang' } as const]) {
			const started = await peer(({ httpMethod }) => (httpMethod === 'DELETE' ? behaviour : well));
			const session = await opened(http(started.url));
			await session.close();
			expect(started.seen.some(({ httpMethod }) => httpMethod === 'DELETE')).toBe(true);
		}
	});

	test('may fail the GET stream without harm (C6)', async () => {
		const started = await peer(({ httpMethod }) => (httpMethod === 'GET' ? status(500) : well));
		const session = await opened(http(started.url));
		await started.sees(({ httpMethod }) => httpMethod === 'GET');
		expect((await session.callTool(work)).ok).toBe(true);
	});

	test('may end its GET stream again and again, and is asked a bounded number of times (C6)', async () => {
		const barren: Behaviour = { kind: 'stream', text: 'retry: 1\nid: 1\ndata:\n\n', then: 'end' };
		const started = await peer(({ httpMethod }) => (httpMethod === 'GET' ? barren : well));
		const session = await opened(http(started.url));
		const gets = (): number => started.seen.filter(({ httpMethod }) => httpMethod === 'GET').length;
		await started.sees(() => gets() === 5);
		for (let calls = 0; calls < 20; calls += 1) await session.callTool(work);
		expect(gets()).toBe(5);
	});

	test('may answer as an event stream that stays open', async () => {
		const { url } = await peer(
			onCall(({ message: { id } }) => ({
				kind: 'stream',
				text: `: hello\n\n${event({ jsonrpc: '2.0', id, result: { content: [] } })}`,
				then: 'stay',
			})),
		);
		const session = await opened(http(url));
		expect(valueOf(await session.callTool(work))).toEqual({ content: [] });
	});

	test('may break its stream off and answer after a reconnect (C6)', async () => {
		let called: number | undefined;
		const started = await peer(({ httpMethod, headers, message }) => {
			if (message.method === 'tools/call') {
				called = message.id;
				return { kind: 'stream', text: `retry: 1\n${event('', 'e1')}`, then: 'end' };
			}
			if (httpMethod === 'GET' && headers['last-event-id'] === 'e1')
				return {
					kind: 'stream',
					text: event({ jsonrpc: '2.0', id: called, result: { content: [] } }, 'e2'),
					then: 'end',
				};
			return httpMethod === 'GET' ? status(405) : well;
		});
		const session = await opened(http(started.url));
		expect(valueOf(await session.callTool(work))).toEqual({ content: [] });
	});
});

test('a redirect within the origin is followed, token included (C6)', async () => {
	const started = await peer(({ path }) =>
		path === '/mcp' ? { kind: 'answer', status: 308, headers: { location: '/moved' } } : well,
	);
	const session = await opened(http(started.url, { bearerToken: 'token' }));
	expect((await session.callTool(work)).ok).toBe(true);
	const moved = started.seen.filter(({ path }) => path === '/moved');
	expect(moved.map(({ headers }) => headers.authorization)).toContain('Bearer token');
});

describe('opening fails', () => {
	test('naming host and port when nobody listens', async () => {
		const started = await startHttpPeer(always(well));
		await started.stop();
		const failure = failureOf(await open(http(started.url)));
		expect(failure).toMatchObject({
			code: 'unreachable',
			disposition: 'did-not-happen',
			stage: 'connect',
		});
		expect(failure.message).toContain(`127.0.0.1:${String(started.port)}`);
		expect(failure.message).toContain('ECONNREFUSED');
	});

	test('as unreachable for an unknown host', async () => {
		const failure = failureOf(await open(http('http://no-such-host.invalid/mcp')));
		expect(failure).toMatchObject({ code: 'unreachable', stage: 'connect' });
		expect(failure.message).toMatch(/unknown host/);
	});

	test('saying what arrived when the endpoint is a web page', async () => {
		const { url } = await peer(always(html));
		const failure = failureOf(await open(http(url)));
		expect(failure).toMatchObject({
			code: 'unreachable',
			disposition: 'did-not-happen',
			stage: 'initialise',
			evidence: { httpStatus: 200, body: '<html>Please log in</html>' },
		});
		expect(failure.message).toContain('does not look like MCP');
		expect(failure.message).toContain('text/html');
	});

	test('saying so when the endpoint speaks JSON but not MCP', async () => {
		const { url } = await peer(
			always({ kind: 'answer', status: 200, type: 'application/json', body: '{"hello":1}' }),
		);
		const failure = failureOf(await open(http(url)));
		expect(failure).toMatchObject({ code: 'unreachable', evidence: { body: '{"hello":1}' } });
		expect(failure.message).toContain('does not look like MCP');
	});

	test.each([
		[401, 'unauthorized'],
		[403, 'unauthorized'],
		[404, 'http-refused'],
		[405, 'http-refused'],
		[400, 'http-refused'],
		[429, 'rate-limited'],
		[500, 'unreachable'],
		[503, 'unreachable'],
	])('with HTTP %i as %s', async (code, expected) => {
		const { url } = await peer(always(status(code)));
		expect(failureOf(await open(http(url)))).toMatchObject({
			code: expected,
			disposition: 'did-not-happen',
			stage: 'initialise',
			evidence: { httpStatus: code, body: 'as asked' },
		});
	});

	test('without a secret, even when the server echoes them', async () => {
		const { url } = await peer(({ headers }) => status(401, JSON.stringify(headers)));
		const failure = failureOf(
			await open(
				http(url, {
					bearerToken: 'secret-token-1',
					headers: [
						{ name: 'X-Key', value: 'Basic c2VjcmV0LTI=' },
						{ name: 'X-Quoted', value: 'secret "3"' },
					],
				}),
			),
		);
		expect(failure.evidence?.body).toContain('***');
		expect(JSON.stringify(failure)).not.toMatch(/secret|c2VjcmV0/);
	});

	test('with at most 200 characters of the body (U5)', async () => {
		const { url } = await peer(always(status(400, 'x'.repeat(500_000))));
		expect(failureOf(await open(http(url))).evidence?.body).toHaveLength(200);
	});

	test('when the notification after initialise is refused', async () => {
		const { url } = await peer(({ message }) =>
			message.method === 'notifications/initialized' ? status(401) : well,
		);
		expect(failureOf(await open(http(url)))).toMatchObject({
			code: 'unauthorized',
			evidence: { httpStatus: 401 },
		});
	});

	test('for a protocol version this client does not speak', async () => {
		const { url } = await peer(
			always({
				kind: 'result',
				result: {
					protocolVersion: '2099-01-01',
					capabilities: {},
					serverInfo: { name: 'p', version: '1' },
				},
			}),
		);
		const failure = failureOf(await open(http(url)));
		expect(failure).toMatchObject({ code: 'unreachable', stage: 'initialise' });
		expect(failure.message).toContain('protocol version');
	});

	test('for a redirect to another origin, whose target never sees the token (C6)', async () => {
		const other = await peer(always(well));
		const { url } = await peer(
			always({ kind: 'answer', status: 307, headers: { location: other.url } }),
		);
		const failure = failureOf(await open(http(url, { bearerToken: 'secret-token' })));
		expect(failure).toMatchObject({ code: 'http-refused', evidence: { httpStatus: 307 } });
		expect(failure.message).toContain(new URL(other.url).origin);
		expect(other.seen).toHaveLength(0);
	});

	test('after the idle limit, naming the field (C3)', async () => {
		const { url } = await peer(always({ kind: 'hang' }));
		const failure = failureOf(await open(http(url, {}, { requestTimeoutMs: 300 })));
		expect(failure).toMatchObject({
			code: 'timed-out',
			disposition: 'did-not-happen',
			stage: 'initialise',
		});
		expect(failure.message).toContain('Request Timeout');
	});

	test.each([
		['', 'x'],
		['X Y', 'x'],
		['Content-Length', '3'],
		['X-Line', 'a\r\nInjected: 1'],
		['X-Blank', 'value '],
		['X-Wide', 'snow ☃'],
	])('for the header row "%s", whose value is never shown', async (name, value) => {
		const { url, seen } = await peer(always(well));
		const failure = failureOf(await open(http(url, { headers: [{ name, value }] })));
		expect(failure).toMatchObject({ disposition: 'did-not-happen', stage: 'connect' });
		expect(failure.message).toContain(`The header row "${name}"`);
		expect(JSON.stringify(failure)).not.toContain(JSON.stringify(value).slice(1, -1) + '"');
		expect(seen).toHaveLength(0);
	});

	test.each(['not a url', 'ftp://host/mcp', 'http://user:pw@host/mcp'])(
		'for the endpoint %s',
		async (endpoint) => {
			const failure = failureOf(await open(http(endpoint)));
			expect(failure.message).toContain('The field Endpoint');
			expect(JSON.stringify(failure)).not.toContain('user:pw');
		},
	);
});

describe('a call that fails', () => {
	test('did not happen when the server is gone before it can be sent', async () => {
		const started = await startHttpPeer(always(well));
		const session = await opened(http(started.url));
		await started.stop();
		expect(failureOf(await session.callTool(work))).toMatchObject({
			code: 'unreachable',
			disposition: 'did-not-happen',
			stage: 'connect',
		});
	});

	test('is in doubt once reconnects can no longer bring its answer', async () => {
		const started = await peer(({ httpMethod, headers, message }) => {
			if (message.method === 'tools/call')
				return { kind: 'stream', text: `retry: 1\n${event('', 'e1')}`, then: 'cut' };
			return httpMethod === 'GET' ? status(headers['last-event-id'] ? 503 : 405) : well;
		});
		const session = await opened(http(started.url));
		expect(failureOf(await session.callTool(work))).toMatchObject({
			code: 'connection-lost',
			disposition: 'in-doubt',
		});
		const resumes = started.seen.filter(({ headers }) => headers['last-event-id'] === 'e1');
		expect(resumes).toHaveLength(2);
	});

	test('is cancelled on the wire, and the server sees its connection end (C10)', async () => {
		const started = await peer(onCall({ kind: 'hang' }));
		const session = await opened(http(started.url));
		const cancel = new AbortController();
		const pending = session.callTool(work, cancel.signal);
		const called = await started.sees(({ message }) => message.method === 'tools/call');
		cancel.abort();
		expect(failureOf(await pending)).toMatchObject({ code: 'cancelled', disposition: 'in-doubt' });
		const cancelled = await started.sees(
			({ message }) => message.method === 'notifications/cancelled',
		);
		expect(cancelled.message.params).toMatchObject({ requestId: called.message.id });
	});

	test('is in doubt when the answer outgrows the cap (C6)', async () => {
		const big = openSession({ env: { SALVOR_MAX_RESPONSE_MB: '1' } });
		const text = 'x'.repeat(2_000_000);
		for (const kind of ['json', 'event'] as const) {
			const { url } = await peer(
				onCall(({ message: { id } }) =>
					kind === 'json'
						? { kind: 'result', result: { text } }
						: {
								kind: 'stream',
								text: event({ jsonrpc: '2.0', id, result: { text } }),
								then: 'stay',
							},
				),
			);
			const session = await opened(http(url), big);
			const failure = failureOf(await session.callTool(work));
			expect(failure).toMatchObject({ code: 'connection-lost', disposition: 'in-doubt' });
			expect(failure.message).toContain('larger than 1 MiB');
		}
	});
});

describe('listing fails', () => {
	const list =
		(result: unknown) =>
		(request: PeerRequest): Behaviour =>
			request.message.method === 'tools/list' ? { kind: 'result', result } : well;

	test('at a repeated cursor (C4)', async () => {
		const { url } = await peer(list({ tools: [], nextCursor: 'again' }));
		const session = await opened(http(url));
		const failure = failureOf(await session.listTools());
		expect(failure).toMatchObject({ code: 'result-unreadable', stage: 'list' });
		expect(failure.message).toContain('the same page cursor twice');
	});

	test('after 1,000 pages (C4)', async () => {
		let page = 0;
		const { url } = await peer((request) => {
			page += 1;
			return list({ tools: [], nextCursor: String(page) })(request);
		});
		const session = await opened(http(url));
		const failure = failureOf(await session.listTools());
		expect(failure.message).toContain('more than 1000 pages');
	});

	test('after the idle limit, naming what was waited for and the field (C3)', async () => {
		const { url } = await peer(({ message }) =>
			message.method === 'tools/list' ? { kind: 'hang' } : well,
		);
		const session = await opened(http(url, {}, { requestTimeoutMs: 500 }));
		const failure = failureOf(await session.listTools());
		expect(failure).toMatchObject({
			code: 'timed-out',
			disposition: 'did-not-happen',
			stage: 'list',
		});
		expect(failure.message).toMatch(/^Listing the tools .*Request Timeout/);
	});

	test('when there is no list', async () => {
		const { url } = await peer(list({ tools: 'none' }));
		const session = await opened(http(url));
		expect(failureOf(await session.listTools())).toMatchObject({
			code: 'result-unreadable',
			disposition: 'did-not-happen',
		});
	});

	test('not when the server lists nothing', async () => {
		const { url } = await peer(list({ tools: [] }));
		const session = await opened(http(url));
		expect(valueOf(await session.listTools())).toEqual([]);
	});
});

describe('TLS (U9)', () => {
	const tls = selfSigned();

	test('says so when the server speaks none', async () => {
		const { url } = await peer(always(well));
		const failure = failureOf(await open(http(url.replace('http:', 'https:'))));
		expect(failure).toMatchObject({ code: 'unreachable', stage: 'connect' });
		expect(failure.message).toContain('no TLS handshake');
	});

	test('refuses a self-signed certificate and names both fields that help', async () => {
		const { url, seen } = await peer(always(well), tls);
		const failure = failureOf(await open(http(url)));
		expect(failure).toMatchObject({ code: 'unreachable', stage: 'connect' });
		expect(failure.remedy).toContain('CA Certificate');
		expect(failure.remedy).toContain('Ignore SSL Issues');
		expect(seen).toHaveLength(0);
	});

	test('accepts it with the certificate in the field', async () => {
		const { url } = await peer(always(well), tls);
		const session = await opened(http(url, { caCertificate: tls.cert }));
		expect((await session.callTool(work)).ok).toBe(true);
	});

	test('accepts it with the switch on', async () => {
		const { url } = await peer(always(well), tls);
		const session = await opened(http(url, { ignoreSslIssues: true }));
		expect((await session.callTool(work)).ok).toBe(true);
	});

	test('says so when the field CA Certificate holds no certificate', async () => {
		const { url } = await peer(always(well), tls);
		const failure = failureOf(await open(http(url, { caCertificate: 'no certificate' })));
		expect(failure.message).toContain('CA Certificate');
	});
});
