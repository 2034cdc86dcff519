import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';

import { afterEach, describe, expect, test } from 'vitest';

import { openSession } from '../../src/mcp/openSession';
import type { ServerSession } from '../../src/mcp/session';
import { failureOf, http, valueOf } from '../support/connections';
import {
	event,
	startHttpPeer,
	well,
	type Behaviour,
	type HttpPeer,
	type PeerRequest,
} from '../support/servers/httpPeer';

/** The many ways in which a server may put an answer, packed or in parts, and what it may say after it (C6). */

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

type Id = number | undefined;

/** A server that behaves well except for `tools/call`. */
async function peer(onCall: (id: Id, request: PeerRequest) => Behaviour): Promise<HttpPeer> {
	const started = await startHttpPeer((request) =>
		request.message.method === 'tools/call' ? onCall(request.message.id, request) : well,
	);
	ends.push(() => started.stop());
	return started;
}

async function opened(
	{ url }: HttpPeer,
	{ maxMb, limitMs = 20_000 }: { maxMb?: number; limitMs?: number } = {},
): Promise<ServerSession> {
	const env = maxMb === undefined ? {} : { SALVOR_MAX_RESPONSE_MB: String(maxMb) };
	const settings = http(url, {}, { requestTimeoutMs: limitMs });
	const session = valueOf(await openSession({ env })(settings));
	ends.unshift(() => session.close());
	return session;
}

const work = { name: 'work', arguments: {} };
/** Has characters of one to four bytes. */
const said = { content: [{ type: 'text', text: 'as ä ☃ 𝄞' }] };
const result = (id: unknown, value: unknown = said) => ({ jsonrpc: '2.0', id, result: value });
const error = (id: unknown) => ({
	jsonrpc: '2.0',
	...(id === undefined ? {} : { id }),
	error: { code: -32601, message: 'no' },
});
const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const stream = (
	text: string | readonly (string | Uint8Array)[],
	then: 'end' | 'cut' | 'stay' = 'end',
	headers: Record<string, string> = {},
): Behaviour => ({ kind: 'stream', text, then, headers });
const framed = (data: unknown): string => JSON.stringify(data);
const isCall = ({ message }: PeerRequest): boolean => message.method === 'tools/call';

describe('an answer on an event stream is the same answer', () => {
	const bytes = (id: Id): Buffer => Buffer.from(event(result(id)));
	test.each<[string, (id: Id) => string | readonly (string | Uint8Array)[]]>([
		['whole in the first part', (id) => event(result(id))],
		['with the name that events have by default', (id) => `event: message\n${event(result(id))}`],
		[
			'with CRLF line ends, without the blanks',
			(id) => `event:message\r\ndata:${framed(result(id))}\r\n\r\n`,
		],
		['with CR line ends', (id) => `data: ${framed(result(id))}\r\r: end\r\r`],
		['after a byte order mark', (id) => `\uFEFF${event(result(id))}`],
		['after a comment', (id) => `: ping\n\n${event(result(id))}`],
		['after a retry time', (id) => `retry: 5000\n${event(result(id))}`],
		['with an event id', (id) => event(result(id), 'e1')],
		['on two data lines', (id) => event(result(id)).replace(',', ',\ndata: ')],
		['for the id as text', (id) => event(result(String(id)))],
		['byte by byte', (id) => Array.from(bytes(id), (byte) => Uint8Array.of(byte))],
		['after an event without data', (id) => ['id: e0\ndata:\n\n', event(result(id), 'e1')]],
		['after a notification, in one part', (id) => event(changed) + event(result(id))],
		['after a notification, in another part', (id) => [event(changed), event(result(id))]],
		['after the answer to nobody', (id) => [event(result(999, {})), event(result(id))]],
		['in a batch', (id) => event([changed, result(id)])],
		['in a batch that comes second', (id) => [': ping\n\n', event([changed, result(id)])]],
	])('%s', async (_, text) => {
		for (const then of ['end', 'stay'] as const) {
			const session = await opened(await peer((id) => stream(text(id), then)));
			expect(valueOf(await session.callTool(work))).toEqual(said);
		}
	});

	test('under the name of another event counts as landed, although nobody reads it', async () => {
		const other = (id: Id): Behaviour => stream(`event: other\n${event(result(id))}`, 'stay');
		const session = await opened(await peer(other), { limitMs: 500 });
		expect(failureOf(await session.callTool(work)).disposition).toBe('landed');
	});

	test.each<[string, unknown]>([
		['without an id', undefined],
		['with null for an id', null],
	])(
		'an error %s is for this call, at once',
		async (_, id) => {
			for (const behaviour of [
				{ kind: 'answer', status: 200, type: 'application/json', body: framed(error(id)) } as const,
				stream(event(error(id)), 'stay'),
				stream([': ping\n\n', event(error(id))], 'stay'),
			]) {
				const session = await opened(await peer(() => behaviour));
				expect(failureOf(await session.callTool(work)).code).toBe('rpc-refused');
			}
		},
		10_000,
	);
});

