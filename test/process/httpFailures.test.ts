import { afterEach, describe, expect, test } from 'vitest';

import { interpretResult } from '../../src/call/interpretResult';
import type { McpSession } from '../../src/call/session';
import { openSession } from '../../src/mcp/openSession';
import type { Disposition, FailureCode } from '../../src/outcome/failure';
import { isTransient } from '../../src/outcome/failureTable';
import { selfSigned } from '../support/certificate';
import { failureOf, http, valueOf } from '../support/connections';
import { startBrittleRoad, type BrittleRoad, type RoadState } from '../support/servers/brittleRoad';
import {
	event,
	startHttpPeer,
	well,
	type Behaviour,
	type HttpPeer,
	type PeerRequest,
} from '../support/servers/httpPeer';

/**
 * The table of failures against HTTP servers that misbehave at a tool call, one row each. What fails before a session is
 * open, and reconnects and limits in detail, are in httpSession.test.ts.
 */

const open = openSession({ env: {} });
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

async function peer(...args: Parameters<typeof startHttpPeer>): Promise<HttpPeer> {
	const started = await startHttpPeer(...args);
	ends.unshift(() => started.stop());
	return started;
}

async function opened(...args: Parameters<typeof http>): Promise<McpSession> {
	const session = valueOf(await open(http(...args)));
	ends.unshift(() => session.close());
	return session;
}

const work = { name: 'work', arguments: {} };
type Id = number | undefined;
type OnCall = Behaviour | ((id: Id) => Behaviour);

/** Behaves well except for `tools/call`. */
const onCall =
	(behaviour: OnCall) =>
	({ message }: PeerRequest): Behaviour => {
		if (message.method !== 'tools/call') return well;
		return typeof behaviour === 'function' ? behaviour(message.id) : behaviour;
	};

const answer = (
	status: number,
	body: unknown = 'as asked',
	headers: Record<string, string> = {},
): Behaviour =>
	typeof body === 'string'
		? { kind: 'answer', status, type: 'text/plain', body, headers }
		: { kind: 'answer', status, type: 'application/json', body: JSON.stringify(body), headers };
const json = (text: string): Behaviour => ({
	kind: 'answer',
	status: 200,
	type: 'application/json',
	body: text,
});
const page = (status: number): Behaviour => ({
	kind: 'answer',
	status,
	type: 'text/html; charset=utf-8',
	body: '<html>Please log in</html>',
});
const result = (id: unknown, value: unknown = { content: [] }) => ({
	jsonrpc: '2.0',
	id,
	result: value,
});
const error = (id: unknown, value: unknown) => ({ jsonrpc: '2.0', id, error: value });
const stream = (text: string, then: 'end' | 'cut' | 'stay' = 'end'): Behaviour => ({
	kind: 'stream',
	text,
	then,
});
const head = (length: number): string =>
	`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${String(length)}\r\n\r\n`;

interface Verdict {
	readonly code: FailureCode;
	readonly disposition: Disposition;
	readonly transient: boolean;
}
const verdict = (code: FailureCode, disposition: Disposition, transient: boolean): Verdict => ({
	code,
	disposition,
	transient,
});
const unauthorized = verdict('unauthorized', 'did-not-happen', false);
const refused = verdict('http-refused', 'did-not-happen', false);
const rateLimited = verdict('rate-limited', 'did-not-happen', true);
const sessionLost = verdict('session-lost', 'did-not-happen', true);
const unreachable = verdict('unreachable', 'did-not-happen', true);
const lost = verdict('connection-lost', 'in-doubt', true);
const timedOut = verdict('timed-out', 'in-doubt', true);
const timedOutUnsent = verdict('timed-out', 'did-not-happen', true);
const rpcRefused = verdict('rpc-refused', 'did-not-happen', false);
const rpcError = verdict('rpc-error', 'in-doubt', true);
const unreadable = verdict('result-unreadable', 'landed', false);
const unclassified = verdict('unclassified', 'in-doubt', false);

/** Calls the tool once and gives the verdict of its failure. */
async function verdictOf(session: McpSession, signal?: AbortSignal): Promise<Verdict> {
	const failure = failureOf(await session.callTool(work, signal));
	const { code, disposition } = failure;
	return { code, disposition, transient: isTransient(failure) };
}

