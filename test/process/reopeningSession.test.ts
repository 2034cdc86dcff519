import { afterEach, describe, expect, test, vi } from 'vitest';

import type { ConnectionSettings } from '../../src/call/connectionSettings';
import { reopeningSession } from '../../src/call/reopeningSession';
import type { McpSession } from '../../src/call/session';
import { openSession } from '../../src/mcp/openSession';
import { failureOf, http, isRunning, stdio, textJson, valueOf } from '../support/connections';
import {
	startHttpPeer,
	well,
	type Behaviour,
	type HttpPeer,
	type PeerRequest,
} from '../support/servers/httpPeer';

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

async function openedLine(settings: ConnectionSettings): Promise<McpSession> {
	const open = openSession({ env: { ...process.env, SALVOR_STDIO_COMMANDS: '*' } });
	const line = reopeningSession(valueOf(await open(settings)), () => open(settings));
	ends.unshift(() => line.close());
	return line;
}

const work = { name: 'work', arguments: {} };
const call = (name: string) => ({ name, arguments: {} });
const json = 'application/json';

/** A server whose sessions the test forgets; each initialise gives a session of its own. */
async function forgetfulPeer(
	decide: (request: PeerRequest) => Behaviour | undefined = () => undefined,
): Promise<HttpPeer & { forget(): void; initialises(): number }> {
	let initialises = 0;
	let oldest = 1;
	const peer = await startHttpPeer((request) => {
		const decided = decide(request);
		if (decided !== undefined) return decided;
		const { id, method, params } = request.message;
		if (method === 'initialize') {
			initialises += 1;
			const result = {
				protocolVersion: params?.['protocolVersion'],
				capabilities: { tools: {} },
				serverInfo: { name: 'forgetful', version: '1' },
			};
			return {
				kind: 'answer',
				status: 200,
				type: json,
				headers: { 'mcp-session-id': String(initialises) },
				body: JSON.stringify({ jsonrpc: '2.0', id, result }),
			};
		}
		const known = Number(request.headers['mcp-session-id']) >= oldest;
		if (!known) return { kind: 'answer', status: 404 };
		return method === 'tools/call'
			? {
					kind: 'answer',
					status: 200,
					type: json,
					body: JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }),
				}
			: well;
	});
	ends.push(() => peer.stop());
	return {
		...peer,
		forget: () => {
			oldest = initialises + 1;
		},
		initialises: () => initialises,
	};
}

describe('an HTTP session that the server forgot (session-lost)', () => {
	test('fails the call that finds out, is opened again once for all that come after, and not before', async () => {
		const peer = await forgetfulPeer();
		const line = await openedLine(http(peer.url));
		expect((await line.callTool(work)).ok).toBe(true);
		peer.forget();
		expect(failureOf(await line.callTool(work))).toMatchObject({
			code: 'session-lost',
			disposition: 'did-not-happen',
		});
		expect(line.isOpen()).toBe(false);
		expect(peer.initialises()).toBe(1);
		const answers = await Promise.all(Array.from({ length: 8 }, () => line.callTool(work)));
		expect(answers.map(({ ok }) => ok)).toEqual(Array.from({ length: 8 }, () => true));
		expect(peer.initialises()).toBe(2);
		expect(line.isOpen()).toBe(true);
	});

	test('keeps the calls that are under way on it', async () => {
		let answer: (() => void) | undefined;
		const peer = await forgetfulPeer(({ message: { id, params } }) =>
			params?.['name'] === 'slow'
				? {
						kind: 'later',
						when: new Promise<void>((settle) => {
							answer = settle;
						}),
						then: {
							kind: 'answer',
							status: 200,
							type: json,
							body: JSON.stringify({ jsonrpc: '2.0', id, result: { content: [], slow: true } }),
						},
					}
				: undefined,
		);
		const line = await openedLine(http(peer.url));
		const slow = line.callTool(call('slow'));
		await peer.sees(({ message }) => message.params?.['name'] === 'slow');
		peer.forget();
		expect(failureOf(await line.callTool(work)).code).toBe('session-lost');
		expect((await line.callTool(work)).ok).toBe(true);
		answer?.();
		expect(valueOf(await slow)).toEqual({ content: [], slow: true });
	});

	test('whose opening fails is tried again by the next call', async () => {
		let refusing = false;
		const peer = await forgetfulPeer(({ message }) =>
			refusing && message.method === 'initialize' ? { kind: 'answer', status: 503 } : undefined,
		);
		const line = await openedLine(http(peer.url));
		peer.forget();
		await line.callTool(work);
		refusing = true;
		expect(failureOf(await line.callTool(work))).toMatchObject({
			code: 'unreachable',
			disposition: 'did-not-happen',
			stage: 'initialise',
		});
		refusing = false;
		expect((await line.callTool(work)).ok).toBe(true);
	});
});

describe('a child that ended', () => {
	test('is started again by the next call, once for all that come', async () => {
		const line = await openedLine(stdio());
		const before = textJson(valueOf(await line.callTool(call('pid'))));
		expect(failureOf(await line.callTool(call('die')))).toMatchObject({
			code: 'connection-lost',
			disposition: 'in-doubt',
		});
		const answers = await Promise.all([line.callTool(call('pid')), line.callTool(call('pid'))]);
		const [one, other] = answers.map((answer) => textJson(valueOf(answer)));
		expect(one).toBe(other);
		expect(one).not.toBe(before);
	});

	test('leaves nothing behind at the end, and nothing is started after it', async () => {
		const line = await openedLine(stdio());
		await line.callTool(call('die'));
		const pid = textJson(valueOf(await line.callTool(call('pid')))) as number;
		await Promise.all([line.close(), line.close()]);
		expect(isRunning(pid)).toBe(false);
		expect(failureOf(await line.callTool(call('pid')))).toMatchObject({
			disposition: 'did-not-happen',
		});
	});
});

test('an old session is deleted once its last call has ended', async () => {
	const peer = await forgetfulPeer();
	const line = await openedLine(http(peer.url));
	peer.forget();
	await line.callTool(work);
	await vi.waitFor(() => {
		const deleted = peer.seen.filter(({ httpMethod }) => httpMethod === 'DELETE');
		expect(deleted.map(({ headers }) => headers['mcp-session-id'])).toEqual(['1']);
	});
});
