import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

import { openInbox } from './inbox.ts';

const HOST = '127.0.0.1';
const PATH = '/mcp';
const INBOX_PATH = '/inbox';

export type Listening = {
	readonly url: string;
	/** Ends all sessions and stops listening. */
	readonly close: () => Promise<void>;
};

type Refusal = { readonly status: number; readonly message: string };

/**
 * Serves streamable HTTP on the loopback interface, one `McpServer` a session, and an inbox beside it.
 * Port 0 takes a free one. Rejects when the port cannot be had.
 */
export async function listenHttp(
	port: number,
	newServer: () => Pick<McpServer, 'connect'>,
): Promise<Listening> {
	const inbox = openInbox();
	const sessions = new Map<string, StreamableHTTPServerTransport>();

	async function openSession(): Promise<StreamableHTTPServerTransport> {
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: () => randomUUID(),
			onsessioninitialized: (id) => {
				sessions.set(id, transport);
			},
			onsessionclosed: (id) => {
				sessions.delete(id);
			},
		});
		await newServer().connect(transport);
		return transport;
	}

	/** The session that the request belongs to, a new one, or why there is none. */
	async function sessionFor(
		request: IncomingMessage,
	): Promise<StreamableHTTPServerTransport | Refusal> {
		if (pathOf(request) !== PATH) return { status: 404, message: `Try ${PATH}` };
		const id = request.headers['mcp-session-id'];
		if (typeof id === 'string') {
			return sessions.get(id) ?? { status: 404, message: 'Session not found' };
		}
		if (request.method === 'POST') return openSession();
		return { status: 400, message: 'Mcp-Session-Id header is required' };
	}

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (!isLocal(request)) {
			refuse(response, { status: 403, message: 'Only this machine may call this server' });
			return;
		}
		if (pathOf(request) === INBOX_PATH) {
			await inbox(request, response);
			return;
		}
		const session = await sessionFor(request);
		if ('status' in session) {
			refuse(response, session);
			return;
		}
		await session.handleRequest(request, response);
		// Not initialized: the transport has refused the request, and nobody can come back to it.
		if (session.sessionId === undefined) await session.close();
	}

	const http = createServer((request, response) => {
		handle(request, response).catch((error: unknown) => {
			console.error(error);
			if (response.headersSent) response.destroy();
			else refuse(response, { status: 500, message: 'Internal error' });
		});
	});
	http.listen(port, HOST);
	await once(http, 'listening');
	const address = http.address();
	const actualPort = typeof address === 'object' && address !== null ? address.port : port;

	return {
		url: `http://${HOST}:${String(actualPort)}${PATH}`,
		close: async () => {
			await Promise.all([...sessions.values()].map((session) => session.close()));
			http.close();
			http.closeAllConnections();
		},
	};
}

const pathOf = (request: IncomingMessage): string | undefined => request.url?.split('?')[0];

/** A web page elsewhere must not reach this server through a name that it points at 127.0.0.1. */
function isLocal(request: IncomingMessage): boolean {
	const names = ['127.0.0.1', 'localhost'];
	const { host, origin } = request.headers;
	const hostName = URL.parse(`http://${host ?? ''}`)?.hostname;
	if (hostName === undefined || !names.includes(hostName)) return false;
	return origin === undefined || names.includes(URL.parse(origin)?.hostname ?? '');
}

function refuse(response: ServerResponse, { status, message }: Refusal): void {
	response
		.writeHead(status, { 'content-type': 'application/json' })
		.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}