describe('what else a server says on the stream of an answer', () => {
	test.each<[string, (answer: string, notice: string) => string | readonly string[]]>([
		['after the answer', (answer, notice) => [answer, notice]],
		['after it in the same part', (answer, notice) => answer + notice],
		['before it in the same part', (answer, notice) => notice + answer],
		['after it in a batch', (answer) => [answer, event([changed])]],
	])('is heard where it is a notification, %s', async (_, text) => {
		const session = await opened(
			await peer((id) => stream(text(event(result(id)), event(changed)), 'stay')),
		);
		expect(valueOf(await session.callTool(work))).toEqual(said);
		await expect.poll(() => session.listVersion()).toBe(1);
	});

	test('is answered where it is a request', async () => {
		const ping = event({ jsonrpc: '2.0', id: 77, method: 'ping' });
		const started = await peer((id) => stream([event(result(id)), ping], 'stay'));
		const session = await opened(started);
		await session.callTool(work);
		await started.sees(({ message }) => message.id === 77 && 'result' in message);
	});

	test('is no second answer: the first counts', async () => {
		for (const second of [(id: Id) => result(id, { content: [] }), error]) {
			const session = await opened(
				await peer((id) => stream([event(result(id)), event(second(id))], 'stay')),
			);
			expect(valueOf(await session.callTool(work))).toEqual(said);
		}
	});

	test('may be the answer to another call', async () => {
		let first: Id;
		const started = await peer((id) => {
			if (first !== undefined) return stream([event(result(id)), event(result(first))], 'stay');
			first = id;
			return { kind: 'hang' };
		});
		const session = await opened(started);
		const waiting = session.callTool(work);
		await started.sees(isCall);
		expect(valueOf(await session.callTool(work))).toEqual(said);
		expect(valueOf(await waiting)).toEqual(said);
	});

	test.each<[string, readonly string[]]>([
		['what is no frame', [event('{"jsonrpc'), event('"text"'), event({ jsonrpc: '2.0' })]],
		['half an event', ['data: {"jsonrpc']],
	])('may be %s, and nothing comes of it', async (_, late) => {
		for (const then of ['end', 'cut', 'stay'] as const) {
			const session = await opened(await peer((id) => stream([event(result(id)), ...late], then)));
			for (let calls = 0; calls < 3; calls += 1) {
				expect(valueOf(await session.callTool(work))).toEqual(said);
			}
		}
	});

	test('ends with the session', async () => {
		const started = await peer((id) => stream(event(result(id)), 'stay'));
		const session = await opened(started);
		await session.callTool(work);
		const { over } = await started.sees(isCall);
		await session.close();
		await over;
	});

	test.each<[string, (id: Id) => readonly string[]]>([
		['came first', (id) => [event(result(id))]],
		['came second', (id) => [': ping\n\n', event(result(id))]],
	])('is not waited for without end, where the answer %s', async (_, text) => {
		const started = await peer((id) => stream(text(id), 'stay'));
		const session = await opened(started);
		await session.callTool(work);
		await (
			await started.sees(isCall)
		).over;
		expect(session.isOpen()).toBe(true);
		expect(valueOf(await session.callTool(work))).toEqual(said);
	});
});

