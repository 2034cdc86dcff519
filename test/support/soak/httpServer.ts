import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOverHttp, JSON_TYPE, STREAM_TYPE } from './answerOverHttp.ts';
import type { SoakControl } from './control.ts';
import type { ConnectionName } from './drawCase.ts';
import { greeting, numberOf } from './protocol.ts';
import type { Frame } from './protocol.ts';
import { listing } from './tools.ts';

export interface SoakHttpServer {
	readonly endpoint: string;
	/** Whose the sessions are that were neither deleted nor told to be gone. */
	readonly sessions: () => readonly ConnectionName[];
	readonly initialised: () => number;
	readonly stop: () => Promise<void>;
}

/** Who asks, as the credential says in a header. */
export const connectionHeader = 'x-soak-connection';

interface Session {
	readonly id: string;
	readonly number: number;
	readonly connection: ConnectionName;
	/** Told by the answer to one call; what else is under way on it goes on. */
	isGone: boolean;
	/** The calls under way, by the ids of their requests. */
	readonly open: Map<number, number>;
}

/** An MCP server over streamable HTTP on a free port of 127.0.0.1 that misbehaves as the control says. */
export async function startSoakHttpServer(control: SoakControl): Promise<SoakHttpServer> {
	const sessions = new Map<string, Session>();
	/** The session that a call was last told to be gone. */
	const toldGone = new Map<number, Session>();
	let initialised = 0;

	const initialise = (connection: ConnectionName): Session => {
		initialised += 1;
		const opened = { id: randomUUID(), number: initialised, connection, isGone: false };
		const session = { ...opened, open: new Map<number, number>() };
		sessions.set(session.id, session);
		return session;
	};

	const call = async (session: Session, frame: Frame, response: ServerResponse): Promise<void> => {
		const { id = 0 } = frame;
		const n = numberOf(frame);
		session.open.set(id, n);
		response.once('finish', () => session.open.delete(id));
		if (toldGone.get(n) === session) {
			control.complain(`Call ${String(n)} came again on a session that is gone`);
		}
		const order = control.call(n);
		if (order.trouble === 'session gone') {
			session.isGone = true;
			toldGone.set(n, session);
		}
		await answerOverHttp(frame, order, response);
	};

	const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const session = sessions.get(String(request.headers['mcp-session-id']));
		const reply = (id: number | undefined, result: unknown, headers: Headers = {}) => {
			response.writeHead(200, { ...JSON_TYPE, ...headers });
			response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
		};
		if (request.method === 'POST') {
			const frame = await readFrame(request);
			if (frame.method === 'initialize') {
				const { id } = initialise(request.headers[connectionHeader] as ConnectionName);
				reply(frame.id, greeting(frame), { 'mcp-session-id': id });
				return;
			}
			if (session !== undefined) {
				switch (frame.method) {
					case 'tools/list':
						reply(frame.id, { tools: listing });
						return;
					case 'ping':
						reply(frame.id, {});
						return;
					case 'tools/call':
						await call(session, frame, response);
						return;
					case 'notifications/cancelled': {
						const n = session.open.get(frame.params?.requestId ?? 0);
						if (n !== undefined) control.cancelled(n);
						break;
					}
					default:
				}
				response.writeHead(202).end();
				return;
			}
		}
		if (session === undefined) response.writeHead(404).end();
		else if (request.method === 'GET') openStream(session, response);
		else {
			sessions.delete(session.id);
			response.writeHead(200).end();
		}
	};

	const server = createServer((request, response) => {
		receive(request, response).catch(() => response.destroy());
	});
	// Who has been busy for a while finds its connection still there.
	server.keepAliveTimeout = 0;
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`,
		sessions: () =>
			[...sessions.values()].filter(({ isGone }) => !isGone).map(({ connection }) => connection),
		initialised: () => initialised,
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

type Headers = Readonly<Record<string, string>>;

/** The stream that a client may ask for: a third of the sessions have none, and a third one that breaks off. */
function openStream({ number }: Session, response: ServerResponse): void {
	const third = number % 3;
	if (third === 0) {
		response.writeHead(405).end();
		return;
	}
	response.writeHead(200, STREAM_TYPE).write(': hello\n\n', () => {
		if (third === 1) response.destroy();
	});
}

async function readFrame(request: IncomingMessage): Promise<Frame> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Frame;
}
