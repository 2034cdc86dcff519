import { gzipSync } from 'node:zlib';

import { afterEach, describe, expect, test } from 'vitest';

import type { ConnectionSettings, HttpSettings } from '../../src/call/connectionSettings';
import type { McpSession } from '../../src/call/session';
import { openSession } from '../../src/mcp/openSession';
import { selfSigned } from '../support/certificate';
import { failureOf, http, valueOf } from '../support/connections';
import {
	event,
	startHttpPeer,
	well,
	type Behaviour,
	type HttpPeer,
	type PeerRequest,
} from '../support/servers/httpPeer';

/** Where requests may go, how long they may take and how much may come back (C3, C6). */

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

async function peer(...args: Parameters<typeof startHttpPeer>): Promise<HttpPeer> {
	const started = await startHttpPeer(...args);
	ends.push(() => started.stop());
	return started;
}

async function opened(
	url: string,
	transport: Partial<HttpSettings> = {},
	limits: Partial<ConnectionSettings> = {},
): Promise<McpSession> {
	const session = valueOf(await openSession({ env: {} })(http(url, transport, limits)));
	ends.unshift(() => session.close());
	return session;
}

const work = { name: 'work', arguments: {} };

/** Behaves well except for `tools/call`. */
const onCall =
	(behaviour: (request: PeerRequest) => Behaviour) =>
	(request: PeerRequest): Behaviour =>
		request.message.method === 'tools/call' ? behaviour(request) : well;

describe('a redirect to elsewhere (C6)', () => {
	const secrets = {
		bearerToken: 'secret-token',
		headers: [{ name: 'X-Api-Key', value: 'secret-key' }],
	};
	const to = (location: string): Behaviour => ({
		kind: 'answer',
		status: 307,
		headers: { location },
	});

	test.each(['GET', 'DELETE'])('is not followed by a %s', async (method) => {
		const other = await peer(() => well);
		const started = await peer(({ httpMethod }) => (httpMethod === method ? to(other.url) : well));
		const session = await opened(started.url, secrets);
		await started.sees(({ httpMethod }) => httpMethod === 'GET');
		expect((await session.callTool(work)).ok).toBe(true);
		await session.close();
		expect(started.seen.map(({ httpMethod }) => httpMethod)).toContain(method);
		expect(other.seen).toEqual([]);
	});

	test.each<[string, (url: URL, otherPort: number) => void]>([
		['another port', (url, otherPort) => (url.port = String(otherPort))],
		['another name of the host', (url) => (url.hostname = 'localhost')],
		['another scheme', (url) => (url.protocol = 'https:')],
	])('is one to %s, and a call with its headers does not go there', async (_, move) => {
		const other = await peer(() => well);
		const started = await peer(
			onCall(() => {
				const location = new URL(`http://127.0.0.1:${String(started.port)}/moved`);
				move(location, other.port);
				return to(location.href);
			}),
		);
		const session = await opened(started.url, secrets);
		expect(failureOf(await session.callTool(work))).toMatchObject({
			code: 'http-refused',
			disposition: 'did-not-happen',
		});
		expect(started.seen.map(({ path }) => path)).not.toContain('/moved');
		expect(other.seen).toEqual([]);
	});
});

