import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pageHeaders } from '../../src/page/pageHeaders';
import type { PageModel } from '../../src/page/pageModel';
import { renderPage } from '../../src/page/renderPage';
import { compileSchema } from '../../src/schema/checkSchema';
import { toFormModel } from '../../src/schema/toFormModel';

const EXECUTABLE = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
].find((path) => existsSync(path));
/** Where pictures go; none are taken when it is not set. */
const SHOTS = process.env['SALVOR_PAGE_SHOTS'];
if (EXECUTABLE === undefined) console.warn('SKIPPED: the resume page’s browser tests: no Chromium');

const PAYMENT = {
	type: 'object',
	properties: {
		approved: { type: 'boolean', title: 'Do you approve this payment?' },
		amount: { type: 'number', title: 'Amount to pay', minimum: 1, default: 1480.5 },
		copies: { type: 'integer' },
		cost_centre: { enum: [100, 200, '300'], description: 'Where it is booked.' },
		note: {
			type: 'string',
			maxLength: 400,
			minLength: 3,
			description: 'Printed on the remittance advice.',
		},
		pay_on: { type: 'string', format: 'date' },
	},
	required: ['approved', 'amount'],
	additionalProperties: false,
};

interface Reply {
	readonly status: number;
	readonly body: string;
}

/** A stand-in for the resume address: serves one page, judges answers against its schema, keeps what was posted. */
interface Peer {
	model: PageModel;
	/** Replies to be given before answers are judged. */
	readonly replies: Reply[];
	readonly posted: string[];
	gets: number;
}

const peer: Peer = { model: problem(), replies: [], posted: [], gets: 0 };

function problem(): PageModel {
	return { kind: 'problem', title: 'Nothing waits here', message: 'It was answered already.' };
}

function asks(
	schema: unknown,
	more: Partial<Extract<PageModel, { kind: 'person' | 'signal' }>> = {},
) {
	peer.model = {
		kind: 'person',
		reason: 'Pay EUR 1,480.50 to Northwind Traders for invoice INV-2026-0117?',
		tool: 'request_payment',
		serverName: 'Demo server',
		workflowName: 'Approve a payment',
		parkedAt: '2026-11-03T09:12:00.000Z',
		form: toFormModel(schema),
		schema,
		...more,
	};
}

function judge(body: string): Reply {
	const { model } = peer;
	if (model.kind !== 'person' && model.kind !== 'signal') return { status: 404, body: '{}' };
	const compiled = compileSchema(model.schema);
	const issues = compiled.kind === 'compiled' ? compiled.check(JSON.parse(body)) : [];
	return issues.length > 0
		? { status: 422, body: JSON.stringify({ status: 'rejected', issues }) }
		: { status: 200, body: JSON.stringify({ status: 'resumed' }) };
}

function serve(request: IncomingMessage, response: ServerResponse): void {
	if (request.method === 'GET') {
		peer.gets++;
		const nonce = randomBytes(16).toString('base64');
		response.writeHead(200, pageHeaders(nonce)).end(renderPage(peer.model, nonce));
		return;
	}
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.on('end', () => {
		const body = Buffer.concat(chunks).toString();
		peer.posted.push(body);
		const reply = peer.replies.shift() ?? judge(body);
		if (reply.status === 0) response.destroy();
		else response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(reply.body);
	});
}

