import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { constants, createGzip, gzipSync } from 'node:zlib';

import { afterEach, describe, expect, test } from 'vitest';

import { createDispatcher } from '../../src/mcp/httpDispatcher';
import { sendHttp, type HttpRequest } from '../../src/mcp/httpRequest';
import { selfSigned } from '../support/certificate';
import { startBrittleRoad } from '../support/servers/brittleRoad';
import { startHttpPeer, well, type Behaviour, type HttpPeer } from '../support/servers/httpPeer';

/** One request below the SDK: whatever happens, it settles once, is written once or not at all, and leaves nothing behind. */

const ends: (() => unknown)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

function newDispatcher(): ReturnType<typeof createDispatcher> {
	const dispatcher = createDispatcher(
		{ kind: 'streamableHttp', endpoint: '', headers: [], ignoreSslIssues: true },
		{ env: {} },
	);
	ends.unshift(() => dispatcher.destroy());
	return dispatcher;
}

async function peer(behaviour: Behaviour): Promise<HttpPeer> {
	const started = await startHttpPeer(() => behaviour);
	ends.push(() => started.stop());
	return started;
}

/** The address of a server whose TLS handshake never comes to an end. */
async function silentTls(): Promise<string> {
	const far = await startHttpPeer(() => well, selfSigned());
	const road = await startBrittleRoad(far.port);
	road.become('silent');
	ends.push(
		() => road.stop(),
		() => far.stop(),
	);
	return far.url.replace(String(far.port), String(road.port));
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
	url,
	method: 'GET',
	headers: {},
	signals: [],
	...more,
});
const post = (url: string, more: Partial<HttpRequest> = {}): HttpRequest =>
	get(url, { method: 'POST', body: '{}', ...more });

const halfStream = { kind: 'stream', text: 'data: 1\n\n', then: 'stay' } as const;
const packedPart = gzipSync(halfStream.text, { finishFlush: constants.Z_SYNC_FLUSH });
const halfStreams: readonly [string, Behaviour][] = [
	['', halfStream],
	[', packed,', { ...halfStream, text: [packedPart], headers: { 'content-encoding': 'gzip' } }],
];
const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;
const reason = new Error('as asked');

describe('a signal ends a request at once', () => {
	test('before it is sent: nothing is', async () => {
		const started = await peer(well);
		const signals = [new AbortController().signal, AbortSignal.abort(reason)];
		await expect(sendHttp(newDispatcher(), post(started.url, { signals }))).rejects.toBe(reason);
		expect(started.connections()).toBe(0);
		expect(signals.map(listenersOf)).toEqual([0, 0]);
	});

	test('while the connection is made: it does not count as sent', async () => {
		let sent = 0;
		const onStart = (): void => {
			sent += 1;
		};
		const [giveUp, other] = [new AbortController(), new AbortController()];
		const signals = [other.signal, giveUp.signal];
		const request = post(await silentTls(), { signals, onStart });
		const pending = sendHttp(newDispatcher(), request);
		giveUp.abort(reason);
		await expect(pending).rejects.toBe(reason);
		expect(sent).toBe(0);
		expect(signals.map(listenersOf)).toEqual([0, 0]);
	});

	test('while the answer is awaited: it counts as sent, and the server sees the end', async () => {
		let sent = 0;
		const onStart = (): void => {
			sent += 1;
		};
		const giveUp = new AbortController();
		const started = await peer({ kind: 'hang' });
		const request = post(started.url, { signals: [giveUp.signal], onStart });
		const pending = sendHttp(newDispatcher(), request);
		const { over } = await started.sees(() => true);
		giveUp.abort('no error');
		await expect(pending).rejects.toBeInstanceOf(Error);
		await over;
		expect(sent).toBe(1);
		expect(listenersOf(giveUp.signal)).toBe(0);
	});

	test.each(halfStreams)(
		'while its body%s is read: whoever reads is told',
		async (_, behaviour) => {
			const giveUp = new AbortController();
			const started = await peer(behaviour);
			const reply = await sendHttp(
				newDispatcher(),
				post(started.url, { signals: [giveUp.signal] }),
			);
			expect(Buffer.from((await reply.body.read()) ?? []).toString()).toBe(halfStream.text);
			const reading = reply.body.read();
			giveUp.abort(reason);
			await expect(reading).rejects.toBe(reason);
			await (
				await started.sees(() => true)
			).over;
			expect(listenersOf(giveUp.signal)).toBe(0);
		},
	);
});

test.each(halfStreams)('a body%s that nobody wants ends its request', async (_, behaviour) => {
	for (const how of ['unread', 'half read', 'under a reader'] as const) {
		const { signal } = new AbortController();
		const started = await peer(behaviour);
		const { body } = await sendHttp(newDispatcher(), post(started.url, { signals: [signal] }));
		if (how !== 'unread') await body.read();
		const reading = how === 'under a reader' ? body.read() : Promise.reject(reason);
		body.cancel();
		await expect(reading).rejects.toThrow();
		await (
			await started.sees(() => true)
		).over;
		expect(listenersOf(signal)).toBe(0);
	}
});