describe('a call without end', () => {
	const progressOf = ({ message }: PeerRequest): Behaviour => {
		const meta = message.params?.['_meta'] as { readonly progressToken: number };
		const params = { progressToken: meta.progressToken, progress: 1 };
		const notice = { jsonrpc: '2.0', method: 'notifications/progress', params };
		return { kind: 'beat', text: event(notice), everyMs: 50 };
	};
	const silence = (): Behaviour => ({ kind: 'stream', text: ': wait\n\n', then: 'stay' });
	const noise = (): Behaviour => ({ kind: 'beat', text: ': still here\n\n', everyMs: 50 });

	test.each<[string, (request: PeerRequest) => Behaviour, Partial<ConnectionSettings>, string]>([
		['silent, at the idle limit', silence, { requestTimeoutMs: 500 }, 'Request Timeout'],
		['alive, yet without progress, there too', noise, { requestTimeoutMs: 500 }, 'Request Timeout'],
		[
			'making progress, at the hard limit',
			progressOf,
			{ requestTimeoutMs: 700, maxDurationMs: 1_500 },
			'Maximum Duration',
		],
	])('%s is given up, and cancelled on the wire (C3, U33)', async (_, behaviour, limits, field) => {
		const started = await peer(onCall(behaviour));
		const session = await opened(started.url, {}, limits);
		const failure = failureOf(await session.callTool(work));
		expect(failure).toMatchObject({ code: 'timed-out', disposition: 'in-doubt' });
		expect(failure.message).toContain(field);
		const called = await started.sees(({ message }) => message.method === 'tools/call');
		const cancelled = await started.sees(
			({ message }) => message.method === 'notifications/cancelled',
		);
		expect(cancelled.message.params).toMatchObject({ requestId: called.message.id });
	});

	test('leaves the session to the next one', async () => {
		const started = await peer(
			onCall((request) => (request.message.params?.['name'] === 'work' ? well : silence())),
		);
		const session = await opened(started.url, {}, { requestTimeoutMs: 500 });
		expect(failureOf(await session.callTool({ ...work, name: 'slow' })).code).toBe('timed-out');
		expect((await session.callTool(work)).ok).toBe(true);
	});
});

describe('an answer of more than 32 MiB, where nothing else is said (C6)', () => {
	const textOf = (mb: number): string => 'x'.repeat(mb * 1024 * 1024);
	const bodyOf = ({ message }: PeerRequest, mb: number): string =>
		JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { text: textOf(mb) } });

	test('is in doubt, however small it was packed', async () => {
		for (const packed of [false, true]) {
			const { url } = await peer(
				onCall((request) => {
					const body = bodyOf(request, 33);
					const type = 'application/json';
					return packed
						? {
								kind: 'answer',
								status: 200,
								type,
								headers: { 'content-encoding': 'gzip' },
								body: gzipSync(body),
							}
						: { kind: 'answer', status: 200, type, body };
				}),
			);
			const failure = failureOf(await (await opened(url)).callTool(work));
			expect(failure).toMatchObject({ code: 'connection-lost', disposition: 'in-doubt' });
			expect(failure.message).toContain('larger than 32 MiB');
		}
	});

	test('has a smaller neighbour that comes whole', async () => {
		const { url } = await peer(
			onCall((request) => ({
				kind: 'answer',
				status: 200,
				type: 'application/json',
				body: bodyOf(request, 31),
			})),
		);
		const { text } = valueOf(await (await opened(url)).callTool(work));
		expect(text).toHaveLength(31 * 1024 * 1024);
	});
});

describe('a certificate (C6, U9)', () => {
	const [own, another] = [selfSigned(), selfSigned()];

	test('of another authority than the one in the field is refused', async () => {
		const { url, seen } = await peer(() => well, own);
		const failure = failureOf(
			await openSession({ env: {} })(http(url, { caCertificate: another.cert })),
		);
		expect(failure).toMatchObject({ code: 'unreachable', disposition: 'did-not-happen' });
		expect(seen).toEqual([]);
	});

	test('for another host is refused although its authority is trusted, unless issues are ignored', async () => {
		const { url, seen } = await peer(() => well, own);
		const elsewhere = url.replace('127.0.0.1', 'localhost');
		const failure = failureOf(
			await openSession({ env: {} })(http(elsewhere, { caCertificate: own.cert })),
		);
		expect(failure.message).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
		expect(seen).toEqual([]);
		const session = await opened(elsewhere, { ignoreSslIssues: true });
		expect((await session.callTool(work)).ok).toBe(true);
	});

	test('is trusted or not by each connection for itself', async () => {
		const { url } = await peer(() => well, own);
		await opened(url, { caCertificate: own.cert });
		await opened(url, { ignoreSslIssues: true });
		expect((await openSession({ env: {} })(http(url))).ok).toBe(false);
	});
});