describe('a call that is answered with an HTTP status', () => {
	test.each<[number, Verdict]>([
		[400, refused],
		[401, unauthorized],
		[403, unauthorized],
		[404, sessionLost],
		[405, refused],
		[406, refused],
		[408, lost],
		[409, lost],
		[410, refused],
		[413, refused],
		[422, refused],
		[425, lost],
		[429, rateLimited],
		[451, refused],
		[500, lost],
		[501, lost],
		[502, lost],
		[503, lost],
		[504, lost],
		[599, lost],
	])('%i', async (status, expected) => {
		const { url } = await peer(onCall(answer(status)));
		const session = await opened(url);
		const failure = failureOf(await session.callTool(work));
		expect(failure).toMatchObject({
			code: expected.code,
			disposition: expected.disposition,
			stage: 'call',
			evidence: { httpStatus: status, body: 'as asked' },
		});
		expect(isTransient(failure)).toBe(expected.transient);
	});

	test('404 where the server gave no session id', async () => {
		const { url } = await peer(({ message: { id, method, params } }) => {
			if (method === 'tools/call') return answer(404);
			if (method !== 'initialize') return well;
			const { protocolVersion } = params ?? {};
			const serverInfo = { name: 'stateless', version: '1' };
			return answer(200, result(id, { protocolVersion, capabilities: {}, serverInfo }));
		});
		expect(await verdictOf(await opened(url))).toEqual(refused);
	});

	test.each<[string, (id: Id) => Behaviour, Verdict]>([
		[
			'400 with an error frame',
			(id) => answer(400, error(id, { code: -32000, message: 'no' })),
			refused,
		],
		[
			'404 with an error frame',
			(id) => answer(404, error(id, { code: -32001, message: 'no' })),
			sessionLost,
		],
		[
			'500 with an error frame that would be a refusal with 200',
			(id) => answer(500, error(id, { code: -32601, message: 'no' })),
			lost,
		],
		...[302, 400, 401, 403, 404, 429, 500].map(
			(status): [string, (id: Id) => Behaviour, Verdict] => [
				`${String(status)} with a result in its body, which says that the call ran`,
				(id) => answer(status, result(id)),
				unreadable,
			],
		),
		[
			'404 with a result as an event',
			(id) => ({
				kind: 'answer',
				status: 404,
				type: 'text/event-stream',
				body: event(result(id)),
			}),
			unreadable,
		],
		['503 with a web page', () => page(503), lost],
		['403 with a web page', () => page(403), unauthorized],
	])('%s', async (_, behaviour, expected) => {
		const { url } = await peer(onCall(behaviour));
		expect(await verdictOf(await opened(url))).toEqual(expected);
	});

	test.each([
		[429, '7', 7_000],
		[429, 'Fri, 02 Jan 2026 03:04:35 GMT', 30_000],
		[503, '0', 0],
		[429, 'soon', undefined],
		[500, '7', undefined],
	])('%i with Retry-After: %s asks for %s ms', async (status, retryAfter, expected) => {
		const headers = { 'retry-after': retryAfter, date: 'Fri, 02 Jan 2026 03:04:05 GMT' };
		const { url } = await peer(onCall(answer(status, 'later', headers)));
		const session = await opened(url);
		const { evidence } = failureOf(await session.callTool(work));
		expect(evidence?.retryAfterMs).toBe(expected);
	});
});

describe('a call that is redirected', () => {
	test('within the origin, and brings its result with that, ran and is not sent again', async () => {
		const started = await peer(onCall((id) => answer(307, result(id), { location: '/elsewhere' })));
		expect(await verdictOf(await opened(started.url))).toEqual(unreadable);
		expect(started.seen.filter(({ message }) => message.method === 'tools/call')).toHaveLength(1);
	});

	test.each([307, 308])('within the origin with %i is sent on once', async (status) => {
		const started = await peer(({ path, message }) =>
			message.method === 'tools/call' && path === '/mcp'
				? answer(status, '', { location: '/moved' })
				: well,
		);
		const session = await opened(started.url);
		expect((await session.callTool(work)).ok).toBe(true);
		const moved = started.seen.filter(({ path }) => path === '/moved');
		expect(moved.map(({ message }) => message.method)).toEqual(['tools/call']);
	});

	test.each([301, 302, 303])('with %i, which would make a GET of it', async (status) => {
		const { url } = await peer(onCall(answer(status, '', { location: '/moved' })));
		expect(await verdictOf(await opened(url))).toEqual(refused);
	});

	test.each([301, 302, 303, 307, 308])('to another origin with %i', async (status) => {
		const other = await peer(() => well);
		const { url } = await peer(onCall(answer(status, '', { location: other.url })));
		expect(await verdictOf(await opened(url))).toEqual(refused);
		expect(other.seen).toEqual([]);
	});

	test('in a circle', async () => {
		const { url } = await peer(onCall(answer(307, '', { location: '/mcp' })));
		expect(await verdictOf(await opened(url))).toEqual(refused);
	});

	test.each<[string, Behaviour, Verdict]>([
		['breaks off', { kind: 'reset' }, lost],
		['never answers', { kind: 'hang' }, timedOut],
		['declines', answer(410), refused],
		['fails', answer(500), lost],
	])('to a place that %s', async (_, there, expected) => {
		const { url } = await peer(({ path, message }) => {
			if (message.method !== 'tools/call') return well;
			return path === '/mcp' ? answer(307, '', { location: '/moved' }) : there;
		});
		const session = await opened(url, {}, { requestTimeoutMs: 1_000 });
		expect(await verdictOf(session)).toEqual(expected);
	});
});

