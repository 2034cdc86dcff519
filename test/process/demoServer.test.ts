import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { inflateSync } from 'node:zlib';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
	getDefaultEnvironment,
	StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
	CallToolResultSchema,
	ListToolsResultSchema,
	ProgressNotificationSchema,
	type CallToolResult,
	type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { readEffects } from '../../examples/demo-server/effects.ts';
import { postSignal } from '../../examples/demo-server/signal.ts';
import { sha256 } from '../../nodes/shared/sha256';
import { provenanceMeta } from '../../src/call/provenance';
import { readSigningKey } from '../../src/n8n/readSigningKey';
import { decodePark } from '../../src/park/decodePark';
import { valueOf } from '../support/connections';

const SERVER = resolve(import.meta.dirname, '../../examples/demo-server/server.ts');
const RESUME_URL_KEY = 'io.github.n8n-nodes-salvor/resume-url';
const WAIT_MS = 15_000;

let folder: string;
let file: string;
const endings: (() => Promise<void>)[] = [];
/** What the servers of this test have said on standard error. */
let said: string;
const hear = (chunk: Buffer): void => {
	said += chunk.toString();
};

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'demo-server-'));
	file = join(folder, 'effects.jsonl');
	said = '';
});

afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
	rmSync(folder, { recursive: true, force: true });
});

const SECRET = 'x'.repeat(40);

function environment(checkDelayMs = 0): Record<string, string> {
	return {
		...getDefaultEnvironment(),
		DEMO_EFFECTS_FILE: file,
		DEMO_QUOTE_DELAY_MS: '0',
		DEMO_CHECK_DELAY_MS: String(checkDelayMs),
		DEMO_PROVENANCE_KEY: SECRET,
	};
}

async function overStdio(checkDelayMs?: number): Promise<Client> {
	const client = new Client({ name: 'test', version: '1.0.0' });
	const args = [SERVER, 'stdio'];
	const transport = new StdioClientTransport({
		command: process.execPath,
		args,
		env: environment(checkDelayMs),
		stderr: 'pipe',
	});
	transport.stderr?.on('data', hear);
	await client.connect(transport);
	endings.push(() => client.close());
	return client;
}

type Running = { readonly url: string; readonly child: ChildProcess };