describe('an answer that is packed', () => {
	const json = (id: Id): string => framed(result(id));
	const packed = (coding: string, body: (id: Id) => Uint8Array) =>
		peer((id) => ({
			kind: 'answer',
			status: 200,
			type: 'application/json',
			headers: { 'content-encoding': coding },
			body: body(id),
		}));

	test.each<[string, (id: Id) => Uint8Array]>([
		['gzip', (id) => gzipSync(json(id))],
		['X-GZIP', (id) => gzipSync(json(id))],
		['br', (id) => brotliCompressSync(json(id))],
		['identity', (id) => Buffer.from(json(id))],
		['gzip', (id) => gzipSync(json(id), { finishFlush: constants.Z_SYNC_FLUSH })],
		['br', (id) => brotliCompressSync(json(id), { finishFlush: constants.BROTLI_OPERATION_FLUSH })],
		['gzip, br', (id) => brotliCompressSync(gzipSync(json(id)))],
		['gzip, identity, gzip', (id) => gzipSync(gzipSync(json(id)))],
	])('with %s is unpacked, properly ended or not', async (coding, body) => {
		const session = await opened(await packed(coding, body));
		expect(valueOf(await session.callTool(work))).toEqual(said);
	});

	test('as an event at a time is read before the stream ends', async () => {
		const flushed = { finishFlush: constants.Z_SYNC_FLUSH };
		const session = await opened(
			await peer((id) =>
				stream([gzipSync(event(result(id)), flushed)], 'stay', { 'content-encoding': 'gzip' }),
			),
		);
		expect(valueOf(await session.callTool(work))).toEqual(said);
	});

	test('says what went wrong, where it is an HTTP error', async () => {
		const session = await opened(
			await peer(() => ({
				kind: 'answer',
				status: 400,
				type: 'text/plain',
				headers: { 'content-encoding': 'gzip' },
				body: gzipSync('no such thing'),
			})),
		);
		expect(failureOf(await session.callTool(work)).evidence?.body).toBe('no such thing');
	});

	test.each<[string, string, (id: Id) => Uint8Array]>([
		['in a coding that nobody asked for', 'zstd', (id) => deflateSync(json(id))],
		['too often', 'gzip, gzip, gzip, gzip, gzip, gzip', (id) => gzipSync(json(id))],
		['not as it says', 'gzip', (id) => Buffer.from(json(id))],
		['and cut off', 'gzip', (id) => gzipSync(json(id)).subarray(0, 20)],
		['into nothing', 'gzip', () => new Uint8Array()],
	])('%s is in doubt', async (_, coding, body) => {
		const session = await opened(await packed(coding, body));
		expect(failureOf(await session.callTool(work)).disposition).toBe('in-doubt');
		expect(session.isOpen()).toBe(true);
	});
});

