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
		const admits = tunnel(({ ['proxy-authorization']: given }) =>
			given === undefined ? 407 : 'tunnel',
		);
		const [proxy, far] = [await admits, await peer()];
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

	test.each([
		['user:', 'user:'],
		['a%40token', 'a@token:'],
		[':pa%3Ass', ':pa:ss'],
	])('gets %s of its URL, where user or password is empty', async (given, sent) => {
		const [proxy, far] = [await tunnel(), await peer()];
		const env = { HTTP_PROXY: proxy.url.replace('//', `//${given}@`) };
		valueOf(await opening(far.url, env));
		expect(proxy.asked[0]?.headers['proxy-authorization']).toBe(
			`Basic ${Buffer.from(sent).toString('base64')}`,
		);
	});

	test.each(['http', 'https'] as const)(
		'that wants a password for %s is named as the one that refuses, and its own is in no message (U8)',
		async (scheme) => {
			const [proxy, far] = [
				await tunnel(() => 407),
				await peer(...(scheme === 'https' ? [tls] : [])),
			];
			const env = { HTTP_PROXY: proxy.url.replace('//', '//some-user:secret-pass@') };
			const failure = failureOf(await opening(far.url, env));
			expect(failure).toMatchObject({
				code: 'http-refused',
				disposition: 'did-not-happen',
				stage: 'connect',
				message: `Connecting was refused: the proxy at ${local(proxy.port)} answered with HTTP 407, so the MCP server at ${local(far.port)} was not reached.`,
			});
			expect(failure.remedy).toContain('HTTP_PROXY');
			expect(JSON.stringify(failure)).not.toMatch(/some-user|secret-pass/);
			expect(far.seen).toEqual([]);
		},
	);

	test.each([
		[403, 'http-refused'],
		[502, 'unreachable'],
		['hang-up', 'unreachable'],
	] as const)(
		'that answers a tunnel with %s is named, is asked once, and is no way around',
		async (answer, code) => {
			const [proxy, far] = [await tunnel(() => answer), await peer()];
			const failure = failureOf(await opening(far.url, { HTTP_PROXY: proxy.url }));
			expect(failure).toMatchObject({ code, disposition: 'did-not-happen', stage: 'connect' });
			expect(failure.message).toContain(`the proxy at ${local(proxy.port)}`);
			expect(proxy.asked).toHaveLength(1);
			expect(far.seen).toEqual([]);
		},
	);

	test('that is down is named, and is no way around either', async () => {
		const [proxy, far] = [await startTunnel(), await peer()];
		await proxy.stop();
		expect(failureOf(await opening(far.url, { HTTP_PROXY: proxy.url }))).toMatchObject({
			code: 'unreachable',
			disposition: 'did-not-happen',
			message: `Connecting failed: no connection to the proxy at ${local(proxy.port)}, which leads to the MCP server at ${local(far.port)} (connection refused, ECONNREFUSED).`,
		});
		expect(far.seen).toEqual([]);
	});

	test('whose certificate is not accepted is named as the one to be trusted', async () => {
		const [proxy, far] = [await tunnel(() => 'tunnel', tls), await peer()];
		const env = { HTTP_PROXY: proxy.url };
		const failure = failureOf(await opening(far.url, env));
		expect(failure.message).toContain(
			`the TLS certificate of the proxy at ${local(proxy.port)} was not accepted`,
		);
		expect(failure.remedy).toContain('CA Certificate');
		valueOf(await opening(far.url, env, { caCertificate: tls.cert }));
		expect(targets(proxy)).toEqual([local(far.port)]);
	});

	test('that n8n was not told of, and that answers in place of the server, is told from it', async () => {
		const far = await started(startHttpPeer(() => ({ kind: 'answer', status: 407 })));
		const failure = failureOf(await opening(far.url, {}));
		expect(failure).toMatchObject({
			code: 'http-refused',
			message: `Connecting was refused: a proxy before the MCP server at ${local(far.port)} wants a user and a password (HTTP 407).`,
		});
	});

	test('that is no URL is a failure naming the variables', async () => {
		const failure = failureOf(await opening('http://127.0.0.1/mcp', { HTTP_PROXY: 'not a url' }));
		expect(failure.code).toBe('connection-invalid');
		expect(failure.remedy).toContain('HTTP_PROXY');
	});
});