async function startHttp(checkDelayMs?: number): Promise<Running> {
	const child = spawn(process.execPath, [SERVER, 'http', '--port', '0'], {
		env: environment(checkDelayMs),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	child.stderr.on('data', hear);
	const exit = once(child, 'exit');
	endings.push(async () => {
		child.kill('SIGKILL');
		await exit;
	});
	for await (const line of createInterface({ input: child.stdout })) {
		const url = /^listening on (\S+)$/.exec(line)?.[1];
		if (url !== undefined) return { url, child };
	}
	throw new Error('the server ended before it was listening');
}

async function connectHttp(url: string): Promise<Client> {
	const client = new Client({ name: 'test', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(url)));
	endings.push(() => client.close());
	return client;
}

async function overHttp(checkDelayMs?: number): Promise<Client> {
	const { url } = await startHttp(checkDelayMs);
	return connectHttp(url);
}

async function call(
	client: Client,
	name: string,
	args: Record<string, unknown> = {},
	meta?: Record<string, unknown>,
): Promise<CallToolResult> {
	const params = { name, arguments: args, ...(meta && { _meta: meta }) };
	return client.request({ method: 'tools/call', params }, CallToolResultSchema);
}

function text(result: CallToolResult): string {
	return result.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** What happened, without the instants. */
function happened(): readonly string[] {
	return readEffects(file).map(({ effect }) => effect);
}

type Inbox = { readonly url: string; readonly bodies: unknown[]; readonly arrivedAt: number[] };

/** Plays the waiting n8n: gives these statuses in turn, the last one for ever, 0 for a cut connection. */
async function inbox(...statuses: readonly number[]): Promise<Inbox> {
	const bodies: unknown[] = [];
	const arrivedAt: number[] = [];
	const server = createServer((request, response) => {
		let body = '';
		request.setEncoding('utf8').on('data', (part: string) => (body += part));
		request.on('end', () => {
			arrivedAt.push(performance.now());
			bodies.push({ url: request.url, method: request.method, ...parsed(body) });
			const status = statuses[Math.min(bodies.length, statuses.length) - 1] ?? 200;
			if (status === 0) request.socket.destroy();
			else response.writeHead(status, { location: '/elsewhere' }).end('{}');
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	endings.push(async () => {
		server.closeAllConnections();
		server.close();
		await once(server, 'close');
	});
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return { url: `http://127.0.0.1:${String(port)}/wait/7?token=abc&item=1`, bodies, arrivedAt };
}

function parsed(body: string): { readonly answer: unknown } {
	return { answer: JSON.parse(body) as unknown };
}

describe.each([
	['stdio', overStdio],
	['streamable HTTP', overHttp],
] as const)('over %s', (_, connect) => {
	test('the tools are listed with the hints that the docs promise', async () => {
		const client = await connect();
		const { tools } = await client.request({ method: 'tools/list' }, ListToolsResultSchema);
		expect(
			tools.map(({ name, title, annotations }) => [name, title, annotations?.readOnlyHint]),
		).toEqual([
			['get_invoice', 'Get invoice', true],
			['request_payment', 'Request payment', false],
			['settle_payment', 'Settle payment', false],
			['attach_receipt', 'Attach receipt', true],
			['check_invoices', 'Check invoices', true],
			['request_quote', 'Request quote', false],
			['schedule_reminder', 'Schedule reminder', false],
			['broken_park', 'Broken park', false],
		]);
		expect(tools.filter(({ annotations }) => annotations?.idempotentHint === true)).toEqual([]);
		expect(tools.find(({ name }) => name === 'schedule_reminder')?.inputSchema).toMatchObject({
			required: ['text'],
			properties: { text: { type: 'string' }, seconds: { type: 'number' }, at: { type: 'string' } },
		});
	});

	test('an invoice comes as structured content, an unknown one as a tool error', async () => {
		const client = await connect();
		const known = await call(client, 'get_invoice', { invoice_id: 'INV-1001' });
		expect(known.structuredContent).toEqual({
			invoice_id: 'INV-1001',
			supplier: 'Harbour Timber Ltd',
			amount: 4200,
			currency: 'EUR',
			due: '2026-12-15',
		});
		const unknown = await call(client, 'get_invoice', { invoice_id: 'INV-9' });
		expect(unknown.isError).toBe(true);
		expect(text(unknown)).toBe(
			'There is no invoice "INV-9"; this server knows INV-1001, INV-1002, INV-1003.',
		);
		expect(happened()).toEqual([]);
	});

	test('checking the invoices tells its progress to whoever asks for it, and answers what is due', async () => {
		const client = await connect();
		const told: Progress[] = [];
		const params = { name: 'check_invoices', arguments: { due_by: '2026-12-15' } };
		const request = { method: 'tools/call', params };
		const heard = await client.request(request, CallToolResultSchema, {
			onprogress: (progress) => told.push(progress),
		});
		expect(told).toEqual([
			{ progress: 1, total: 3, message: 'INV-1001 is due on 2026-12-15' },
			{ progress: 2, total: 3, message: 'INV-1002 is due on 2026-12-01' },
			{ progress: 3, total: 3, message: 'INV-1003 is due on 2027-01-31' },
		]);
		expect(heard.structuredContent).toEqual({
			due: [
				{
					invoice_id: 'INV-1002',
					supplier: 'Corner Print Shop',
					amount: 186.5,
					currency: 'EUR',
					due: '2026-12-01',
				},
				{
					invoice_id: 'INV-1001',
					supplier: 'Harbour Timber Ltd',
					amount: 4200,
					currency: 'EUR',
					due: '2026-12-15',
				},
			],
			checked: 3,
		});
		const unexpected: unknown[] = [];
		client.fallbackNotificationHandler = (notification) =>
			Promise.resolve(void unexpected.push(notification));
		client.setNotificationHandler(ProgressNotificationSchema, (notification) => {
			unexpected.push(notification);
		});
		const unheard = await call(client, 'check_invoices', { due_by: '2026-11-30' });
		expect(unheard.structuredContent).toEqual({ due: [], checked: 3 });
		expect(unexpected).toEqual([]);
		expect(happened()).toEqual([]);
	});

	test('checking the invoices ends when it is cancelled', async () => {
		const client = await connect(600_000);
		const stop = new AbortController();
		const params = { name: 'check_invoices', arguments: { due_by: '2026-12-15' } };
		const from = {
			workflow: 'w',
			execution: '7',
			node: 'n',
			item: 0,
			call: 'c',
			attemptsBefore: 0,
		};
		// The server says of a call with provenance that it was taken.
		const _meta = provenanceMeta(from, 1, params, { sha256, sign: undefined });
		const request = { method: 'tools/call', params: { ...params, _meta } };
		const checking = client.request(request, CallToolResultSchema, { signal: stop.signal });
		const cancelled = expect(checking).rejects.toThrow('Enough');
		await expect
			.poll(() => said, { timeout: WAIT_MS })
			.toContain('check_invoices: from workflow w');
		stop.abort('Enough');
		await cancelled;
		await expect
			.poll(() => said, { timeout: WAIT_MS })
			.toContain('check_invoices: cancelled after 0 of 3 invoices');
	});

	test('a large payment parks for a person and is not made by asking (P9, P10)', async () => {
		const client = await connect();
		const result = await call(client, 'request_payment', {
			invoice_id: 'INV-1001',
			payment_id: 'pay-0007',
		});
		expect(result._meta).toEqual({
			salvor: {
				suspend: {
					reason: 'Payment pay-0007 of 4,200.00 EUR to Harbour Timber Ltd needs your approval',
					input_schema: {
						type: 'object',
						properties: {
							approved: { type: 'boolean', title: 'Approve this payment' },
							note: { type: 'string', title: 'Note' },
						},
						required: ['approved'],
						additionalProperties: false,
					},
				},
			},
		});
		expect(result.structuredContent).toBeUndefined();
		expect(decodePark(result)).toMatchObject({ kind: 'park' });
		expect(happened()).toEqual(['payment.requested']);
	});

	test('the receipt of a settled payment is a PNG that decodes to its whole size', async () => {
		const client = await connect();
		const id = { payment_id: 'pay-1' };
		await call(client, 'request_payment', { invoice_id: 'INV-1002', ...id });
		const early = await call(client, 'attach_receipt', id);
		expect(text(early)).toBe('Payment pay-1 is not settled; call settle_payment first.');
		await call(client, 'settle_payment', id);
		const { content } = await call(client, 'attach_receipt', id);
		expect(content.map(({ type }) => type)).toEqual(['text', 'image']);
		const image = content.find((block) => block.type === 'image');
		expect(image?.mimeType).toBe('image/png');
		const png = Buffer.from(image?.data ?? '', 'base64');
		const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
		expect([width, height]).toEqual([320, 220]);
		const start = png.indexOf('IDAT') + 4;
		const pixels = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
		expect(pixels.length).toBe((width + 1) * height);
		expect(new Set(pixels)).toEqual(new Set([0, 1, 2, 3]));
	});
});

describe.each([
	['stdio', overStdio],
	['streamable HTTP', overHttp],
] as const)('over %s, the server checks where calls come from (C15)', (_, connect) => {
	const args = { invoice_id: 'INV-1001', payment_id: 'p' };
	const from = { workflow: 'w', execution: '7', node: 'Ask "so"', item: 0, call: 'c' };
	const line = 'from workflow w, execution 7, node "Ask \\"so\\"", item 0, attempt 2 of call c';
	const metaFrom = (signingKey: string) =>
		provenanceMeta(
			{ ...from, attemptsBefore: 0 },
			2,
			{ name: 'request_payment', arguments: args },
			{ sha256, sign: valueOf(readSigningKey({ signingKey })) },
		);

	test('one that is signed is taken, and the server says so', async () => {
		const client = await connect();
		const result = await call(client, 'request_payment', args, metaFrom(SECRET));
		expect(decodePark(result).kind).toBe('park');
		await expect.poll(() => said).toContain(`request_payment: ${line}; signature verified`);
	});

	test('one whose signature does not fit is turned away before any tool runs', async () => {
		const client = await connect();
		for (const [meta, given] of [
			[metaFrom('y'.repeat(40)), args],
			[metaFrom(SECRET), { ...args, amount: 1 }],
		] as const) {
			await expect(call(client, 'request_payment', given, meta)).rejects.toMatchObject({
				code: -32600,
				message: expect.stringContaining('its signature does not fit') as unknown,
			});
		}
		expect(happened()).toEqual([]);
		expect((await call(client, 'request_payment', args)).isError).toBeUndefined();
	});

	test('one that is not signed is taken, and said not to be', async () => {
		const client = await connect();
		await call(client, 'request_payment', args, metaFrom(''));
		await expect.poll(() => said).toContain(`request_payment: ${line}; not signed`);
	});
});

describe('payments', () => {
	test('a small payment, up to exactly the limit, is approved at once', async () => {
		const client = await overStdio();
		const request = { invoice_id: 'INV-1001', payment_id: 'small', amount: 1000 };
		const result = await call(client, 'request_payment', request);
		expect(result.structuredContent).toEqual({
			approved: true,
			payment_id: 'small',
			invoice_id: 'INV-1001',
			supplier: 'Harbour Timber Ltd',
			amount: 1000,
			currency: 'EUR',
		});
		expect(decodePark(result)).toEqual({ kind: 'none' });
		const larger = { ...request, payment_id: 'larger', amount: 1000.01 };
		expect(decodePark(await call(client, 'request_payment', larger)).kind).toBe('park');
	});

	test('the same request again parks again and registers nothing more', async () => {
		const client = await overStdio();
		const request = { invoice_id: 'INV-1001' };
		const first = await call(client, 'request_payment', request);
		expect(await call(client, 'request_payment', request)).toEqual(first);
		expect(text(first)).toContain('Payment pay-INV-1001 of');
		expect(happened()).toEqual(['payment.requested']);
	});

	test('other data under a known payment_id is refused', async () => {
		const client = await overStdio();
		await call(client, 'request_payment', { invoice_id: 'INV-1002', payment_id: 'p' });
		const other = await call(client, 'request_payment', {
			invoice_id: 'INV-1003',
			payment_id: 'p',
		});
		expect(other.isError).toBe(true);
		expect(text(other)).toBe(
			'Payment p is already registered as 186.50 EUR for INV-1002; choose another payment_id.',
		);
		expect(happened()).toEqual(['payment.requested']);
	});

	test('a payment that was never requested is not paid', async () => {
		const client = await overStdio();
		const result = await call(client, 'settle_payment', { payment_id: 'nobody' });
		expect(result.isError).toBe(true);
		expect(text(result)).toBe('Payment nobody was never requested; call request_payment first.');
		expect(happened()).toEqual([]);
	});

	test('a payment is paid once, however often it is settled', async () => {
		const client = await overStdio();
		await call(client, 'request_payment', { invoice_id: 'INV-1001', payment_id: 'p' });
		const settle = (): Promise<CallToolResult> =>
			call(client, 'settle_payment', { payment_id: 'p' });
		const first = await settle();
		const again = await Promise.all([settle(), settle(), settle()]);
		expect(first.structuredContent).toMatchObject({ status: 'settled', amount: 4200 });
		for (const { structuredContent } of again) {
			expect(structuredContent).toEqual({
				...first.structuredContent,
				status: 'already-settled',
			});
		}
		expect(happened()).toEqual(['payment.requested', 'payment.settled']);
		const { structuredContent } = await call(client, 'request_payment', {
			invoice_id: 'INV-1001',
			payment_id: 'p',
		});
		expect(structuredContent).toMatchObject({ approved: true });
	});

	test('a restart between request and settle loses nothing', async () => {
		const before = await overStdio();
		await call(before, 'request_payment', { invoice_id: 'INV-1003', payment_id: 'p' });
		await before.close();
		const after = await overStdio();
		const settled = await call(after, 'settle_payment', { payment_id: 'p' });
		expect(settled.structuredContent).toMatchObject({ status: 'settled', amount: 12750.9 });
		const [, paid] = readEffects(file);
		expect(paid).toEqual({
			effect: 'payment.settled',
			paymentId: 'p',
			at: settled.structuredContent?.['settled_at'],
		});
	});

	test('two processes that settle at once pay once', async () => {
		// A long history makes looking slow, so that without the lock both would look before either pays.
		const past = { effect: 'park.broken', at: '2026-11-01T00:00:00.000Z' };
		writeFileSync(file, `${JSON.stringify(past)}\n`.repeat(20_000));
		const [one, two] = await Promise.all([overStdio(), overStdio()]);
		const ids = Array.from({ length: 10 }, (_, index) => `p${String(index)}`);
		for (const id of ids) {
			await call(one, 'request_payment', { invoice_id: 'INV-1002', payment_id: id });
		}
		const answers = await Promise.all(
			ids.flatMap((id) =>
				[one, two].map((client) => call(client, 'settle_payment', { payment_id: id })),
			),
		);
		const settled = answers.filter(
			({ structuredContent }) => structuredContent?.['status'] === 'settled',
		);
		expect(settled).toHaveLength(ids.length);
		expect(happened().filter((effect) => effect === 'payment.settled')).toHaveLength(ids.length);
	});

	test('a lock that a killed process left behind is taken over', async () => {
		const client = await overStdio();
		await call(client, 'request_payment', { invoice_id: 'INV-1002', payment_id: 'p' });
		const lock = `${file}.lock`;
		writeFileSync(lock, '');
		const longAgo = Date.now() / 1000 - 60;
		utimesSync(lock, longAgo, longAgo);
		const { structuredContent } = await call(client, 'settle_payment', { payment_id: 'p' });
		expect(structuredContent).toMatchObject({ status: 'settled' });
		expect(existsSync(lock)).toBe(false);
	});
});

describe('sleep and malformed parks', () => {
	test('seconds and instants both become a UTC instant', async () => {
		const client = await overStdio();
		const earliest = Date.now() + 90_000;
		const bySeconds = await call(client, 'schedule_reminder', { text: 'tea', seconds: 90 });
		const latest = Date.now() + 90_000;
		const reading = decodePark(bySeconds);
		expect(reading).toMatchObject({ kind: 'park', park: { kind: 'sleep' } });
		const [scheduled] = readEffects(file);
		const until = scheduled?.effect === 'reminder.scheduled' ? scheduled.until : '';
		expect(bySeconds._meta).toEqual({ salvor: { sleep_until: until } });
		expect(Date.parse(until)).toBeGreaterThanOrEqual(earliest);
		expect(Date.parse(until)).toBeLessThanOrEqual(latest);

		const at = '2030-01-02T03:04:05+02:00';
		const byInstant = await call(client, 'schedule_reminder', { text: 'tea', at });
		expect(byInstant._meta).toEqual({ salvor: { sleep_until: '2030-01-02T01:04:05.000Z' } });
	});

	test.each([
		['both', { text: 'tea', seconds: 90, at: '2030-01-02T03:04:05Z' }],
		['neither', { text: 'tea' }],
	])('%s of seconds and at is refused and schedules nothing', async (_, args) => {
		const client = await overStdio();
		const result = await call(client, 'schedule_reminder', args);
		expect(result.isError).toBe(true);
		expect(text(result)).toBe('Give exactly one of "seconds" and "at".');
		expect(happened()).toEqual([]);
	});

	test('the broken park is one that P4 refuses, and each call of it is counted', async () => {
		const client = await overStdio();
		const reading = decodePark(await call(client, 'broken_park'));
		expect(reading).toMatchObject({
			kind: 'refused',
			message: expect.stringMatching(/^_meta\.salvor\.sleepUntil /) as unknown,
		});
		expect(happened()).toEqual(['park.broken']);
	});
});

describe('quotes', () => {
	test('without a resume URL the signal is awaited and nothing is posted', async () => {
		const client = await overHttp();
		const result = await call(client, 'request_quote', { item: 'oak shelf', quantity: 40 });
		expect(decodePark(result)).toMatchObject({ kind: 'park', park: { kind: 'signal' } });
		expect(result._meta).toMatchObject({
			salvor: { suspend: { kind: 'signal', reason: "A supplier's quote for 40 × oak shelf" } },
		});
		expect(happened()).toEqual(['quote.requested']);
	});

	test('the quote is posted to the resume URL as it is, again after 409 and a cut connection', async () => {
		const client = await overHttp();
		const { url, bodies } = await inbox(409, 0, 202);
		const order = { item: 'oak shelf', quantity: 40 };
		await call(client, 'request_quote', order, { [RESUME_URL_KEY]: url });
		await expect
			.poll(happened, { timeout: WAIT_MS })
			.toEqual(['quote.requested', 'quote.answered']);
		const answer = {
			supplier: 'Harbour Timber Ltd',
			price: 496,
			currency: 'EUR',
			delivery_days: 5,
		};
		const post = { url: '/wait/7?token=abc&item=1', method: 'POST', answer };
		expect(bodies).toEqual([post, post, post]);
		expect(readEffects(file)[1]).toMatchObject({ item: 'oak shelf', attempts: 3 });
	});

	test('the resume URL never stands in the effects file', async () => {
		const client = await overStdio();
		const { url } = await inbox(200);
		const order = { item: 'oak shelf', quantity: 1 };
		await call(client, 'request_quote', order, { [RESUME_URL_KEY]: url });
		await expect.poll(happened, { timeout: WAIT_MS }).toContain('quote.answered');
		expect(JSON.stringify(readEffects(file))).not.toContain('abc');
	});
});

describe('posting a signal', () => {
	const patience = {
		maxAttempts: 4,
		firstBackoffMs: 20,
		maxBackoffMs: 40,
		requestTimeoutMs: 5_000,
	};

	test('patience ends: each wait is at least as long as the one stated', async () => {
		const { url, arrivedAt } = await inbox(409);
		expect(await postSignal(url, {}, patience)).toEqual({
			kind: 'gave-up',
			attempts: 4,
			problem: 'the resume address answered 409',
		});
		const gaps = arrivedAt.slice(1).map((at, index) => at - (arrivedAt[index] ?? at));
		expect(gaps).toHaveLength(3);
		[20, 40, 40].forEach((least, index) => {
			expect(gaps[index]).toBeGreaterThanOrEqual(least - 2);
		});
	});

	test.each([429, 500, 503])('a %i is tried again', async (status) => {
		const { url } = await inbox(status, 200);
		expect(await postSignal(url, {}, patience)).toEqual({ kind: 'delivered', attempts: 2 });
	});

	test.each([301, 400, 401, 404, 413, 422])('a %i is final', async (status) => {
		const { url, bodies } = await inbox(status);
		expect(await postSignal(url, {}, patience)).toEqual({
			kind: 'refused',
			attempts: 1,
			problem: `the resume address answered ${String(status)}`,
		});
		expect(bodies).toHaveLength(1);
	});

	test.each(['file:///etc/hostname', 'data:text/plain,x', 'not an address', ''])(
		'%j is not posted to',
		async (address) => {
			expect(await postSignal(address, {}, patience)).toMatchObject({
				kind: 'refused',
				attempts: 0,
			});
		},
	);
});

describe('the HTTP server', () => {
	test('a session ends with DELETE and is then unknown', async () => {
		const { url } = await startHttp();
		const headers = {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
		};
		const initialize = {
			jsonrpc: '2.0',
			id: 1,
			method: 'initialize',
			params: {
				protocolVersion: '2025-06-18',
				capabilities: {},
				clientInfo: { name: 'test', version: '1.0.0' },
			},
		};
		const post = (body: unknown, session?: string): Promise<Response> =>
			fetch(url, {
				method: 'POST',
				headers: { ...headers, ...(session !== undefined && { 'mcp-session-id': session }) },
				body: JSON.stringify(body),
			});
		const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

		const opened = await post(initialize);
		const session = opened.headers.get('mcp-session-id') ?? '';
		expect(session).toMatch(/^[0-9a-f-]{36}$/);
		expect((await post(list, session)).status).toBe(200);
		const deleted = await fetch(url, {
			method: 'DELETE',
			headers: { ...headers, 'mcp-session-id': session },
		});
		expect(deleted.status).toBe(200);
		expect((await post(list, session)).status).toBe(404);
		expect((await post(list)).status).toBe(400);
		expect((await fetch(url)).status).toBe(400);
		expect((await fetch(new URL('/other', url))).status).toBe(404);
	});

	test('a page from elsewhere is refused', async () => {
		const { url } = await startHttp();
		const response = await fetch(url, {
			method: 'POST',
			headers: { origin: 'http://attacker.example' },
		});
		expect(response.status).toBe(403);
	});

	test('two sessions share the payments', async () => {
		const { url } = await startHttp();
		const [one, two] = [await connectHttp(url), await connectHttp(url)];
		await call(one, 'request_payment', { invoice_id: 'INV-1001', payment_id: 'p' });
		const { structuredContent } = await call(two, 'settle_payment', { payment_id: 'p' });
		expect(structuredContent).toMatchObject({ status: 'settled' });
	});

	test('SIGTERM ends it with an open session', async () => {
		const { url, child } = await startHttp();
		await connectHttp(url);
		const exit = once(child, 'exit');
		child.kill('SIGTERM');
		expect(await exit).toEqual([0, null]);
	});
});

test.each([
	[['http', '--port', '5690x'], '--port must be a whole number, and not "5690x".'],
	[['carrier-pigeon'], 'Usage: node server.ts stdio | node server.ts http [--port 5690]'],
])('starting with %j ends with a sentence', async (args, sentence) => {
	const child = spawn(process.execPath, [SERVER, ...args], { env: environment() });
	let complaint = '';
	child.stderr.setEncoding('utf8').on('data', (part: string) => (complaint += part));
	const [code] = (await once(child, 'close')) as readonly unknown[];
	expect(code).toBe(1);
	expect(complaint.trim()).toBe(sentence);
});

test.each(['http', 'stdio'])('a key that cannot be used ends %s with one sentence', async (way) => {
	const env = { ...environment(), DEMO_PROVENANCE_KEY: '{"kty":"OKP"}' };
	const child = spawn(process.execPath, [SERVER, way, '--port', '0'], { env });
	let complaint = '';
	child.stderr.setEncoding('utf8').on('data', (part: string) => (complaint += part));
	const [code] = (await once(child, 'close')) as readonly unknown[];
	expect(code).toBe(1);
	expect(complaint).toBe(
		'DEMO_PROVENANCE_KEY cannot be used: The key looks like one of a key pair; give the public one as PEM, as openssl pkey -pubout prints it.\n',
	);
});

test('a taken port is named with the remedy', async () => {
	const { url } = await startHttp();
	const { port } = new URL(url);
	const child = spawn(process.execPath, [SERVER, 'http', '--port', port], { env: environment() });
	let complaint = '';
	child.stderr.setEncoding('utf8').on('data', (part: string) => (complaint += part));
	await once(child, 'close');
	expect(complaint.trim()).toBe(`Port ${port} is in use; choose another with --port.`);
});

describe('the inbox', () => {
	const inboxOf = ({ url }: Running) => new URL('/inbox', url).href;
	const post = async (address: string, body: string, headers: Record<string, string> = {}) =>
		await fetch(address, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body,
		});

	test('shows what was posted, the newest first, as text and links and nothing else', async () => {
		const inbox = inboxOf(await startHttp());
		const link = 'http://localhost/webhook-waiting/1?signature=a&item=0';
		expect((await post(inbox, JSON.stringify({ text: 'First', link }))).status).toBe(201);
		const markup = JSON.stringify({ text: '<b>"Second"</b>', link });
		expect((await post(inbox, markup)).status).toBe(201);
		const page = await (await fetch(inbox)).text();
		expect(page).toContain('href="http://localhost/webhook-waiting/1?signature=a&amp;item=0"');
		expect(page).toContain('&lt;b&gt;&quot;Second&quot;&lt;/b&gt;');
		expect(page.indexOf('Second')).toBeLessThan(page.indexOf('First'));
	});

	test('refuses what is no message, what could run as a link, and whoever is not on this machine', async () => {
		const inbox = inboxOf(await startHttp());
		const message = JSON.stringify({ text: 'x', link: 'https://example.com' });
		for (const body of [
			'',
			'{}',
			'null',
			'[]',
			'{"text":"x","link":"javascript:alert(1)"}',
			'{"text":"x","link":null}',
		]) {
			expect((await post(inbox, body)).status).toBe(400);
		}
		const large = JSON.stringify({ text: 'x'.repeat(70_000), link: 'https://example.com' });
		expect((await post(inbox, large)).status).toBe(400);
		expect((await post(inbox, message, { 'content-type': 'text/plain' })).status).toBe(400);
		expect((await post(inbox, message, { origin: 'https://example.com' })).status).toBe(403);
		expect((await fetch(inbox, { method: 'PUT' })).status).toBe(405);
		expect(await (await fetch(inbox)).text()).toContain('No messages yet');
	});
});