describe('a call that is answered with an error frame', () => {
	test.each<[string, unknown, Verdict]>([
		['-32700', { code: -32700, message: 'as asked' }, rpcRefused],
		['-32600', { code: -32600, message: 'as asked' }, rpcRefused],
		['-32601', { code: -32601, message: 'as asked' }, rpcRefused],
		['-32602', { code: -32602, message: 'as asked' }, rpcError],
		['-32603', { code: -32603, message: 'as asked' }, rpcError],
		["-32000, also the SDK's for a closed connection", { code: -32000, message: '' }, rpcError],
		["-32001, also the SDK's for its own timeout", { code: -32001, message: '' }, rpcError],
		['-32042', { code: -32042, message: 'as asked', data: {} }, rpcError],
		['a code of its own', { code: 7, message: 'as asked' }, rpcError],
		['a broken number for a code', { code: 1.5, message: 'as asked' }, rpcError],
		['text for a code', { code: '-32601', message: 'as asked' }, rpcError],
		['no code', { message: 'as asked' }, rpcError],
		['no message', { code: -32603 }, rpcError],
		['text for an error', 'as asked', rpcError],
		['null for an error', null, rpcError],
	])('%s', async (_, value, expected) => {
		for (const behave of [
			(id: Id) => answer(200, error(id, value)),
			(id: Id) => stream(event(error(id, value)), 'stay'),
		]) {
			const { url } = await peer(onCall(behave));
			expect(await verdictOf(await opened(url))).toEqual(expected);
		}
	});

	test('that names no request', async () => {
		const { url } = await peer(
			onCall(answer(200, error(null, { code: -32600, message: 'as asked' }))),
		);
		expect(await verdictOf(await opened(url))).toEqual(rpcRefused);
	});
});

describe('a call whose answer is no answer', () => {
	test.each<[string, OnCall, Verdict]>([
		['a web page', page(200), unclassified],
		['nothing, with 200', { kind: 'answer', status: 200 }, unclassified],
		['nothing, with 204', { kind: 'answer', status: 204 }, unclassified],
		['JSON that is not MCP', json('{"hello":1}'), unclassified],
		['JSON cut short', json('{"jsonrpc":"2.0","id":'), unclassified],
		['an empty list', json('[]'), lost],
		['the answer to another request', answer(200, result(999)), lost],
		['an error for another request', answer(200, error(999, { code: -32601, message: '' })), lost],
		['an event for another request', stream(event(result(999))), lost],
		['an event that is no JSON', stream('data: {"jsonrpc"\n\n'), lost],
		['half an event, then the end', (id) => stream(`data: ${JSON.stringify(result(id))}`), lost],
		['half an event, then a cut', stream('data: {"jsonrpc', 'cut'), lost],
		['an empty stream', stream(': hello\n\n'), lost],
		['an empty stream, then a cut', stream(': hello\n\n', 'cut'), lost],
		['half a body, then the end', { kind: 'raw', text: `${head(99)}{"js`, then: 'end' }, lost],
		['half a body, then a reset', { kind: 'raw', text: `${head(99)}{"js`, then: 'reset' }, lost],
		['half a head', { kind: 'raw', text: 'HTTP/1.1 200 OK\r\ncont', then: 'end' }, lost],
		['a notification', json('{"jsonrpc":"2.0","method":"notifications/message"}'), lost],
		[
			'what is not HTTP',
			{ kind: 'raw', text: 'SSH-2.0-server\r\n\r\n', then: 'end' },
			unclassified,
		],
		['the end of the connection', { kind: 'raw', text: '', then: 'end' }, lost],
		['a reset', { kind: 'raw', text: '', then: 'reset' }, lost],
		['a result that is text', (id) => answer(200, result(id, 'text')), unreadable],
		['a result that is null', (id) => answer(200, result(id, null)), unreadable],
		['a result that is a list', (id) => answer(200, result(id, [])), unreadable],
		[
			'a result that is text, as an event',
			(id) => stream(event(result(id, 'text')), 'stay'),
			unreadable,
		],
		[
			'a result beside an error',
			(id) => answer(200, { ...result(id), error: { code: -32601, message: '' } }),
			unreadable,
		],
	])('%s', async (_, behaviour, expected) => {
		const { url } = await peer(onCall(behaviour));
		expect(await verdictOf(await opened(url))).toEqual(expected);
	});

	test.each<[string, OnCall]>([
		['silence', { kind: 'hang' }],
		['202 and no more', { kind: 'answer', status: 202 }],
		['half a body, and no more', { kind: 'raw', text: `${head(99)}{"js`, then: 'stay' }],
		['half an event, and no more', stream('data: {"jsonrpc', 'stay')],
		['an event for another request, and no more', stream(event(result(999)), 'stay')],
	])('%s, until our limit', async (_, behaviour) => {
		const { url } = await peer(onCall(behaviour));
		const session = await opened(url, {}, { requestTimeoutMs: 1_000 });
		expect(await verdictOf(session)).toEqual(timedOut);
	});
});

