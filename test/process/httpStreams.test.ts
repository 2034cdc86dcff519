import { afterEach, describe, expect, test, vi } from 'vitest';

import type { McpSession } from '../../src/call/session';
import { openSession } from '../../src/mcp/openSession';
import { failureOf, http, valueOf } from '../support/connections';
import {
	event,
	startHttpPeer,
	well,
	type Behaviour,
	type HttpPeer,
	type PeerRequest,
} from '../support/servers/httpPeer';

/** Event streams that fail, end or come back (C6). Calls whose stream breaks off are in httpSession.test.ts, too. */

const open = openSession({ env: {} });
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

async function peer(...args: Parameters<typeof startHttpPeer>): Promise<HttpPeer> {
	const started = await startHttpPeer(...args);
	ends.push(() => started.stop());
	return started;
}

async function opened(...args: Parameters<typeof http>): Promise<McpSession> {
	const session = valueOf(await open(http(...args)));
	ends.unshift(() => session.close());
	return session;
}

const work = { name: 'work', arguments: {} };
const isGet = ({ httpMethod }: PeerRequest): boolean => httpMethod === 'GET';
const gets = ({ seen }: HttpPeer): readonly PeerRequest[] => seen.filter(isGet);
const resumes = (started: HttpPeer): readonly (string | string[] | undefined)[] =>
	gets(started).flatMap(({ headers }) => headers['last-event-id'] ?? []);
const status = (code: number, type = 'text/plain'): Behaviour => ({
	kind: 'answer',
	status: code,
	type,
	body: 'as asked',
});
const stream = (text: string, then: 'end' | 'cut' | 'stay' = 'end'): Behaviour => ({
	kind: 'stream',
	text,
	then,
});
const refusal = (id: number | undefined) => ({
	jsonrpc: '2.0',
	id,
	error: { code: -32601, message: 'no' },
});

describe('the GET stream beside the calls', () => {
	test.each<[string, Behaviour]>([
		...[400, 401, 403, 404, 405, 406, 410, 429, 500, 503].map((code): [string, Behaviour] => [
			`is answered with HTTP ${String(code)}`,
			status(code),
		]),
		['is answered with a web page', status(200, 'text/html')],
		['is answered with nothing', { kind: 'answer', status: 204 }],
		['is never answered', { kind: 'hang' }],
		['is reset', { kind: 'reset' }],
		['is answered with what is not HTTP', { kind: 'raw', text: 'SSH-2.0\r\n\r\n', then: 'end' }],
		['breaks off in an event', stream('data: {"jsonrpc', 'cut')],
		['brings what is not JSON', stream('data: {"jsonrpc\n\n', 'stay')],
		['brings an answer that nobody waits for', stream(event(refusal(999)), 'stay')],
		['is redirected to another origin', redirectTo('http://127.0.0.2:9/mcp')],
		['is redirected in a circle', redirectTo('/mcp')],
	])('%s, and calls go on (C6, U10)', async (_, behaviour) => {
		const started = await peer((request) => (isGet(request) ? behaviour : well));
		const session = await opened(started.url);
		await started.sees(isGet);
		for (let calls = 0; calls < 3; calls += 1) {
			expect((await session.callTool(work)).ok).toBe(true);
		}
		expect(valueOf(await session.listTools())).toHaveLength(1);
		expect(session.isOpen()).toBe(true);
	});

	test('comes back at most four times a second, whatever the server asks for (C6)', async () => {
		let count = 0;
		const endedAt: number[] = [];
		const startedAt: number[] = [];
		const notice = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 1 } };
		const started = await peer((request) => {
			if (!isGet(request)) return well;
			count += 1;
			startedAt.push(performance.now());
			endedAt.push(performance.now());
			return stream(`retry: 0\n${event(notice, `e${String(count)}`)}`);
		});
		await opened(started.url);
		await started.sees(() => gets(started).length === 4);
		const pauses = startedAt.slice(1).map((at, index) => at - (endedAt[index] ?? at));
		expect(Math.min(...pauses)).toBeGreaterThan(200);
	});
});

describe('a stream that need not come back', () => {
	test('for its call was answered with an error, is not asked for again (C6)', async () => {
		const started = await peer(({ httpMethod, message }) => {
			if (message.params?.['name'] === 'refused')
				return stream(`retry: 1\n${event('', 'e1')}${event(refusal(message.id), 'e2')}`);
			return httpMethod === 'GET' ? status(405) : well;
		});
		const session = await opened(started.url);
		const refused = failureOf(await session.callTool({ name: 'refused', arguments: {} }));
		expect(refused.code).toBe('rpc-refused');
		for (let calls = 0; calls < 20; calls += 1) await session.callTool(work);
		expect(resumes(started)).toEqual([]);
	});

	test('for its call was given up, is not asked for again (C6)', async () => {
		const started = await peer(({ httpMethod, message }) => {
			if (message.params?.['name'] === 'slow')
				return stream(`retry: 1\n${event('', 'e1')}`, 'stay');
			return httpMethod === 'GET' ? status(405) : well;
		});
		const session = await opened(started.url, {}, { requestTimeoutMs: 1_000 });
		const slow = await session.callTool({ name: 'slow', arguments: {} });
		expect(failureOf(slow).code).toBe('timed-out');
		for (let calls = 0; calls < 20; calls += 1) await session.callTool(work);
		expect(resumes(started)).toEqual([]);
	});
});

test('a stream that came back for a call ends when the call is given up (C6)', async () => {
	const started = await peer(({ headers, message }) => {
		if (message.method === 'tools/call') return stream(`retry: 1\n${event('', 'e1')}`);
		if (headers['last-event-id'] === 'e1') return stream(': wait\n\n', 'stay');
		return message.method === undefined ? status(405) : well;
	});
	const session = await opened(started.url, {}, { requestTimeoutMs: 1_500 });
	expect(failureOf(await session.callTool(work)).code).toBe('timed-out');
	const resumed = await started.sees(({ headers }) => headers['last-event-id'] === 'e1');
	await resumed.over;
	expect((await session.listTools()).ok).toBe(true);
	expect(resumes(started)).toEqual(['e1']);
});

test('a call whose server answers by polling is asked after again and again, until its answer (C6)', async () => {
	let called: number | undefined;
	const started = await peer(({ headers, message }) => {
		if (message.method === 'tools/call') {
			called = message.id;
			return stream(`retry: 1\n${event('', 'e0')}`);
		}
		const last = headers['last-event-id'];
		if (last === undefined) return message.method === undefined ? status(405) : well;
		const next = Number(String(last).slice(1)) + 1;
		return next < 4
			? stream(event('', `e${String(next)}`))
			: stream(event({ jsonrpc: '2.0', id: called, result: { content: [] } }, 'e9'));
	});
	const session = await opened(started.url);
	expect(valueOf(await session.callTool(work))).toEqual({ content: [] });
	expect(resumes(started)).toEqual(['e0', 'e1', 'e2', 'e3']);
});

test('a session is deleted when its opening fails at the last step, too (C6)', async () => {
	const started = await peer(({ message }) =>
		message.method === 'notifications/initialized' ? status(400) : well,
	);
	expect(failureOf(await open(http(started.url))).stage).toBe('initialise');
	await vi.waitFor(() => {
		expect(started.seen.map(({ httpMethod }) => httpMethod)).toContain('DELETE');
	});
});

function redirectTo(location: string): Behaviour {
	return { kind: 'answer', status: 307, headers: { location } };
}
