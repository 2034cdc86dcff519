import { afterEach, describe, expect, test } from 'vitest';

import type { HttpSettings } from '../../src/call/connectionSettings';
import type { McpSession } from '../../src/call/session';
import { openSession } from '../../src/mcp/openSession';
import type { Result } from '../../src/outcome/failure';
import { selfSigned } from '../support/certificate';
import { failureOf, http, valueOf } from '../support/connections';
import { startHttpPeer, well, type HttpPeer } from '../support/servers/httpPeer';
import { startTunnel, type Tunnel } from '../support/servers/tunnel';

/** The proxy variables of n8n's environment (C6, U8). */

const tls = selfSigned();
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

async function started<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
	const server = await starting;
	ends.push(() => server.stop());
	return server;
}

const peer = (...given: [typeof tls] | []): Promise<HttpPeer> =>
	started(startHttpPeer(() => well, ...given));
const tunnel = (...given: Parameters<typeof startTunnel>): Promise<Tunnel> =>
	started(startTunnel(...given));

async function opening(
	url: string,
	env: NodeJS.ProcessEnv,
	settings: Partial<HttpSettings> = {},
): Promise<Result<McpSession>> {
	const opened = await openSession({ env })(http(url, settings, { requestTimeoutMs: 10_000 }));
	if (opened.ok) ends.unshift(() => opened.value.close());
	return opened;
}

const targets = ({ asked }: Tunnel): readonly string[] => [
	...new Set(asked.map(({ target }) => target)),
];
const work = { name: 'work', arguments: {} };
const local = (port: number): string => `127.0.0.1:${String(port)}`;

describe('a proxy', () => {
	test.each(['HTTP_PROXY', 'http_proxy'])(
		'in %s carries http, and there is no way past it',
		async (name) => {
			const [proxy, far] = [await tunnel(), await peer()];
			const session = valueOf(await opening(far.url, { [name]: proxy.url }));
			expect((await session.callTool(work)).ok).toBe(true);
			expect(targets(proxy)).toEqual([local(far.port)]);
			await proxy.stop();
			expect((await session.callTool(work)).ok).toBe(false);
			await session.close();
			// Nothing found its way past the proxy.
			expect(far.seen.map(({ httpMethod }) => httpMethod)).not.toContain('DELETE');
			expect(far.seen.filter(({ message }) => message.method === 'tools/call')).toHaveLength(1);
		},
	);

	test.each(['HTTPS_PROXY', 'https_proxy'])(
		'in %s carries https, whose certificate is checked as ever',
		async (name) => {
			const [proxy, far] = [await tunnel(), await peer(tls)];
			const env = { [name]: proxy.url };
			expect(failureOf(await opening(far.url, env)).remedy).toContain('CA Certificate');
			expect(far.seen).toEqual([]);
			for (const settings of [{ caCertificate: tls.cert }, { ignoreSslIssues: true }]) {
				const session = valueOf(await opening(far.url, env, settings));
				expect((await session.callTool(work)).ok).toBe(true);
			}
			expect(targets(proxy)).toEqual([local(far.port)]);
		},
	);

	test('in HTTP_PROXY carries https, too, where HTTPS_PROXY says nothing', async () => {
		const [proxy, far] = [await tunnel(), await peer(tls)];
		const env = { HTTP_PROXY: proxy.url };
		valueOf(await opening(far.url, env, { caCertificate: tls.cert }));
		expect(targets(proxy)).toEqual([local(far.port)]);
	});

	test('in HTTPS_PROXY is not for http', async () => {
		const [proxy, far] = [await tunnel(), await peer()];
		valueOf(await opening(far.url, { HTTPS_PROXY: proxy.url }));
		expect(proxy.asked).toEqual([]);
	});

	test.each(['127.0.0.1', 'example.org, 127.0.0.1', 'example.org 127.0.0.1', '*', 'with the port'])(
		'is passed by for a host in NO_PROXY: %s',
		async (given) => {
			const [proxy, far] = [await tunnel(), await peer()];
			const NO_PROXY = given === 'with the port' ? local(far.port) : given;
			valueOf(await opening(far.url, { HTTP_PROXY: proxy.url, NO_PROXY }));
			expect(proxy.asked).toEqual([]);
		},
	);

	test.each(['example.org', '127.0.0.1:1', '7.0.0.1', ''])(
		'is used where NO_PROXY names another host: "%s"',
		async (NO_PROXY) => {
			const [proxy, far] = [await tunnel(), await peer()];
			valueOf(await opening(far.url, { HTTP_PROXY: proxy.url, NO_PROXY }));
			expect(targets(proxy)).toEqual([local(far.port)]);
		},
	);

	test('gets its own user and password, and neither the token nor the other headers; the server the reverse', async () => {
		const admits = startTunnel(({ ['proxy-authorization']: given }) => given !== undefined);
		const [proxy, far] = [await started(admits), await peer()];
		const env = { HTTP_PROXY: proxy.url.replace('//', '//user:pa%20ss@') };
		valueOf(await opening(far.url, env, { bearerToken: 'secret-token' }));
		const headers = proxy.asked[0]?.headers;
		expect(headers?.['proxy-authorization']).toBe(
			`Basic ${Buffer.from('user:pa ss').toString('base64')}`,
		);
		expect(headers).not.toHaveProperty('authorization');
		expect(far.seen[0]?.headers.authorization).toBe('Bearer secret-token');
		expect(far.seen.flatMap((request) => Object.keys(request.headers))).not.toContain(
			'proxy-authorization',
		);
	});

	test('that refuses is no way around: nothing is sent, and its password is in no message', async () => {
		const [proxy, far] = [await tunnel(() => false), await peer()];
		const env = { HTTP_PROXY: proxy.url.replace('//', '//user:secret-pass@') };
		const failure = failureOf(await opening(far.url, env));
		expect(failure).toMatchObject({ code: 'unreachable', disposition: 'did-not-happen' });
		expect(JSON.stringify(failure)).not.toContain('secret-pass');
		expect(far.seen).toEqual([]);
	});

	test('that is down is no way around either', async () => {
		const [proxy, far] = [await startTunnel(), await peer()];
		await proxy.stop();
		expect(failureOf(await opening(far.url, { HTTP_PROXY: proxy.url }))).toMatchObject({
			code: 'unreachable',
			disposition: 'did-not-happen',
		});
		expect(far.seen).toEqual([]);
	});

	test('that is no URL is a failure naming the variables', async () => {
		const failure = failureOf(await opening('http://127.0.0.1:9/mcp', { HTTP_PROXY: 'not a url' }));
		expect(failure.code).toBe('connection-invalid');
		expect(failure.remedy).toContain('HTTP_PROXY');
	});
});