describe('the cap holds (C6)', () => {
	const mb = (count: number): string => ' '.repeat(count * 1024 * 1024);
	const gzip = { 'content-encoding': 'gzip' };

	test.each<[string, (id: Id) => Behaviour]>([
		[
			'for an event that is packed a thousandfold',
			(id) => stream([gzipSync(`data: ${framed(result(id))}${mb(64)}\n\n`)], 'stay', gzip),
		],
		['for comments without end', () => stream([gzipSync(`: ${mb(64)}`)], 'stay', gzip)],
		[
			'for JSON that is packed twice',
			(id) => ({
				kind: 'answer',
				status: 200,
				type: 'application/json',
				headers: { 'content-encoding': 'gzip, gzip' },
				body: gzipSync(gzipSync(framed(result(id)) + mb(64))),
			}),
		],
	])('%s', async (_, behaviour) => {
		const started = await peer(behaviour);
		const session = await opened(started, { maxMb: 1 });
		const failure = failureOf(await session.callTool(work));
		expect(failure).toMatchObject({ code: 'connection-lost', disposition: 'in-doubt' });
		expect(failure.message).toContain('larger than 1 MiB');
		await (
			await started.sees(isCall)
		).over;
	});

	test('for what comes after the answer', async () => {
		const started = await peer((id) => ({ kind: 'flood', text: event(result(id)) }));
		const session = await opened(started, { maxMb: 1 });
		expect(valueOf(await session.callTool(work))).toEqual(said);
		const { over, written } = await started.sees(isCall);
		await over;
		expect(written()).toBeLessThan(32 * 1024 * 1024);
	});

	test('for what comes after the answer, packed', async () => {
		const flush = { finishFlush: constants.Z_SYNC_FLUSH };
		const started = await peer((id) => {
			const texts = [event(result(id)), `data: ${mb(64)}`];
			const parts = texts.map((text) => gzipSync(text, flush));
			return stream(parts, 'stay', gzip);
		});
		const session = await opened(started, { maxMb: 1 });
		expect(valueOf(await session.callTool(work))).toEqual(said);
		await (
			await started.sees(isCall)
		).over;
	});

	test('for the stream beside the calls', async () => {
		const isGet = ({ httpMethod }: PeerRequest): boolean => httpMethod === 'GET';
		const started = await startHttpPeer((request) =>
			isGet(request) ? { kind: 'flood', text: '' } : well,
		);
		ends.push(() => started.stop());
		const session = await opened(started, { maxMb: 1 });
		await (
			await started.sees(isGet)
		).over;
		expect((await session.callTool(work)).ok).toBe(true);
	});

	test.each([200, 202, 307, 500])('for the answer to a notification: HTTP %i', async (status) => {
		const cancels = ({ message }: PeerRequest): boolean =>
			message.method === 'notifications/cancelled';
		const started = await startHttpPeer((request) => {
			if (cancels(request)) return { kind: 'answer', status, body: mb(64) };
			return isCall(request) ? { kind: 'hang' } : well;
		});
		ends.push(() => started.stop());
		const session = await opened(started);
		const cancel = new AbortController();
		const pending = session.callTool(work, cancel.signal);
		await started.sees(isCall);
		cancel.abort();
		expect(failureOf(await pending).code).toBe('cancelled');
		await (
			await started.sees(cancels)
		).over;
		expect(session.isOpen()).toBe(true);
	});
});

describe('an answer with an odd head', () => {
	const raw = (head: string, id: Id): Behaviour => {
		const body = framed(result(id));
		const length = String(Buffer.byteLength(body));
		const lines = `${head}\r\ncontent-type: application/json\r\ncontent-length: ${length}`;
		return { kind: 'raw', text: `${lines}\r\n\r\n${body}`, then: 'stay' };
	};

	test.each([
		['one that announces it', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK'],
		['no words for its status', 'HTTP/1.1 200 '],
		['letters beyond ASCII', 'HTTP/1.1 200 Schön\r\nx-name: Zoë ☃'],
		['a header twice', 'HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nset-cookie: b=2\r\nx-a: 1\r\nx-a: 2'],
		['names from the language', 'HTTP/1.1 200 OK\r\n__proto__: 1\r\nconstructor: 2'],
		['another 2xx', 'HTTP/1.1 203 Non-Authoritative'],
	])('%s is read', async (_, head) => {
		const session = await opened(await peer((id) => raw(head, id)));
		expect(valueOf(await session.callTool(work))).toEqual(said);
	});

	test.each([204, 205, 304, 600, 999])('HTTP %i with nothing, or with events', async (status) => {
		for (const type of [undefined, 'text/event-stream', 'application/json']) {
			const session = await opened(
				await peer(() => ({ kind: 'answer', status, ...(type === undefined ? {} : { type }) })),
			);
			expect(failureOf(await session.callTool(work))).toMatchObject({
				disposition: status === 304 ? 'did-not-happen' : 'in-doubt',
			});
		}
	});
});

describe('sockets', () => {
	test.each<[string, (id: Id) => Behaviour]>([
		['JSON', () => well],
		['an event', (id) => stream(event(result(id)))],
		['an event after a comment', (id) => stream([': ping\n\n', event(result(id))])],
		['JSON that is packed', (id) => packedAnswer(id)],
	])('are used again after %s: 300 calls need no more than 3', async (_, behaviour) => {
		const started = await peer(behaviour);
		const session = await opened(started);
		for (let calls = 0; calls < 300; calls += 1) valueOf(await session.callTool(work));
		expect(started.connections()).toBeLessThanOrEqual(3);
	});

	const packedAnswer = (id: Id): Behaviour => ({
		kind: 'answer',
		status: 200,
		type: 'application/json',
		headers: { 'content-encoding': 'gzip' },
		body: gzipSync(framed(result(id))),
	});
});