describe('a call that is answered more than once', () => {
	test.each<[string, (id: Id) => Behaviour]>([
		['in one list', (id) => answer(200, [result(id), error(id, { code: 1, message: '' })])],
		['in one stream', (id) => stream(event(result(id)) + event(result(id, { content: 'other' })))],
		['at first well, then cut', (id) => stream(event(result(id)), 'cut')],
		['at first well, then no event', (id) => stream(`${event(result(id))}data: {"js`)],
	])('%s: the first answer counts', async (_, behaviour) => {
		const { url } = await peer(onCall(behaviour));
		const session = await opened(url);
		expect(valueOf(await session.callTool(work))).toEqual({ content: [] });
	});

	test('after our limit: the late answer reaches nobody, and the next call gets its own', async () => {
		let release: (() => void) | undefined;
		const late = new Promise<void>((settle) => {
			release = settle;
		});
		let calls = 0;
		const { url } = await peer(
			onCall((id) => {
				calls += 1;
				const own = answer(200, result(id, { content: [], call: calls }));
				return calls === 1 ? { kind: 'later', when: late, then: own } : own;
			}),
		);
		const session = await opened(url, {}, { requestTimeoutMs: 1_000 });
		expect(await verdictOf(session)).toEqual(timedOut);
		release?.();
		expect(valueOf(await session.callTool(work))).toEqual({ content: [], call: 2 });
	});
});

describe("a tool's own error", () => {
	test('keeps its text, its structured data and its _meta, whatever its outputSchema says', async () => {
		const said = {
			isError: true,
			content: [
				{ type: 'text', text: 'no such invoice' },
				{ type: 'hologram', data: 1 },
			],
			structuredContent: { reason: 'unknown', at: [1, null] },
			_meta: { 'example.org/trace': 'abc' },
		};
		const { url } = await peer(onCall((id) => answer(200, result(id, said))));
		const session = await opened(url);
		const whole = valueOf(await session.callTool(work));
		const tool = { name: 'work', outputSchema: false };
		const read = interpretResult(tool, whole, () => [{ path: '$', message: 'is not allowed' }]);
		expect(read).toEqual({
			kind: 'failed',
			failure: {
				code: 'tool-error',
				disposition: 'landed',
				stage: 'call',
				message: 'The tool "work" answered with an error: no such invoice',
				remedy: expect.stringContaining('a second request'),
				toolError: {
					text: ['no such invoice'],
					structuredContent: { reason: 'unknown', at: [1, null] },
					meta: { 'example.org/trace': 'abc' },
				},
			},
			result: said,
		});
	});
});

