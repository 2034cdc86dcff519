import { afterEach, describe, expect, test } from 'vitest';

import type { ConnectionSettings } from '../../src/call/connectionSettings';
import type { McpSession } from '../../src/call/session';
import { openSession } from '../../src/mcp/openSession';
import { failureOf, http, valueOf } from '../support/connections';
import { testPool } from '../support/pools';
import {
	type Behaviour,
	event,
	type HttpPeer,
	type PeerRequest,
	startHttpPeer,
	well,
} from '../support/servers/httpPeer';

/** What is sent without being a request of ours gets its answer from nobody: it must not hold anything up (C3, C6). */

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

async function peer(decide: (request: PeerRequest) => Behaviour): Promise<HttpPeer> {
	const started = await startHttpPeer(decide);
	ends.push(() => started.stop());
	return started;
}

const open = openSession({ env: {} });

async function opened(url: string, limits: Partial<ConnectionSettings> = {}): Promise<McpSession> {
	const session = valueOf(await open(http(url, {}, limits)));
	ends.unshift(() => session.close());
	return session;
}

const work = { name: 'work', arguments: {} };
const isInitialized = ({ message }: PeerRequest): boolean =>
	message.method === 'notifications/initialized';
const isAnswer = ({ httpMethod, message }: PeerRequest): boolean =>
	httpMethod === 'POST' && message.method === undefined;

const silences: readonly (readonly [string, Behaviour])[] = [
	['not at all', { kind: 'hang' }],
	[
		'by half an error',
		{ kind: 'raw', text: 'HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\nhalf', then: 'stay' },
	],
];

describe.each(silences)('a server that answers %s to notifications/initialized', (_, silence) => {
	const mute = (request: PeerRequest): Behaviour => (isInitialized(request) ? silence : well);

	test('is given up at Request Timeout (C3, U33)', async () => {
		const { url } = await peer(mute);
		const failure = failureOf(await open(http(url, {}, { requestTimeoutMs: 300 })));
		expect(failure).toMatchObject({
			code: 'timed-out',
			disposition: 'did-not-happen',
			stage: 'initialise',
		});
	});

	test('is left when the execution is cancelled (C10)', async () => {
		const silent = await peer(mute);
		const cancel = new AbortController();
		const opening = open(http(silent.url), cancel.signal);
		await silent.sees(isInitialized);
		cancel.abort();
		expect(failureOf(await opening).code).toBe('cancelled');
	});

	test('takes no place in the pool, and whoever comes later finds it well again (C9)', async () => {
		let heals = false;
		const ill = await peer((request) => (heals ? well : mute(request)));
		const healthy = await peer(() => well);
		const pool = testPool({ most: 1 });
		ends.unshift(() => pool.close());
		const settings = http(ill.url, {}, { requestTimeoutMs: 300 });
		const lost = await Promise.all([
			pool.lease({ settings, listing: 'anew' }),
			pool.lease({ settings, listing: 'anew' }),
		]);
		expect(lost.map((lease) => failureOf(lease).code)).toEqual(['timed-out', 'timed-out']);
		const other = await pool.open(http(healthy.url));
		expect((await other.callTool(work)).ok).toBe(true);
		await other.close();
		heals = true;
		expect((await (await pool.open(settings)).callTool(work)).ok).toBe(true);
	});
});

describe('a server that asks and does not take the answers', () => {
	const pings = (count: number): string =>
		Array.from({ length: count }, (_, id) =>
			event({ jsonrpc: '2.0', id: `ping-${String(id)}`, method: 'ping' }),
		).join('');

	test('holds no connection beyond Request Timeout', async () => {
		const { url, seen } = await peer((request) => {
			if (isAnswer(request)) return { kind: 'hang' };
			return request.message.method === 'tools/call'
				? { kind: 'stream', text: pings(20), then: 'stay' }
				: well;
		});
		const session = await opened(url, { requestTimeoutMs: 300 });
		expect(failureOf(await session.callTool(work)).code).toBe('timed-out');
		const answers = seen.filter(isAnswer);
		expect(answers).toHaveLength(20);
		await Promise.all(answers.map(({ over }) => over));
		expect((await session.listTools()).ok).toBe(true);
	});

	test('gets a bounded number of them at once, and calls go on', async () => {
		const { url, seen } = await peer((request) => {
			if (isAnswer(request)) return { kind: 'hang' };
			if (request.message.params?.['name'] !== 'flood') return well;
			const result = { jsonrpc: '2.0', id: request.message.id, result: { content: [] } };
			return { kind: 'stream', text: pings(2_000) + event(result), then: 'end' };
		});
		const session = await opened(url);
		valueOf(await session.callTool({ ...work, name: 'flood' }));
		valueOf(await session.callTool(work));
		await session.close();
		const answers = seen.filter(isAnswer).length;
		expect(answers).toBeGreaterThan(0);
		expect(answers).toBeLessThanOrEqual(256);
	});

	test('of a cancelled call’s end holds no connection beyond Request Timeout either', async () => {
		const server = await peer(({ message }) =>
			message.method === 'tools/call' || message.method === 'notifications/cancelled'
				? { kind: 'hang' }
				: well,
		);
		const session = await opened(server.url, { requestTimeoutMs: 300 });
		expect(failureOf(await session.callTool(work)).code).toBe('timed-out');
		const told = await server.sees(({ message }) => message.method === 'notifications/cancelled');
		await told.over;
	});
});
