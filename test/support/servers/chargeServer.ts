/**
 * An MCP server that charges: `node chargeServer.ts stdio`, or `node chargeServer.ts http`, which prints its port.
 * At every boundary of its work it asks the test whether to go on, or how to fail. Environment: PAYMENTS_RUN, the name of
 * the run; PAYMENTS_CONTROL, where to ask; PAYMENTS_FILE, its books.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** Where the server stands: begun, about to list, a call read, its effect on the disk, its answer handed to the system. */
export type ServerBoundary = 'start' | 'list' | 'read' | 'done' | 'answered';

/** What the server does at a boundary. */
export type ServerOrder =
	| { readonly kind: 'go' }
	/** Kills itself, without a word. */
	| { readonly kind: 'die' }
	/** Cuts the connection of this request; over stdio it ends. */
	| { readonly kind: 'close' }
	/** Never answers this request. */
	| { readonly kind: 'hang' }
	/** Answers with the half of a result, then as `close`. */
	| { readonly kind: 'half' }
	/** Goes on, and has forgotten its sessions after it. */
	| { readonly kind: 'forget' }
	/** Answers with an error frame. */
	| { readonly kind: 'error'; readonly code: number }
	/** Answers with an HTTP status. */
	| { readonly kind: 'status'; readonly status: number };

export interface ServerQuestion {
	readonly run: string;
	readonly boundary: ServerBoundary;
}

/** One entry of the books. */
export interface BookedEffect {
	readonly tool: string;
	readonly reference: string;
}

interface Frame {
	readonly id?: number;
	readonly method?: string;
	readonly params?: Readonly<Record<string, unknown>>;
}

/** How a request is answered on its transport. */
interface Road {
	/** Resolves when the system has taken the frame, or nobody is there for it. */
	readonly answer: (frame: unknown) => Promise<void>;
	readonly half: (frame: unknown) => void;
	readonly close: () => void;
	readonly status: (status: number) => void;
}

const {
	PAYMENTS_RUN: run = '',
	PAYMENTS_CONTROL: control = '',
	PAYMENTS_FILE: books = '',
} = process.env;
const sessions = new Set<string>();

const inputSchema = {
	type: 'object',
	properties: { reference: { type: 'string' }, amount: { type: 'number' } },
	required: ['reference', 'amount'],
};
const tools = [
	{ name: 'get_charge', inputSchema, annotations: { readOnlyHint: true } },
	{ name: 'put_charge', inputSchema, annotations: { idempotentHint: true } },
	{ name: 'charge', inputSchema },
];

if (process.argv[2] === 'stdio') await serveStdio();
else serveHttp();

async function ask(boundary: ServerBoundary): Promise<ServerOrder> {
	const question: ServerQuestion = { run, boundary };
	const response = await fetch(control, { method: 'POST', body: JSON.stringify(question) });
	return (await response.json()) as ServerOrder;
}

/** True when the request goes on. */
async function pass(boundary: ServerBoundary, { id }: Frame, road: Road): Promise<boolean> {
	const order = await ask(boundary);
	switch (order.kind) {
		case 'go':
			return true;
		case 'forget':
			sessions.clear();
			return true;
		case 'die':
			process.kill(process.pid, 'SIGKILL');
			return await new Promise(() => undefined);
		case 'hang':
			return false;
		case 'close':
			road.close();
			return false;
		case 'half':
			road.half({ jsonrpc: '2.0', id, result: { content: [] } });
			return false;
		case 'error': {
			const { code } = order;
			await road.answer({ jsonrpc: '2.0', id, error: { code, message: 'As the test wants' } });
			return false;
		}
		case 'status':
			road.status(order.status);
			return false;
	}
}

async function handle(frame: Frame, road: Road): Promise<void> {
	const { id, method, params = {} } = frame;
	const reply = (result: unknown) => road.answer({ jsonrpc: '2.0', id, result });
	if (method === 'initialize') {
		const serverInfo = { name: 'payments', version: '1.0.0' };
		const { protocolVersion } = params;
		await reply({ protocolVersion, capabilities: { tools: {} }, serverInfo });
	} else if (method === 'tools/list') {
		if (await pass('list', frame, road)) await reply({ tools });
	} else if (method === 'tools/call') {
		if (!(await pass('read', frame, road))) return;
		const result = work(String(params.name), params.arguments as BookedEffect);
		if (!(await pass('done', frame, road))) return;
		await reply(result);
		await pass('answered', frame, road);
	}
}

/** What the tool does to the world stands in the books, on the disk, when this returns. */
function work(tool: string, { reference }: Pick<BookedEffect, 'reference'>): unknown {
	if (tool !== 'get_charge') {
		const handle = openSync(books, 'a');
		writeSync(handle, `${JSON.stringify({ tool, reference } satisfies BookedEffect)}\n`);
		fsyncSync(handle);
		closeSync(handle);
	}
	const structuredContent = { reference, says: 'the server' };
	return { content: [{ type: 'text', text: 'done' }], structuredContent };
}

async function serveStdio(): Promise<void> {
	if ((await ask('start')).kind !== 'go') process.exit(7);
	const write = (text: string, then?: () => void) => process.stdout.write(text, then);
	const end = () => process.exit(0);
	const underWay = new Set<Promise<void>>();
	const road: Road = {
		answer: (frame) =>
			new Promise((taken) => {
				write(`${JSON.stringify(frame)}\n`, taken);
			}),
		half: (frame) => {
			const line = JSON.stringify(frame);
			write(line.slice(0, line.length / 2), end);
		},
		close: end,
		status: () => {
			throw new Error('There is no status over stdio.');
		},
	};
	createInterface({ input: process.stdin })
		.on('line', (line) => {
			const handled = handle(JSON.parse(line) as Frame, road);
			underWay.add(handled);
			void handled.then(() => underWay.delete(handled));
		})
		// What is under way comes to its end, as the test decides.
		.on('close', () => void Promise.all(underWay).then(end));
}

function serveHttp(): void {
	const server = createServer((request, response) => {
		void receive(request, response);
	});
	server.listen(0, '127.0.0.1', () => {
		console.log((server.address() as AddressInfo).port);
	});
	// Nobody asks for it any more.
	process.stdin.on('end', () => process.exit(0)).resume();
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const session = String(request.headers['mcp-session-id'] ?? '');
	if (request.method !== 'POST') {
		const ended = request.method === 'DELETE' && sessions.delete(session);
		response.writeHead(ended ? 200 : 405).end();
		return;
	}
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const frame = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Frame;
	if (frame.method !== 'initialize' && !sessions.has(session)) {
		response.writeHead(404).end();
		return;
	}
	if (frame.id === undefined) {
		response.writeHead(202).end();
		return;
	}
	const opened = frame.method === 'initialize' ? randomUUID() : session;
	sessions.add(opened);
	const headers = { 'content-type': 'application/json', 'mcp-session-id': opened };
	const road: Road = {
		answer: (answer) =>
			new Promise((taken) => {
				// Whoever asked may be gone, and then no system takes it.
				if (response.destroyed) taken();
				else
					response.once('close', taken).writeHead(200, headers).end(JSON.stringify(answer), taken);
			}),
		half: (answer) => {
			const body = JSON.stringify(answer);
			response.writeHead(200, { ...headers, 'content-length': body.length });
			response.write(body.slice(0, body.length / 2), () => response.destroy());
		},
		close: () => response.destroy(),
		status: (status) => {
			response.writeHead(status, { 'retry-after': '0' }).end('As the test wants');
		},
	};
	await handle(frame, road);
}
