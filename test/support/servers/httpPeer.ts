import { once } from 'node:events';
import {
	createServer,
	type IncomingHttpHeaders,
	type Server,
	type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface PeerRequest {
	readonly httpMethod: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** Name and value, as they came. */
	readonly rawHeaders: readonly string[];
	/** Bytes written so far to the connection it came on. */
	readonly written: () => number;
	/** Resolves when the response has ended or its connection is gone. */
	readonly over: Promise<unknown>;
	/** The JSON-RPC message of a POST. */
	readonly message: {
		readonly id?: number;
		readonly method?: string;
		readonly params?: Record<string, unknown>;
	};
}

/** What the test makes the server do with one request. */
export type Behaviour =
	/** Behaves well: initialises, lists `tools`, answers calls with a text block. */
	| { readonly kind: 'well' }
	| {
			readonly kind: 'answer';
			readonly status: number;
			readonly type?: string;
			readonly body?: string | Uint8Array;
			readonly headers?: Record<string, string>;
	  }
	| { readonly kind: 'result'; readonly result: unknown }
	/** Sends the text as an event stream and ends it, or keeps it open. Several texts come as so many parts. */
	| {
			readonly kind: 'stream';
			readonly text: string | readonly (string | Uint8Array)[];
			readonly then: 'end' | 'cut' | 'stay';
			readonly headers?: Record<string, string>;
	  }
	/** Sends the text as an event stream again and again, without end. */
	| { readonly kind: 'beat'; readonly text: string; readonly everyMs: number }
	/** Sends the text as an event stream, then, in parts of their own, half an event without end, as fast as it is taken. */
	| { readonly kind: 'flood'; readonly text: string }
	/** Reads the request and cuts the connection. */
	| { readonly kind: 'reset' }
	/** Sends the text as the bytes of the response, head included, then ends, resets or keeps the connection. */
	| { readonly kind: 'raw'; readonly text: string; readonly then: 'end' | 'reset' | 'stay' }
	| { readonly kind: 'hang' }
	/** Behaves as `then` says once the promise is fulfilled. */
	| { readonly kind: 'later'; readonly when: Promise<void>; readonly then: Behaviour };

export const well: Behaviour = { kind: 'well' };

export interface HttpPeer {
	readonly url: string;
	readonly port: number;
	readonly seen: readonly PeerRequest[];
	/** Connections accepted so far. */
	readonly connections: () => number;
	/** Resolves once a request that matches has been seen. */
	sees(matches: (request: PeerRequest) => boolean): Promise<PeerRequest>;
	stop(): Promise<void>;
}

export const sessionId = 'session-of-the-peer';

/** Starts an HTTP server on a free port of 127.0.0.1 that treats every request as the test decides. */
export async function startHttpPeer(
	decide: (request: PeerRequest) => Behaviour,
	tls?: { readonly key: string; readonly cert: string },
	connections: 'kept' | 'closed' = 'kept',
): Promise<HttpPeer> {
	const seen: PeerRequest[] = [];
	const waiting = new Set<() => void>();
	const server: Server = tls ? createTlsServer(tls) : createServer();
	let accepted = 0;
	server.on('connection', () => {
		accepted += 1;
	});
	server.on('request', (incoming, response) => {
		if (connections === 'closed') response.setHeader('connection', 'close');
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const body = Buffer.concat(chunks).toString('utf8');
			const request: PeerRequest = {
				httpMethod: incoming.method ?? '',
				path: incoming.url ?? '',
				headers: incoming.headers,
				rawHeaders: incoming.rawHeaders,
				written: () => incoming.socket.bytesWritten,
				over: once(response, 'close'),
				message: body === '' ? {} : (JSON.parse(body) as PeerRequest['message']),
			};
			seen.push(request);
			for (const look of waiting) look();
			behave(decide(request), request, response);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `${tls ? 'https' : 'http'}://127.0.0.1:${String(port)}/mcp`,
		port,
		seen,
		connections: () => accepted,
		sees: (matches) =>
			new Promise((settle) => {
				const look = (): void => {
					const request = seen.find(matches);
					if (request === undefined) return;
					waiting.delete(look);
					settle(request);
				};
				waiting.add(look);
				look();
			}),
		async stop() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

function behave(behaviour: Behaviour, request: PeerRequest, response: ServerResponse): void {
	switch (behaviour.kind) {
		case 'well':
			behaveWell(request, response);
			return;
		case 'answer':
			response.writeHead(behaviour.status, {
				...(behaviour.type === undefined ? {} : { 'content-type': behaviour.type }),
				...behaviour.headers,
			});
			response.end(behaviour.body);
			return;
		case 'result':
			json(response, { jsonrpc: '2.0', id: request.message.id, result: behaviour.result });
			return;
		case 'stream': {
			response.writeHead(200, { 'content-type': 'text/event-stream', ...behaviour.headers });
			const parts = [behaviour.text].flat();
			const last = parts.pop() ?? '';
			for (const part of parts) response.write(part);
			response.write(last, () => {
				if (behaviour.then === 'end') response.end();
				if (behaviour.then === 'cut') response.destroy();
			});
			return;
		}
		case 'beat': {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			const beat = setInterval(() => response.write(behaviour.text), behaviour.everyMs);
			response.on('close', () => {
				clearInterval(beat);
			});
			return;
		}
		case 'flood': {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(behaviour.text);
			response.write('data: ');
			const pour = (): void => {
				while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
			};
			response.on('drain', pour);
			pour();
			return;
		}
		case 'reset':
			response.destroy();
			return;
		case 'raw':
			response.socket?.write(behaviour.text, () => {
				if (behaviour.then === 'end') response.socket?.end();
				if (behaviour.then === 'reset') response.socket?.resetAndDestroy();
			});
			return;
		case 'hang':
			return;
		case 'later':
			void behaviour.when.then(() => {
				behave(behaviour.then, request, response);
			});
	}
}

function behaveWell(request: PeerRequest, response: ServerResponse): void {
	if (request.httpMethod !== 'POST') {
		response.writeHead(request.httpMethod === 'DELETE' ? 200 : 405).end();
		return;
	}
	const { id, method, params } = request.message;
	const reply = (result: unknown): void => {
		json(response, { jsonrpc: '2.0', id, result });
	};
	if (method === 'initialize')
		reply({
			protocolVersion: params?.['protocolVersion'],
			capabilities: { tools: {} },
			serverInfo: { name: 'http peer', version: '4.5.6' },
		});
	else if (method === 'tools/list') reply({ tools: [{ name: 'work', inputSchema: {} }] });
	else if (method === 'tools/call') reply({ content: [{ type: 'text', text: 'done' }] });
	else if (method === 'ping') reply({});
	else response.writeHead(202).end();
}

function json(response: ServerResponse, value: unknown): void {
	response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': sessionId });
	response.end(JSON.stringify(value));
}

/** One server-sent event. */
export const event = (data: unknown, id?: string): string =>
	`${id === undefined ? '' : `id: ${id}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