describe('a dispatcher that is destroyed rejects a request', () => {
	test('that comes afterwards', async () => {
		const started = await peer(well);
		const dispatcher = newDispatcher();
		await dispatcher.destroy();
		await expect(sendHttp(dispatcher, post(started.url))).rejects.toThrow();
		expect(started.connections()).toBe(0);
	});

	test('that waits for a connection', async () => {
		const dispatcher = newDispatcher();
		const { signal } = new AbortController();
		const pending = sendHttp(dispatcher, post(await silentTls(), { signals: [signal] }));
		void dispatcher.destroy();
		await expect(pending).rejects.toThrow();
		expect(listenersOf(signal)).toBe(0);
	});

	test('that waits for its answer, or the rest of it', async () => {
		const dispatcher = newDispatcher();
		const [hanging, half] = [await peer({ kind: 'hang' }), await peer(halfStream)];
		const pending = sendHttp(dispatcher, post(hanging.url));
		const { body } = await sendHttp(dispatcher, post(half.url));
		await body.read();
		await hanging.sees(() => true);
		void dispatcher.destroy();
		await expect(pending).rejects.toThrow();
		await expect(body.read()).rejects.toThrow();
	});
});

describe('a request that cannot be made is rejected, and the next one goes through', () => {
	test.each<[string, Behaviour]>([
		['is asked to change the protocol', raw('101 Switching Protocols\r\nupgrade: x')],
		['is told to continue, which it did not ask', raw('100 Continue')],
		['gets a header that is no header', raw('200 OK\r\nno header')],
		['gets more header than anyone needs', raw(`200 OK\r\nx: ${'x'.repeat(100_000)}`)],
	])('as it %s', async (_, behaviour) => {
		const dispatcher = newDispatcher();
		const { signal } = new AbortController();
		const { url } = await peer(behaviour);
		await expect(sendHttp(dispatcher, post(url, { signals: [signal] }))).rejects.toThrow();
		expect(listenersOf(signal)).toBe(0);
		expect((await sendHttp(dispatcher, post((await peer(well)).url))).status).toBe(202);
	});

	test('as it has a header that is not for requests', async () => {
		const started = await peer(well);
		const headers = { expect: '100-continue' };
		await expect(sendHttp(newDispatcher(), post(started.url, { headers }))).rejects.toThrow();
		expect(started.seen).toEqual([]);
	});
});

describe('signals that outlive many requests', () => {
	test('keep no listener of any of them, and warn of none', async () => {
		const warnings: Error[] = [];
		const onWarning = (warning: Error) => warnings.push(warning);
		process.on('warning', onWarning);
		ends.push(() => process.off('warning', onWarning));
		const dispatcher = newDispatcher();
		const { signal } = new AbortController();
		const urls: string[] = [];
		for (const behaviour of [
			well,
			halfStream,
			{ kind: 'answer', status: 404, body: 'x' },
			{ kind: 'reset' },
			{ kind: 'stream', text: 'data: 1\n\n', then: 'cut' },
			{ kind: 'answer', status: 200, headers: { 'content-encoding': 'gzip' }, body: 'no gzip' },
		] satisfies Behaviour[]) {
			urls.push((await peer(behaviour)).url);
		}
		const one = async (url: string): Promise<void> => {
			const { body } = await sendHttp(dispatcher, post(url, { signals: [signal] }));
			await body.read().catch(() => undefined);
			body.cancel();
		};
		for (let round = 0; round < 10; round += 1) {
			const together = Array.from({ length: 96 }, (_, n) => one(urls[n % urls.length] ?? ''));
			await Promise.allSettled(together);
		}
		await expect.poll(() => listenersOf(signal)).toBe(0);
		expect(warnings).toEqual([]);
	});
});

describe('a reader that takes its time holds the server back', () => {
	const size = 64 * 1024 * 1024;

	test.each(['identity', 'gzip'])('with an answer in %s', async (coding) => {
		let written = 0;
		const pour = async (to: Writable): Promise<void> => {
			const chunk = Buffer.alloc(64 * 1024, 'x');
			while (written < size) {
				written += chunk.length;
				if (!to.write(chunk)) await once(to, 'drain');
			}
			to.end();
		};
		const server = createServer((_, response) => {
			response.writeHead(200, { 'content-encoding': coding });
			if (coding === 'identity') return void pour(response);
			const gzip = createGzip({ level: 0 });
			gzip.pipe(response);
			void pour(gzip);
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		ends.push(() => {
			server.closeAllConnections();
			server.close();
		});
		const { port } = server.address() as AddressInfo;
		const { body } = await sendHttp(newDispatcher(), get(`http://127.0.0.1:${String(port)}/`));
		let [read, furthest] = [0, 0];
		for (let part = await body.read(); part !== undefined; part = await body.read()) {
			read += part.length;
			// The server has its turns, too, many for each part.
			for (let turns = 0; turns < 4; turns += 1) await new Promise(setImmediate);
			furthest = Math.max(furthest, written - read);
		}
		expect(read).toBe(size);
		expect(furthest).toBeLessThan(size / 4);
	});
});

function raw(head: string): Behaviour {
	return { kind: 'raw', text: `HTTP/1.1 ${head}\r\n\r\n`, then: 'stay' };
}
