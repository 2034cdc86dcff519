/**
 * An MCP server over stdio that misbehaves as it is told: `node stdioServer.ts [--deaf]`, which makes it survive the end of
 * stdin and SIGTERM. Environment: SOAK_CONTROL, where to ask what becomes of each call; SOAK_CONNECTION, who it is.
 */
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChildMessage, SoakOrder } from './control.ts';
import { answerOf, greeting, numberOf, progressOf } from './protocol.ts';
import type { Frame } from './protocol.ts';
import { listing } from './tools.ts';

const { SOAK_CONTROL: control = '', SOAK_CONNECTION: connection = '' } = process.env;
/** The calls that have no answer yet, by the ids of their requests. */
const open = new Map<number, number>();
const asking = new Set<Promise<unknown>>();
let ending = false;

async function tell(message: ChildMessage): Promise<unknown> {
	const body = JSON.stringify({ connection, ...message });
	const response = await fetch(control, { method: 'POST', body });
	return await response.json();
}

const write = (text: string): void => {
	if (!ending) process.stdout.write(text);
};
const send = (frame: unknown): void => {
	write(`${JSON.stringify(frame)}\n`);
};

async function call(frame: Frame): Promise<void> {
	const { id = 0 } = frame;
	const n = numberOf(frame);
	open.set(id, n);
	const asked = tell({ kind: 'call', n });
	asking.add(asked);
	const order = (await asked) as SoakOrder;
	asking.delete(asked);
	const answer = answerOf(frame, order);
	switch (order.trouble) {
		case 'never':
			return;
		case 'garbage on stdout':
			write(`{"jsonrpc":"2.0","id":${String(id)},"result":{"content":\n`);
			return;
		case 'exits':
			await end(n, id);
			process.exit(3);
			return;
		case 'is killed':
			await end(n, id);
			process.kill(process.pid, 'SIGKILL');
			return;
		case 'exits in a line':
			await end(n, id);
			process.stdout.write(JSON.stringify(answer).slice(0, 30), () => process.exit(0));
			return;
		case 'answers late':
			await pause(1_000);
			break;
		case 'floods with progress':
			for (const notice of progressOf(frame)) send(notice);
			break;
		case 'floods stderr':
			process.stderr.write(`${'e'.repeat(1_000)}\n`.repeat(1_000));
			break;
		case 'makes noise':
			write('Cache warmed up\n{"level":"info"}\n\n'.repeat(100));
			break;
		default:
	}
	if (ending) return;
	open.delete(id);
	send(answer);
}

/** From here on nothing is read or answered any more; what was read or answered before stands in the books. */
async function end(n: number, id: number): Promise<void> {
	// Another call has it end already.
	if (ending) await new Promise(() => undefined);
	ending = true;
	open.delete(id);
	await Promise.all(asking);
	await new Promise((flushed) => process.stdout.write('', flushed));
	await tell({ kind: 'ends', n, open: [...open.values()] });
}

async function forget(id: number): Promise<void> {
	const n = open.get(id);
	open.delete(id);
	if (n !== undefined) await tell({ kind: 'cancelled', n });
}

createInterface({ input: process.stdin }).on('line', (line) => {
	if (ending) return;
	const frame = JSON.parse(line) as Frame;
	const reply = (result: unknown) => {
		send({ jsonrpc: '2.0', id: frame.id, result });
	};
	switch (frame.method) {
		case 'initialize':
			reply(greeting(frame));
			return;
		case 'tools/list':
			reply({ tools: listing });
			return;
		case 'ping':
			reply({});
			return;
		case 'tools/call':
			void call(frame);
			return;
		case 'notifications/cancelled':
			void forget(frame.params?.requestId ?? 0);
			return;
		default:
	}
});

if (process.argv.includes('--deaf')) {
	process.on('SIGTERM', () => undefined);
	setInterval(() => undefined, 60_000);
}