describe('a connection that fails below HTTP', () => {
	/** A session over a road that is as told from now on; the call will need a connection of its own. */
	async function overRoad(
		state: RoadState,
		{ limitMs = 20_000, tls }: { limitMs?: number; tls?: ReturnType<typeof selfSigned> } = {},
	): Promise<{ readonly session: McpSession; readonly road: BrittleRoad; readonly far: HttpPeer }> {
		const far = await peer(() => well, tls, 'closed');
		const road = await startBrittleRoad(far.port);
		const url = far.url.replace(String(far.port), String(road.port));
		const limits = { requestTimeoutMs: limitMs };
		const session = await opened(url, { ignoreSslIssues: tls !== undefined }, limits);
		ends.unshift(() => road.stop());
		await far.sees(({ httpMethod }) => httpMethod === 'GET');
		road.become(state);
		return { session, road, far };
	}

	const huge = { name: 'work', arguments: { text: 'x'.repeat(30_000_000) } };
	const calls = ({ seen }: HttpPeer) =>
		seen.filter(({ message }) => message.method === 'tools/call');

	test('refused: nothing was sent', async () => {
		const { session, road } = await overRoad('open');
		await road.stop();
		expect(await verdictOf(session)).toEqual(unreachable);
	});

	test.each<RoadState>(['closes', 'resets'])(
		'accepted, and %s before it reads: in doubt, unless that shows before a byte leaves',
		async (state) => {
			const { session } = await overRoad(state);
			expect([lost, unreachable]).toContainEqual(await verdictOf(session));
		},
	);

	test('accepted, and never read: bytes have left', async () => {
		const { session } = await overRoad('silent', { limitMs: 1_000 });
		expect(await verdictOf(session)).toEqual(timedOut);
	});

	test('a request half written when the connection breaks counts as sent', async () => {
		const { session, far } = await overRoad('cuts-after-first-bytes');
		const failure = failureOf(await session.callTool(huge));
		expect(failure).toMatchObject({ code: 'connection-lost', disposition: 'in-doubt' });
		expect(calls(far)).toEqual([]);
	});

	test('a request half written at our limit counts as sent', async () => {
		const { session } = await overRoad('silent', { limitMs: 4_000 });
		const failure = failureOf(await session.callTool(huge));
		expect(failure).toMatchObject({ code: 'timed-out', disposition: 'in-doubt' });
	});

	describe('during the TLS handshake, where the request waits to be written', () => {
		const tls = selfSigned();

		test.each<RoadState>(['closes', 'resets'])('%s: nothing was sent', async (state) => {
			const { session } = await overRoad(state, { tls });
			expect(await verdictOf(session)).toEqual(unreachable);
		});

		test('silent until our limit: nothing was sent, nor is later', async () => {
			const { session, road, far } = await overRoad('silent', { limitMs: 1_000, tls });
			expect(await verdictOf(session)).toEqual(timedOutUnsent);
			road.become('open');
			expect((await session.callTool(work)).ok).toBe(true);
			expect(calls(far)).toHaveLength(1);
		});

		test('silent until the execution is cancelled: nothing was sent', async () => {
			const { session, road } = await overRoad('silent', { tls });
			const cancel = new AbortController();
			const pending = verdictOf(session, cancel.signal);
			await expect.poll(() => road.connections()).toBeGreaterThan(0);
			cancel.abort();
			expect(await pending).toEqual(verdict('cancelled', 'did-not-happen', false));
		});
	});

	test('cancelled at any instant: what is said not to have been sent never is', async () => {
		const started = await peer(onCall({ kind: 'hang' }));
		const session = await opened(started.url);
		const seen = (): readonly unknown[] =>
			calls(started).map(({ message }) => (message.params?.['arguments'] as { n: number }).n);
		const unsent: number[] = [];
		const instants = 200;
		for (let n = 0; n < instants; n += 1) {
			const cancel = new AbortController();
			const pending = session.callTool({ name: 'work', arguments: { n } }, cancel.signal);
			// Between two turns of the event loop there are many instants.
			for (let turns = 0; turns < n % 4; turns += 1) await new Promise(setImmediate);
			for (let steps = 0; steps < n / 4; steps += 1) await Promise.resolve();
			cancel.abort();
			if (failureOf(await pending).disposition === 'did-not-happen') unsent.push(n);
		}
		expect((await session.listTools()).ok).toBe(true);
		await session.close();
		expect(seen().filter((n) => unsent.includes(Number(n)))).toEqual([]);
		expect(unsent.length).toBeGreaterThan(0);
		expect(seen().length).toBeGreaterThan(0);
	});

	test('cancelled before anything was done: nothing was sent', async () => {
		const { session, far } = await overRoad('open');
		expect(await verdictOf(session, AbortSignal.abort())).toEqual(
			verdict('cancelled', 'did-not-happen', false),
		);
		expect(calls(far)).toEqual([]);
	});
});
