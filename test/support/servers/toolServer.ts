import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../../scripts/host/json';

export interface ServedTool {
	/** The entry of the listing, as it goes out. */
	readonly listed: Json;
	/** The result frame of one call, or what `refusal` gives; a text block "done" when absent. One that throws cuts the connection. */
	readonly answer?: (call: SeenCall) => unknown;
}

export interface SeenCall {
	readonly tool: string;
	readonly arguments: Json;
	readonly meta: Json;
	readonly session: string;
	readonly headers: IncomingHttpHeaders;
}

export interface ToolServer {
	readonly endpoint: string;
	/** How many sessions were initialised. */
	readonly initialised: () => number;
	/** How many sessions are open still. */
	readonly open: () => number;
	/** How many pages of the listing were asked for. */
	readonly pagesRead: () => number;
	/** Every call, in the order in which they arrived. */
	readonly calls: readonly SeenCall[];
	/** The most calls that were under way at once. */
	readonly mostAtOnce: () => number;
	readonly stop: () => Promise<void>;
}

export interface ToolServerOptions {
	/** Tools on one page of the listing; all when absent. */
	readonly pageSize?: number;
	/** The only value of the Authorization header that is let in, or who decides it, for a session or none yet. */
	readonly authorization?:
		string | ((given: string | undefined, session: string) => boolean | Promise<boolean>);
	/** The authorization server that the server announces. */
	readonly issuer?: string;
}

interface Message {
	readonly id?: number;
	readonly method?: string;
	readonly params?: Readonly<Record<string, unknown>>;
}

/** An MCP server over streamable HTTP on a free port of 127.0.0.1, without the SDK, that counts what it is asked. */
export async function startToolServer(
	tools: readonly ServedTool[],
	{ pageSize = Number.MAX_SAFE_INTEGER, authorization, issuer }: ToolServerOptions = {},
): Promise<ToolServer> {
	const sessions = new Set<string>();
	const calls: SeenCall[] = [];
	let initialised = 0;
	let pagesRead = 0;
	let underWay = 0;
	let mostAtOnce = 0;

	const isLetIn = (given: string | undefined, session: string): boolean | Promise<boolean> =>
		typeof authorization === 'function'
			? authorization(given, session)
			: authorization === undefined || given === authorization;
	const page = (cursor: unknown): Json => {
		pagesRead++;
		const from = typeof cursor === 'string' ? Number(cursor) : 0;
		const next = from + pageSize;
		const entries = tools.slice(from, next).map(({ listed }) => listed);
		return { tools: entries, ...(next < tools.length ? { nextCursor: String(next) } : {}) };
	};
	const call = async (
		params: Json,
		session: string,
		headers: IncomingHttpHeaders,
	): Promise<unknown> => {
		const seen: SeenCall = {
			tool: String(params.name),
			arguments: (params.arguments ?? {}) as Json,
			meta: (params._meta ?? {}) as Json,
			session,
			headers,
		};
		calls.push(seen);
		underWay++;
		mostAtOnce = Math.max(mostAtOnce, underWay);
		try {
			const tool = tools.find(({ listed }) => listed.name === seen.tool);
			return (await tool?.answer?.(seen)) ?? text('done');
		} finally {
			underWay--;
		}
	};
	const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		if (request.url?.startsWith('/.well-known/') === true) {
			announce(request, response, issuer);
			return;
		}
		const session = String(request.headers['mcp-session-id'] ?? '');
		if (!(await isLetIn(request.headers.authorization, session))) {
			response.writeHead(401, { 'content-type': 'text/plain' });
			response.end(`no access with ${String(request.headers.authorization)}`);
			return;
		}
		if (request.method === 'DELETE') {
			response.writeHead(sessions.delete(session) ? 200 : 404).end();
			return;
		}
		if (request.method !== 'POST') {
			response.writeHead(405).end();
			return;
		}
		const { id, method, params = {} } = JSON.parse(await readAll(request)) as Message;
		if (method === 'initialize') {
			initialised++;
			const opened = randomUUID();
			sessions.add(opened);
			const serverInfo = { name: 'tool server', version: '7.8.9' };
			const { protocolVersion } = params;
			const result = { protocolVersion, capabilities: { tools: {} }, serverInfo };
			reply(response, id, result, opened);
		} else if (!sessions.has(session)) response.writeHead(404).end();
		else if (method === 'tools/list') reply(response, id, page(params.cursor));
		else if (method === 'tools/call')
			answerCall(response, id, await call(params, session, request.headers));
		else if (method === 'ping') reply(response, id, {});
		else response.writeHead(202).end();
	};

	const server = createServer((request, response) => {
		handle(request, response).catch(() => response.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		initialised: () => initialised,
		open: () => sessions.size,
		pagesRead: () => pagesRead,
		calls,
		mostAtOnce: () => mostAtOnce,
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

/** The metadata of the protected resource, which name its authorization server. */
function announce(
	request: IncomingMessage,
	response: ServerResponse,
	issuer: string | undefined,
): void {
	const known = issuer !== undefined && request.url === '/.well-known/oauth-protected-resource/mcp';
	if (!known) {
		response.writeHead(404).end();
		return;
	}
	const resource = `http://${String(request.headers.host)}/mcp`;
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ resource, authorization_servers: [issuer] }));
}

/** In place of a result: the request is refused by an HTTP status. */
export const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): Refusal =>
	new Refusal(status, headers);

class Refusal {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	constructor(status: number, headers: Readonly<Record<string, string>>) {
		this.status = status;
		this.headers = headers;
	}
}

function answerCall(response: ServerResponse, id: number | undefined, result: unknown): void {
	if (result instanceof Refusal) response.writeHead(result.status, result.headers).end();
	else reply(response, id, result);
}

/** A result of one text block. */
export const text = (value: string): Json => ({ content: [{ type: 'text', text: value }] });

/** A result that the tool marks as an error. */
export const toolError = (value: string): Json => ({ ...text(value), isError: true });

/** The listing's entry of a tool that takes any object, or what `schema` says. */
export const listed = (name: string, annotations?: Json, inputSchema: Json = anyObject): Json => ({
	name,
	inputSchema,
	...(annotations === undefined ? {} : { annotations }),
});

/** Holds everyone back until `count` have come, and lets them go in the order of their coming or the other way round. */
export function gate(count: number): () => Promise<void> {
	let waiting: (() => void)[] = [];
	return async () => {
		await new Promise<void>((pass) => {
			waiting.push(pass);
			if (waiting.length < count) return;
			const group = waiting;
			waiting = [];
			// The last to come goes first.
			for (const each of group.reverse()) setImmediate(each);
		});
	};
}

const anyObject: Json = { type: 'object' };

function reply(
	response: ServerResponse,
	id: number | undefined,
	result: unknown,
	session?: string,
): void {
	response.writeHead(200, {
		'content-type': 'application/json',
		...(session === undefined ? {} : { 'mcp-session-id': session }),
	});
	response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

async function readAll(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}