describe.skipIf(EXECUTABLE === undefined)('the resume page in Chromium (R8)', () => {
	let browser: Browser;
	let server: Server;
	let address: string;
	let page: Page;
	let complaints: string[];

	beforeAll(async () => {
		browser = await chromium.launch({
			executablePath: EXECUTABLE ?? '',
			args: [
				'--headless',
				'--no-sandbox',
				'--disable-gpu',
				'--disable-quic',
				'--no-first-run',
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
			],
		});
		server = createServer(serve);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const bound = server.address();
		const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
		address = `http://127.0.0.1:${port}/webhook-waiting/1?signature=abc`;
		if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true });
	});

	afterAll(async () => {
		await browser.close();
		server.closeAllConnections();
		server.close();
	});

	afterEach(async () => {
		await page.context().close();
		peer.replies.length = 0;
		peer.posted.length = 0;
		peer.gets = 0;
	});

	async function open(options: BrowserContextOptions = {}) {
		const context = await browser.newContext({
			viewport: { width: 1000, height: 900 },
			timezoneId: 'Europe/Berlin',
			...options,
		});
		page = await context.newPage();
		complaints = [];
		page.on('pageerror', (error) => complaints.push(error.message));
		page.on('dialog', (dialog) => {
			complaints.push(`dialog: ${dialog.message()}`);
			void dialog.dismiss();
		});
		page.on('console', (message) => {
			// Chromium logs every reply of 400 and above; what matters is the page's policy and its script.
			if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
				complaints.push(message.text());
			}
		});
		await page.goto(address);
	}

	async function shoot(name: string) {
		if (SHOTS !== undefined)
			await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
	}

	const send = () => page.getByRole('button', { name: 'Send answer' }).click();
	const receipt = () => page.getByRole('heading', { name: 'Your answer was recorded' }).waitFor();
	const alertText = () => page.getByRole('alert').innerText();
	const lastAnswer = (): unknown => JSON.parse(peer.posted.at(-1) ?? 'null');
	const widthOver = () =>
		page.evaluate<number>(
			'document.documentElement.scrollWidth - document.documentElement.clientWidth',
		);
	const focused = () => page.evaluate<string>('document.activeElement.id');

	it('sends numbers as numbers and choices with their own types, and leaves out what was left empty', async () => {
		asks(PAYMENT);
		await open();
		await shoot('light');
		await page.getByRole('radio', { name: 'Yes' }).check();
		await page.getByRole('radio', { name: '200' }).check();
		await page.getByLabel('Note').fill('Second reminder');
		await send();
		await receipt();
		expect(lastAnswer()).toEqual({
			approved: true,
			amount: 1480.5,
			cost_centre: 200,
			note: 'Second reminder',
		});
		expect(peer.posted).toHaveLength(1);
		expect(await page.locator('.recorded').innerText()).toContain('Second reminder');
		expect(await focused()).toBe('receipt');
		await shoot('receipt');
		expect(complaints).toEqual([]);
	});

	it('shows the problems of a refused answer beside their fields, keeps what was typed, and takes the corrected one', async () => {
		asks(PAYMENT);
		await open();
		await page.getByRole('radio', { name: 'No', exact: true }).check();
		await page.getByLabel('Amount to pay').fill('0.5');
		await page.getByLabel('Note').fill('no');
		await send();
		await page.getByText('Must be at least 1.', { exact: true }).waitFor();
		expect(await page.getByLabel('Note').getAttribute('aria-invalid')).toBe('true');
		expect(await page.getByLabel('Note').inputValue()).toBe('no');
		expect(await alertText()).toContain('2 things need a change');
		expect(await focused()).toBe('field-1');
		await shoot('problems');
		await page.getByLabel('Amount to pay').fill('12');
		expect(await page.getByLabel('Amount to pay').getAttribute('aria-invalid')).toBeNull();
		await page.getByLabel('Note').fill('Not ours.');
		await send();
		await receipt();
		expect(lastAnswer()).toEqual({ approved: false, amount: 12, note: 'Not ours.' });
	});

	it('asks for a required choice before it sends anything', async () => {
		asks(PAYMENT);
		await open();
		await send();
		expect(await page.locator('#field-0-problem').innerText()).toBe('Choose one of these.');
		expect(await focused()).toBe('field-0-0');
		expect(peer.posted).toEqual([]);
	});

	it.each([
		['1,5', 'Write a number with digits and a point'],
		['lots', 'Write a number with digits and a point'],
		['1e999', 'Write a number with digits and a point'],
		['90071992547409931', 'too large to be sent exactly'],
	])('does not send %s as a number', async (typed, words) => {
		asks(PAYMENT);
		await open();
		await page.getByLabel('Amount to pay').fill(typed);
		await page.getByRole('radio', { name: 'Yes' }).check();
		await send();
		expect(await page.locator('#field-1-problem').innerText()).toContain(words);
		expect(peer.posted).toEqual([]);
	});

	it('is answered with the keyboard alone', async () => {
		asks(PAYMENT);
		await open();
		const press = (key: string) => page.keyboard.press(key);
		await press('Tab');
		expect(await focused()).toBe('field-0-0');
		await press('Space');
		await press('ArrowRight');
		await press('Tab');
		await press('Control+a');
		await page.keyboard.type('7.25');
		await press('Enter');
		await receipt();
		expect(lastAnswer()).toEqual({ approved: false, amount: 7.25 });
	});

	it('takes JSON instead of the fields, beginning with what they held', async () => {
		asks(PAYMENT);
		await open();
		await page.getByLabel('Amount to pay').fill('20');
		await page.getByRole('button', { name: 'Write JSON instead' }).click();
		const box = page.getByLabel('Answer as JSON');
		expect(JSON.parse(await box.inputValue())).toEqual({ amount: 20 });
		await box.fill('{ "approved": "yes", "amount": 20 }');
		await page.getByText('What the answer must look like').click();
		await send();
		await page.getByText('must be a boolean, but a string arrived').first().waitFor();
		await shoot('json-problem');
		await box.fill('{ "approved": true, ');
		await send();
		expect(await page.locator('#json-problem').innerText()).toContain('not valid JSON');
		await box.fill('{ "approved": true, "amount": 20 }');
		await send();
		await receipt();
		expect(lastAnswer()).toEqual({ approved: true, amount: 20 });
		expect(peer.posted).toHaveLength(2);
	});

	it.each<[unknown, string]>([
		[true, '"plain words"'],
		[{ type: 'array', items: { type: 'integer' } }, '[1, 2]'],
		[{ type: 'boolean' }, 'false'],
	])('has a JSON box for the schema %j', async (schema, typed) => {
		asks(schema);
		await open();
		await send();
		expect(await page.locator('#json-problem').innerText()).toContain('first');
		await page.getByLabel('Your answer, as JSON').fill(typed);
		await send();
		await receipt();
		expect(lastAnswer()).toEqual(JSON.parse(typed));
	});

	it('places the problems of a nested value and of a surplus property', async () => {
		asks({
			properties: { lines: { type: 'array', items: { type: 'integer' } } },
			required: ['lines'],
		});
		await open();
		await page.getByLabel('Lines').fill('[1, "x"]');
		await send();
		await page.locator('#field-0-problem').waitFor();
		expect(await page.locator('#field-0-problem').innerText()).toContain(
			'[1] must be a whole number',
		);
		const issues = [{ path: '$.extra', message: 'is not allowed here' }];
		peer.replies.push({ status: 422, body: JSON.stringify({ status: 'rejected', issues }) });
		await send();
		await page.getByText('extra is not allowed here.').waitFor();
	});

	it('sends an instant with an offset, and null for a required field that may be null', async () => {
		const schema = {
			properties: {
				at: { type: 'string', format: 'date-time' },
				by: { type: ['string', 'null'] },
				preset: { type: 'string', format: 'date-time', default: '2026-11-03T08:00:00Z' },
			},
			required: ['at', 'by', 'preset'],
		};
		asks(schema);
		await open();
		expect(await page.getByLabel('Preset').inputValue()).toBe('2026-11-03T09:00');
		await page.getByLabel('At').fill('2026-11-03T10:30:00');
		await send();
		await receipt();
		expect(lastAnswer()).toEqual({
			at: '2026-11-03T09:30:00.000Z',
			by: null,
			preset: '2026-11-03T08:00:00.000Z',
		});
	});

	it('runs nothing that came from the server, and answers under hostile names', async () => {
		const markup = `</script><script>alert('ran')</script><img src=x onerror=alert(1)>`;
		const schema: unknown = JSON.parse(
			JSON.stringify({
				type: 'object',
				properties: {
					PROTO: { type: 'string', title: markup, description: `javascript:alert(1) ${markup}` },
					constructor: { type: 'string', default: `"><script>alert(2)</script>` },
					[markup]: { enum: [markup, '\u202egnp.exe', 'c', 'd', 'e', 'f'] },
				},
				required: ['PROTO'],
			}).replaceAll('PROTO', '__proto__'),
		);
		asks(schema, {
			reason: `${markup}\u202e backwards ${'long '.repeat(20_000)}`,
			tool: `javascript:alert(3)${markup}`,
			serverName: `\u202eServer ${markup}`,
		});
		await open();
		await shoot('hostile');
		await send();
		await page.locator('#field-0').fill(markup);
		await send();
		await receipt();
		expect(peer.posted[0]).toContain('"__proto__":"</script>');
		expect(await widthOver()).toBe(0);
		expect(await page.locator('img').count()).toBe(0);
		expect(complaints).toEqual([]);
	});

	it.each<[string, Reply, string]>([
		['was answered', { status: 409, body: '{"answered_at":"2026-11-03T10:00:00Z"}' }, '11:00'],
		['is gone', { status: 404, body: '{"message":"none"}' }, 'Nothing waits here any more'],
		['breaks', { status: 500, body: '{"id":"E-77"}' }, 'E-77'],
		['cannot be reached', { status: 0, body: '' }, 'not known whether your answer arrived'],
		['is another page', { status: 200, body: '<h1>Log in</h1>' }, 'unexpected reply'],
		['is too small', { status: 413, body: '' }, 'too large'],
	])('says so when the address %s', async (_, reply, words) => {
		asks(PAYMENT);
		await open();
		await page.getByRole('radio', { name: 'Yes' }).check();
		// Chromium sends again on its own when a kept connection breaks.
		peer.replies.push(reply, reply, reply, reply);
		await send();
		await page.getByRole('alert').waitFor();
		expect(await alertText()).toContain(words);
		expect(await page.getByRole('radio', { name: 'Yes' }).isChecked()).toBe(true);
		expect(await page.locator('#receipt').count()).toBe(0);
		if (reply.status === 409) await shoot('answered');
	});

	it('sends once however often Send is pressed, and counts the answers still missing', async () => {
		asks(PAYMENT);
		await open();
		await page.getByRole('radio', { name: 'Yes' }).check();
		peer.replies.push({ status: 202, body: '{"status":"recorded","remaining":2}' });
		await page.evaluate(`for (let n = 0; n < 5; n++) {
			document.getElementById('answer').requestSubmit();
			document.getElementById('send').click();
		}`);
		await receipt();
		expect(await page.locator('#receipt').innerText()).toContain('2 more answers are in');
		expect(peer.posted).toHaveLength(1);
	});

	it('changes nothing by being opened', async () => {
		asks(PAYMENT);
		await open();
		await page.reload();
		expect(peer.gets).toBe(2);
		expect(peer.posted).toEqual([]);
	});

	it('fits a phone without scrolling sideways', async () => {
		asks(PAYMENT, { tool: `a_tool_with_${'a_very_long_'.repeat(12)}name` });
		await open({ viewport: { width: 320, height: 700 }, deviceScaleFactor: 2 });
		expect(await widthOver()).toBe(0);
		asks(PAYMENT);
		await page.setViewportSize({ width: 390, height: 844 });
		await page.reload();
		await shoot('phone');
		await page.getByRole('button', { name: 'Write JSON instead' }).click();
		expect(await widthOver()).toBe(0);
	});

	it('follows the browser’s dark mode', async () => {
		asks(PAYMENT, { schemaWarning: 'The schema does not compile: the pattern "(" is broken.' });
		await open({ colorScheme: 'dark' });
		const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
		expect(ground).toBe('rgb(19, 22, 25)');
		await shoot('dark');
		await send();
		await shoot('dark-problems');
	});

	it('says of a signal that nobody needs to act, and lets an operator answer by hand', async () => {
		asks(PAYMENT, { kind: 'signal', reason: 'Waiting for the quote of Northwind Traders' });
		await open();
		expect(await page.locator('#answer').isVisible()).toBe(false);
		await shoot('signal');
		await page.getByText('Answer by hand').click();
		await page.getByRole('radio', { name: 'Yes' }).check();
		await shoot('signal-open');
		await send();
		await receipt();
		expect(lastAnswer()).toMatchObject({ approved: true });
	});

	it('says when a sleeper wakes, in the reader’s time and in UTC', async () => {
		const origin = { tool: 'schedule_reminder', parkedAt: '2026-11-03T09:12:00Z' };
		peer.model = { kind: 'sleep', until: '2099-11-05T08:00:00Z', ...origin };
		await open();
		const text = await page.locator('main').innerText();
		expect(text).toContain('5 November 2099 at 09:00 CET');
		expect(text).toContain('5 November 2099 at 08:00 UTC');
		expect(await page.getByRole('button').count()).toBe(0);
		await shoot('sleep');
		expect(complaints).toEqual([]);
	});

	it('shows a problem as words', async () => {
		peer.model = problem();
		await open();
		expect(await page.locator('h1').innerText()).toBe('Nothing waits here');
		await shoot('problem-page');
	});

	it('says without scripts that it needs them', async () => {
		asks(PAYMENT);
		await open({ javaScriptEnabled: false });
		expect(await page.locator('noscript').innerText()).toContain('needs JavaScript');
		await shoot('noscript');
	});
});
