import { lookup } from 'node:dns';

import type { ConnectionSettings } from '../../../../src/call/connectionSettings';
import type { EgressFilter } from '../../../../src/mcp/egressFilter';
import { openSession } from '../../../../src/mcp/openSession';
import { failureTitle } from '../../../../src/n8n/failureText';
import { selfSigned } from '../../../support/certificate';
import { failureOf, http, valueOf } from '../../../support/connections';
import {
	type Behaviour,
	type HttpPeer,
	type PeerRequest,
	startHttpPeer,
	well,
} from '../../../support/servers/httpPeer';
import { startTunnel, type Tunnel } from '../../../support/servers/tunnel';
import type { Situations } from './situations';

type Limits = Partial<Pick<ConnectionSettings, 'requestTimeoutMs' | 'maxDurationMs'>>;

const soon: Limits = { requestTimeoutMs: 500 };

async function connecting(
	url: string,
	{ env = {}, filter, limits = {} }: Opening = {},
): Promise<string> {
	const opened = await openSession({ env })(http(url, {}, limits), undefined, filter);
	return failureTitle(failureOf(opened));
}

interface Opening {
	readonly env?: NodeJS.ProcessEnv;
	readonly filter?: EgressFilter;
	readonly limits?: Limits;
}

async function during<S extends HttpPeer | Tunnel>(
	starting: Promise<S>,
	work: (started: S) => Promise<string>,
): Promise<string> {
	const started = await starting;
	try {
		return await work(started);
	} finally {
		await started.stop();
	}
}

/** Connects to a peer that treats every request alike. */
const answering = (behaviour: Behaviour, opening?: Opening): Promise<string> =>
	during(
		startHttpPeer(() => behaviour),
		({ url }) => connecting(url, opening),
	);

type Method = 'tools/list' | 'tools/call';

/** Opens a session at a peer that behaves well but for one method, and asks for that. */
const asking = (
	method: Method,
	behaviour: Behaviour | ((request: PeerRequest) => Behaviour),
	{ env = {}, limits = {} }: Opening = {},
): Promise<string> =>
	during(
		startHttpPeer((request) => {
			if (request.message.method !== method) return well;
			return typeof behaviour === 'function' ? behaviour(request) : behaviour;
		}),
		async ({ url }) => {
			const session = valueOf(await openSession({ env })(http(url, {}, limits)));
			const answer =
				method === 'tools/list'
					? await session.listTools()
					: await session.callTool({ name: 'work', arguments: {} });
			await session.close();
			return failureTitle(failureOf(answer));
		},
	);

const status = (code: number, headers: Record<string, string> = {}): Behaviour => ({
	kind: 'answer',
	status: code,
	type: 'text/plain',
	body: 'as asked',
	headers,
});

const page: Behaviour = { kind: 'answer', status: 200, type: 'text/html', body: '<html>Log in' };

const hang: Behaviour = { kind: 'hang' };

const rpcError = (code: number): Behaviour => ({
	kind: 'answer',
	status: 200,
	type: 'application/json',
	body: JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code, message: 'as asked' } }),
});

const filterOf = (validateUrl: EgressFilter['validateUrl']): EgressFilter => ({
	validateUrl,
	createSecureLookup: () => lookup,
});

/** An address that nobody listens at any more. */
async function nobody(): Promise<string> {
	const peer = await startHttpPeer(() => well);
	await peer.stop();
	return peer.url;
}

const ANYWHERE = 'http://127.0.0.1/mcp';

export const servers: Situations = {
	'nobody listens': async () => connecting(await nobody()),
	'a port that fetch would block': () => connecting('http://127.0.0.1:1/mcp'),
	'a host that nobody knows': () => connecting('http://salvor.invalid/mcp'),
	'http to a port for https': () =>
		during(
			startHttpPeer(() => well, selfSigned()),
			({ url }) => connecting(url.replace('https:', 'http:')),
		),
	'https to a port for http': () =>
		during(
			startHttpPeer(() => well),
			({ url }) => connecting(url.replace('http:', 'https:')),
		),
	'a certificate that signs itself': () =>
		during(
			startHttpPeer(() => well, selfSigned()),
			({ url }) => connecting(url),
		),
	'a proxy that refuses': () =>
		during(
			startTunnel(() => 407),
			({ url }) => connecting(ANYWHERE, { env: { HTTP_PROXY: url } }),
		),
	'a proxy that is not trusted': () =>
		during(
			startTunnel(() => 'tunnel', selfSigned()),
			({ url }) => connecting(ANYWHERE, { env: { HTTP_PROXY: url } }),
		),
	'a proxy that answers in place of the server': () => answering(status(407)),
	'a proxy that is down': async () =>
		connecting(ANYWHERE, { env: { HTTP_PROXY: new URL(await nobody()).origin } }),
	'a proxy that is no URL': () => connecting(ANYWHERE, { env: { HTTPS_PROXY: 'not a url' } }),
	'a login page': () => answering(page),
	'a gateway without its server': () => answering(status(502)),
	'a protocol version of its own': () =>
		answering({
			kind: 'result',
			result: { protocolVersion: '1', capabilities: {}, serverInfo: { name: 'a', version: '1' } },
		}),
	'newer protocol versions only': () => answering(rpcError(-32022)),
	'an error frame for initialize': () => answering(rpcError(-32603)),
	'an address that the egress filter blocks': () =>
		connecting(ANYWHERE, {
			filter: filterOf(() => Promise.resolve({ ok: false, error: new Error('restricted') })),
		}),
	'a host that the egress filter cannot look up': () =>
		connecting(ANYWHERE, { filter: filterOf(() => Promise.reject(new Error('not found'))) }),
	'HTTP 401': () => answering(status(401)),
	'HTTP 403': () => answering(status(403)),
	'HTTP 400': () => answering(status(400)),
	'HTTP 404': () => answering(status(404)),
	'HTTP 405': () => answering(status(405)),
	'HTTP 401 for a call': () => asking('tools/call', status(401)),
	'a redirect to another origin': () =>
		answering(status(308, { location: 'https://www.example.com/mcp' })),
	'a forgotten session': () => asking('tools/call', status(404)),
	'too many calls': () => asking('tools/call', status(429)),
	'silence at the beginning': () => answering(hang, { limits: soon }),
	'silence at the list': () => asking('tools/list', hang, { limits: soon }),
	'silence at a call': () => asking('tools/call', hang, { limits: soon }),
	'a call without end': () => asking('tools/call', hang, { limits: { maxDurationMs: 500 } }),
	'too large an answer': () =>
		asking(
			'tools/call',
			{ kind: 'result', result: { content: [], more: 'x'.repeat(1024 * 1024) } },
			{ env: { SALVOR_MAX_RESPONSE_MB: '1' } },
		),
	'HTTP 504 for a call': () => asking('tools/call', status(504)),
	'a connection that is cut in a call': () => asking('tools/call', { kind: 'reset' }),
	'no number for the size of answers': () =>
		connecting(ANYWHERE, { env: { SALVOR_MAX_RESPONSE_MB: '1 GB' } }),
	'a session that is forgotten before the list': () => asking('tools/list', status(404)),
};
