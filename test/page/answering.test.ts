import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/host/chromium';
import type { AnswerModel } from '../../src/page/pageModel';
import { launchChromium } from '../support/editorPage';
import { openPage, widthOver } from '../support/pageBrowser';
import { asking, type PagePeer, type PageReply, startPagePeer } from '../support/pagePeer';
import { PAYMENT } from '../support/pageSchemas';

describe.skipIf(chromiumPath() === undefined)('answering on the resume page (R8)', () => {
	let browser: Browser;
	let peer: PagePeer;
	let page: Page;
	let complaints: readonly string[];

	beforeAll(async () => {
		peer = await startPagePeer();
		browser = await launchChromium(chromiumPath() ?? '');
	});
	beforeEach(() => peer.reset());
	afterEach(async () => {
		await page.context().close();
	});
	afterAll(async () => {
		await browser.close();
		await peer.close();
	});

	async function open(
		schema: unknown,
		more: Partial<AnswerModel> = {},
		options: BrowserContextOptions = {},
	): Promise<void> {
		peer.model = asking(schema, more);
		({ page, complaints } = await openPage(browser, peer.address, options));
	}

	const send = () => page.getByRole('button', { name: 'Send answer' }).click();
	const receipt = () => page.getByRole('heading', { name: 'Your answer was recorded' }).waitFor();
	const foot = () => page.locator('.foot').innerText();
	const lastAnswer = (): unknown => JSON.parse(peer.posted.at(-1) ?? 'null');
	const problemOf = (path: string) => page.locator(`[data-path="${path}"] .problem`).innerText();
	const focusedPath = () =>
		page.evaluate<string>('document.activeElement.closest("[data-path]")?.dataset.path');

	it('sends numbers as numbers and choices with their own types, and leaves out what was left empty', async () => {
		await open(PAYMENT);
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
		expect(peer.headers['x-salvor-parked-at']).toBe('2026-11-03T09:12:00.000Z');
		expect(peer.headers.referer).toBeUndefined();
		const told = await page.locator('.recorded').innerText();
		expect(told).toContain('Second reminder');
		expect(told).toMatch(/Do you approve this payment\?\s+Yes/);
		expect(await page.locator('.receipt').innerText()).toContain(
			'its link does not show your answer again',
		);
		expect(await foot()).toBe(
			'Keep the address of this page to yourself: a later question of the workflow may have the same one.',
		);
		expect(await page.evaluate('document.activeElement.id')).toBe('receipt-title');
		expect(page.url()).toBe(peer.address);
		expect(complaints).toEqual([]);
	});

	it('shows the problems of a refused answer beside their fields, keeps what was typed, and takes the corrected one', async () => {
		await open(PAYMENT);
		await page.getByRole('radio', { name: 'No', exact: true }).check();
		await page.getByLabel('Amount to pay').fill('0.5');
		await page.getByLabel('Note').fill('no');
		await send();
		await page.getByText('Must be at least 1.', { exact: true }).waitFor();
		const note = page.getByLabel('Note');
		expect(await note.getAttribute('aria-invalid')).toBe('true');
		const describedBy = (await note.getAttribute('aria-describedby'))?.split(' ') ?? [];
		const told = await page
			.locator(describedBy.map((id) => `[id="${id}"]`).join(','))
			.allInnerTexts();
		expect(told.join(' ')).toContain('at least 3 characters');
		expect(await note.inputValue()).toBe('no');
		expect(await page.getByRole('alert').innerText()).toContain('2 things need a change');
		expect(await focusedPath()).toBe('$.amount');
		await page.getByLabel('Amount to pay').fill('12');
		expect(await page.getByLabel('Amount to pay').getAttribute('aria-invalid')).toBe('false');
		await note.fill('Not ours.');
		await send();
		await receipt();
		expect(lastAnswer()).toEqual({ approved: false, amount: 12, note: 'Not ours.' });
	});

	it.each([
		['90071992547409931', 'too large to be sent exactly'],
		['1e400', 'Write a number'],
	])('does not send %s as a number', async (typed, words) => {
		await open(PAYMENT);
		await page.getByLabel('Amount to pay').fill('');
		await page.getByLabel('Amount to pay').pressSequentially(typed);
		await send();
		await page.getByRole('alert').waitFor();
		expect(await problemOf('$.amount')).toContain(words);
		expect(await focusedPath()).toBe('$.amount');
		expect(peer.posted).toEqual([]);
	});

	it('is answered with the keyboard alone', async () => {
		await open(PAYMENT);
		const press = (key: string) => page.keyboard.press(key);
		await press('Tab');
		expect(await focusedPath()).toBe('$.approved');
		await press('Space');
		await press('ArrowRight');
		await press('Tab');
		await press('Control+a');
		await page.keyboard.type('7.25');
		await press('Enter');
		await receipt();
		expect(lastAnswer()).toEqual({ approved: false, amount: 7.25 });
	});

	it('takes a choice back, and adds and leaves out optional parts', async () => {
		const part = {
			type: 'object',
			properties: { city: { type: 'string', title: 'City' } },
			required: ['city'],
		};
		await open({
			properties: {
				pick: { title: 'Pick', enum: ['a', 'b'] },
				to: part,
				rows: { type: 'array', title: 'Rows', items: part },
			},
		});
		await page.getByRole('radio', { name: 'a', exact: true }).check();
		await page.getByRole('radio', { name: 'No answer' }).check();
		await page.getByRole('button', { name: 'Add To' }).click();
		expect(await focusedPath()).toBe('$.to.city');
		await page.getByRole('button', { name: 'Leave out To' }).click();
		await page.getByRole('button', { name: 'Add Rows' }).click();
		for (const city of ['Kiel', 'Bremen', 'Lübeck']) {
			await page.getByRole('button', { name: 'Add an entry' }).click();
			await page.getByLabel('City').last().fill(city);
		}
		await page.getByRole('button', { name: 'Remove entry 2' }).click();
		await send();
		await receipt();
		expect(lastAnswer()).toEqual({ rows: [{ city: 'Kiel' }, { city: 'Lübeck' }] });
	});

	it('proposes the defaults of a row that is added, and keeps one that was cleared cleared', async () => {
		const row = { type: 'object', properties: { n: { type: 'integer', title: 'N', default: 3 } } };
		await open({
			properties: { rows: { type: 'array', title: 'Rows', items: row } },
			required: ['rows'],
		});
		await page.getByRole('button', { name: 'Add an entry' }).click();
		await page.getByRole('button', { name: 'Add an entry' }).click();
		expect(await page.getByLabel('N', { exact: true }).first().inputValue()).toBe('3');
		await page.getByLabel('N', { exact: true }).first().fill('');
		await page.getByLabel('N', { exact: true }).last().fill('4');
		await send();
		await receipt();
		expect(lastAnswer()).toEqual({ rows: [{}, { n: 4 }] });
	});

	it('drops what was typed under another alternative or a condition that no longer holds', async () => {
		await open({
			properties: { decision: { title: 'Decision', enum: ['yes', 'no'] } },
			required: ['decision'],
			additionalProperties: true,
			if: { properties: { decision: { const: 'no' } }, required: ['decision'] },
			then: { properties: { why: { type: 'string', title: 'Why' } } },
		});
		await page.getByRole('radio', { name: 'no', exact: true }).check();
		await page.getByLabel('Why').fill('Not ours');
		await page.getByRole('radio', { name: 'yes', exact: true }).check();
		await page.getByLabel('Why').waitFor({ state: 'detached' });
		await send();
		await receipt();
		expect(lastAnswer()).toEqual({ decision: 'yes' });
	});

	it('takes JSON instead of the fields, beginning with what they held', async () => {
		await open(PAYMENT);
		await page.getByLabel('Amount to pay').fill('20');
		await page.getByRole('button', { name: 'Write JSON instead' }).click();
		const box = page.getByLabel('Answer as JSON');
		expect(JSON.parse(await box.inputValue())).toEqual({ amount: 20 });
		await box.fill('{ "approved": "yes", "amount": 20 }');
		await send();
		await page.getByText('must be a boolean, but a string arrived').first().waitFor();
		await box.fill('{ "approved": true, ');
		await send();
		await page.getByText('This is not valid JSON').first().waitFor();
		await box.fill('{ "approved": true, "amount": 20 }');
		await send();
		await receipt();
		expect(lastAnswer()).toEqual({ approved: true, amount: 20 });
		expect(peer.posted).toHaveLength(2);
	});

	it.each<[unknown, string]>([
		[true, '"plain words"'],
		[{}, '{"any": [1, null]}'],
		[{ type: 'array' }, '[1, 2]'],
	])('has a JSON box for the schema %j', async (schema, typed) => {
		await open(schema);
		await send();
		await page.getByText('Write the answer as JSON first.').first().waitFor();
		await page.getByLabel('Your answer, as JSON').fill(typed);
		await send();
		await receipt();
		expect(lastAnswer()).toEqual(JSON.parse(typed));
	});

	it('says that nothing is checked when the schema is not usable, and takes JSON', async () => {
		await open({ type: 'nonsense' }, { schemaWarning: 'the schema is not valid: type' });
		expect(await page.locator('.note').first().innerText()).toContain('is not checked');
		await page.getByLabel('Your answer, as JSON').fill('7');
		await send();
		await receipt();
		expect(lastAnswer()).toBe(7);
	});

	it('places the problem of an entry beside it, and of a surplus property on top', async () => {
		await open({
			properties: {
				lines: {
					type: 'array',
					title: 'Lines',
					minItems: 1,
					items: { type: 'integer', title: 'Line', minimum: 5 },
				},
			},
			required: ['lines'],
		});
		await page.getByLabel('Line 1').fill('2');
		await send();
		await page.getByRole('alert').waitFor();
		expect(await problemOf('$.lines[0]')).toBe('Must be at least 5.');
		const issues = [{ path: '$.extra', message: 'is not allowed here' }];
		peer.replies.push({ status: 422, body: JSON.stringify({ status: 'rejected', issues }) });
		await send();
		await page.getByText('extra is not allowed here.').waitFor();
	});

	it('sends an instant in UTC, and null for a required field that may be null', async () => {
		const schema = {
			properties: {
				at: { type: 'string', format: 'date-time' },
				by: { type: ['string', 'null'] },
				preset: { type: 'string', format: 'date-time', default: '2026-11-03T08:00:00Z' },
			},
			required: ['at', 'by', 'preset'],
		};
		await open(schema, {}, { timezoneId: 'Europe/Berlin' });
		expect(await page.getByLabel('Preset').inputValue()).toBe('2026-11-03T09:00');
		await page
			.getByRole('textbox', { name: /^At / })
			.or(page.locator('[data-path="$.at"] input'))
			.first()
			.fill('2026-11-03T10:30');
		await send();
		await receipt();
		expect(lastAnswer()).toEqual({
			at: '2026-11-03T09:30:00.000Z',
			by: null,
			preset: '2026-11-03T08:00:00Z',
		});
	});

	it.each<[string, PageReply, string, 'open' | 'over']>([
		[
			'was answered',
			{ status: 409, body: '{"status":"answered","answered_at":"2026-11-03T10:00:00Z"}' },
			'3 November 2026 at 10:00',
			'over',
		],
		[
			'is out of time',
			{ status: 409, body: '{"status":"expired","deadline":"2026-11-03T10:00:00Z"}' },
			'The time for this answer is over',
			'over',
		],
		[
			'went on',
			{ status: 409, body: '{"code":409,"message":"The execution \\"7\\" has finished already."}' },
			'not wait for an answer any more',
			'over',
		],
		[
			'is asleep',
			{ status: 409, body: '{"sleep_until":"2026-11-03T10:00:00Z"}' },
			'The workflow is asleep',
			'over',
		],
		['is gone', { status: 404, body: '{"message":"none"}' }, 'Nothing waits here any more', 'over'],
		[
			'does not know the token',
			{ status: 401, body: '{"error":"Invalid token"}' },
			'This address is not valid',
			'open',
		],
		['breaks', { status: 500, body: '{"id":"E-77"}' }, 'E-77', 'open'],
		[
			'is starting',
			{ status: 503, body: '<h1>n8n is starting up</h1>' },
			'The server has a problem',
			'open',
		],
		['cannot be reached', { status: 0, body: '' }, 'not known whether your answer arrived', 'open'],
		['is another page', { status: 200, body: '<h1>Log in</h1>' }, 'unexpected reply', 'open'],
		['takes less', { status: 413, body: '' }, 'too large', 'open'],
	])('says so when the address %s, and keeps what was typed', async (_, reply, words, state) => {
		await open(PAYMENT);
		await page.getByRole('radio', { name: 'Yes' }).check();
		await page.getByLabel('Note').fill('Typed before');
		// Chromium sends again on its own when a kept connection breaks.
		peer.replies.push(reply, reply, reply, reply);
		await send();
		await page.getByRole('alert').waitFor();
		expect(await page.getByRole('alert').innerText()).toContain(words);
		expect(await page.getByRole('radio', { name: 'Yes' }).isChecked()).toBe(true);
		expect(await page.getByLabel('Note').inputValue()).toBe('Typed before');
		expect(await page.getByRole('button', { name: 'Send answer' }).count()).toBe(
			state === 'open' ? 1 : 0,
		);
		expect(await foot()).toBe(
			`Opening this page changes nothing.${
				state === 'open' ? ' Keep its address to yourself: whoever has it can answer.' : ''
			}`,
		);
		expect(await page.locator('.receipt').count()).toBe(0);
	});

	it('sends once however often Send is pressed, and links to what still waits', async () => {
		await open(PAYMENT);
		await page.getByRole('radio', { name: 'Yes' }).check();
		peer.waiting = {
			status: 'waiting',
			items: [
				{ item: 0, kind: 'person', reason: 'This one', answered_at: '2026-11-03T10:00:00Z' },
				{ item: 1, kind: 'person', reason: 'Pay <b>Harbour</b> Timber?' },
				{ item: 2, kind: 'sleep', sleep_until: '2099-01-01T00:00:00Z' },
			],
		};
		peer.replies.push({ status: 202, body: '{"status":"recorded","remaining":1}' });
		await page.evaluate(
			`for (let n = 0; n < 5; n++) document.querySelector('form').requestSubmit()`,
		);
		await receipt();
		expect(await page.locator('.receipt').innerText()).toContain('one more answer is in');
		expect(await page.locator('.receipt').innerText()).not.toContain('its link');
		expect(await foot()).toBe(
			'Opening this page changes nothing. Keep its address to yourself: whoever has it can answer what still waits.',
		);
		const link = page.getByRole('link', { name: 'Pay <b>Harbour</b> Timber?' });
		expect(await link.getAttribute('href')).toBe('?signature=abc&item=1');
		expect(await page.locator('.others a').count()).toBe(2);
		expect(peer.posted).toHaveLength(1);
	});

	it('changes nothing by being opened', async () => {
		await open(PAYMENT);
		await page.reload();
		expect(peer.gets).toHaveLength(2);
		expect(peer.posted).toEqual([]);
	});

	it('fits a phone without scrolling sideways', async () => {
		await open(
			PAYMENT,
			{ tool: `a_tool_with_${'a_very_long_'.repeat(12)}name` },
			{ viewport: { width: 320, height: 700 } },
		);
		expect(await widthOver(page)).toBe(0);
		await page.getByRole('button', { name: 'Write JSON instead' }).click();
		expect(await widthOver(page)).toBe(0);
	});

	it('says of a signal that nobody needs to act, until an operator has answered by hand', async () => {
		await open(PAYMENT, { kind: 'signal', reason: 'Waiting for the quote of Northwind Traders' });
		expect(await page.locator('main').innerText()).toContain('Another system answers this');
		expect(await page.getByRole('button', { name: 'Send answer' }).isVisible()).toBe(false);
		await page.getByText('Answer by hand').click();
		await page.getByRole('radio', { name: 'Yes' }).check();
		await send();
		await receipt();
		expect(lastAnswer()).toMatchObject({ approved: true });
		expect(await page.locator('main').innerText()).not.toContain('Another system answers this');
	});

	it('says when a sleeper wakes, in the reader’s time and in UTC, and until when an answer is taken', async () => {
		const origin = { tool: 'schedule_reminder', parkedAt: '2026-11-03T09:12:00Z' };
		const berlin = { timezoneId: 'Europe/Berlin' };
		await open(PAYMENT, { deadline: '2099-11-05T08:00:00Z' }, berlin);
		expect(await page.locator('.facts').innerText()).toMatch(
			/Answer by\s+5 November 2099 at 09:00 CET in \d+ years/,
		);
		peer.model = { kind: 'sleep', until: '2099-11-05T08:00:00Z', ...origin };
		await page.reload();
		const text = await page.locator('main').innerText();
		expect(text).toContain('5 November 2099 at 09:00 CET');
		expect(text).toContain('5 November 2099 at 08:00 UTC');
		expect(await page.getByRole('button').count()).toBe(0);
	});

	it('says without scripts what is awaited and how to answer', async () => {
		await open(PAYMENT, {}, { javaScriptEnabled: false });
		const text = await page.locator('main').innerText();
		expect(text).toContain('Pay EUR 1,480.50 to Northwind Traders');
		expect(text).toContain('The form needs JavaScript');
		expect(text).toContain('curl -X POST');
		await page.getByText('What the answer must look like').click();
		expect(await page.getByRole('region', { name: 'JSON Schema' }).innerText()).toContain(
			'cost_centre',
		);
	});
});
