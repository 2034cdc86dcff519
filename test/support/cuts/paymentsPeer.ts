import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { nodeProgram } from '../../../scripts/host/paths.ts';
import type {
	BookedEffect,
	ServerBoundary,
	ServerOrder,
	ServerQuestion,
} from '../servers/chargeServer.ts';

export type { ServerBoundary, ServerOrder };

export const chargeServerFile = path.resolve(import.meta.dirname, '../servers/chargeServer.ts');

/** Decides what a server does at a boundary; while it has not resolved the server is held there. */
export type Decide = (boundary: ServerBoundary) => Promise<ServerOrder>;

/** Where all payments servers of a test ask what to do, and what they have booked. */
export interface PaymentsControl {
	/** What a server of this run needs in its environment. */
	readonly environment: (run: string) => Readonly<Record<string, string>>;
	readonly follow: (run: string, decide: Decide) => void;
	/** The effects of a run, as they stand in the books. */
	readonly booked: (run: string) => readonly BookedEffect[];
	readonly stop: () => Promise<void>;
}

/** Starts the control; the servers' books are files in `folder`. */
export async function startPaymentsControl(folder: string): Promise<PaymentsControl> {
	const followed = new Map<string, Decide>();
	const books = (run: string) => path.join(folder, `${run}.jsonl`);
	const server = createHttpServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { run, boundary } = JSON.parse(
				Buffer.concat(chunks).toString('utf8'),
			) as ServerQuestion;
			const order = followed.get(run)?.(boundary) ?? Promise.resolve({ kind: 'die' as const });
			void order.then((decided) => response.end(JSON.stringify(decided)));
		});
	});
	// A server may be held for as long as n8n takes to start again.
	server.requestTimeout = 0;
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
	return {
		environment: (run) => ({
			PAYMENTS_RUN: run,
			PAYMENTS_CONTROL: address,
			PAYMENTS_FILE: books(run),
		}),
		follow: (run, decide) => followed.set(run, decide),
		booked: (run) =>
			existsSync(books(run))
				? readFileSync(books(run), 'utf8')
						.split('\n')
						.filter((line) => line !== '')
						.map((line) => JSON.parse(line) as BookedEffect)
				: [],
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

/** An address behind which a payments server stands; after its death the next connection finds another one. */
export interface PaymentsFront {
	readonly endpoint: string;
	/** From here on connections are refused. */
	readonly refuse: () => Promise<void>;
	/** From here on they are taken again, at the same address. */
	readonly take: () => Promise<void>;
	readonly stop: () => Promise<void>;
}

/** Starts a payments server over HTTP behind an address that outlives it. */
export async function startPaymentsFront(
	environment: Readonly<Record<string, string>>,
): Promise<PaymentsFront> {
	const sockets = new Set<Socket>();
	let standing: Promise<{ readonly child: ChildProcess; readonly port: number }> | undefined;
	let stopped = false;

	const stand = async () => {
		const child = spawn(nodeProgram, [chargeServerFile, 'http'], {
			env: { PATH: process.env.PATH, ...environment },
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		child.once('exit', () => (standing = undefined));
		const [line] = (await once(child.stdout, 'data')) as [Buffer];
		return { child, port: Number(line.toString('utf8')) };
	};
	const join = async (outside: Socket) => {
		sockets.add(outside);
		outside.on('error', () => undefined).once('close', () => sockets.delete(outside));
		standing ??= stand();
		const { port } = await standing;
		const inside = createConnection({ port, host: '127.0.0.1' });
		inside.on('error', () => undefined);
		// Whatever ended one side, the other one has all that was sent before.
		inside.once('close', () => outside.end(() => outside.destroy()));
		outside.once('close', () => inside.destroy());
		outside.pipe(inside);
		inside.pipe(outside, { end: false });
	};
	const server = createServer((socket) => void join(socket));
	const listen = async (port: number) => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
	};
	await listen(0);
	const { port } = server.address() as AddressInfo;
	const refuse = async () => {
		if (!server.listening) return;
		const closed = once(server, 'close');
		server.close();
		for (const socket of sockets) socket.destroy();
		await closed;
	};
	return {
		endpoint: `http://127.0.0.1:${String(port)}/mcp`,
		refuse,
		take: async () => {
			if (!stopped) await listen(port);
		},
		stop: async () => {
			stopped = true;
			await refuse();
			(await standing)?.child.kill('SIGKILL');
		},
	};
}
