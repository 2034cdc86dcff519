import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { SoakOrder } from './control.ts';
import { answerOf, progressOf } from './protocol.ts';
import type { Frame } from './protocol.ts';

export const JSON_TYPE = { 'content-type': 'application/json' };
export const STREAM_TYPE = { 'content-type': 'text/event-stream' };

/** Answers a call over HTTP as it was ordered, or leaves it without an answer. */
export async function answerOverHttp(
	frame: Frame,
	order: SoakOrder,
	response: ServerResponse,
): Promise<void> {
	const body = JSON.stringify(answerOf(frame, order));
	const whole = { ...JSON_TYPE, 'content-length': body.length };
	const half = body.slice(0, body.length / 2);
	const beginStream = () => {
		response.writeHead(200, STREAM_TYPE).write(': hello\n\n');
	};
	const cut = () => {
		setImmediate(() => response.destroy());
	};
	const status = (code: number, headers: Readonly<Record<string, string>> = {}) => {
		response.writeHead(code, headers).end('As drawn');
	};
	switch (order.trouble) {
		case 'never':
			return;
		case 'garbage over HTTP':
			response.writeHead(200, JSON_TYPE).end(half);
			return;
		case 'cut before the head':
			response.destroy();
			return;
		case 'cut after the head':
			response.writeHead(200, whole).flushHeaders();
			cut();
			return;
		case 'cut in the body':
			response.writeHead(200, whole).write(half);
			cut();
			return;
		case 'cut in a stream':
			beginStream();
			cut();
			return;
		case 'stalls in the body':
			response.writeHead(200, whole).write(half);
			return;
		case 'stalls in a stream':
			beginStream();
			return;
		case 'session gone':
			status(404);
			return;
		case 'status 500':
			status(500);
			return;
		case 'status 503':
			status(503, { 'retry-after': '1' });
			return;
		case 'status 429':
			status(429, { 'retry-after': '1' });
			return;
		case 'floods with progress':
			beginStream();
			for (const notice of progressOf(frame)) response.write(`data: ${JSON.stringify(notice)}\n\n`);
			response.end(`data: ${body}\n\n`);
			return;
		case 'huge in a stream':
		case 'answers in a stream':
			beginStream();
			response.end(`data: ${body}\n\n`);
			return;
		case 'answers late':
			await pause(1_000);
			break;
		default:
	}
	response.writeHead(200, whole).end(body);
}
