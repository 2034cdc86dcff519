import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/host/chromium';
import type { ListedItem, PageModel } from '../../src/page/pageModel';
import { launchChromium } from '../support/editorPage';
import { accessProblems, openPage, pagePicture, widthOver } from '../support/pageBrowser';
import { asking, type PagePeer, startPagePeer } from '../support/pagePeer';
import { ORDER, PAYMENT } from '../support/pageSchemas';

const ORIGIN = {
	tool: 'request_quote',
	serverName: 'Demo server',
	workflowName: 'Order timber',
	parkedAt: '2026-11-03T09:12:00.000Z',
};
const REASON = 'Pay EUR 1,480.50 to Northwind Traders for invoice INV-2026-0117?';
const item = (index: number, more: Partial<ListedItem> = {}): ListedItem => ({
	item: index,
	kind: 'person',
	tool: 'request_payment',
	text: `Pay EUR ${String(4 + index)},200.00 to Harbour Timber Ltd for invoice INV-100${String(index + 1)}?`,
	href: `?signature=abc&item=${String(index)}`,
	...more,
});
const LIST: PageModel = {
	kind: 'list',
	workflowName: 'Approve payments',
	items: [
		item(0, { answeredAt: '2026-11-03T09:30:00.000Z' }),
		item(1),
		item(2, {
			kind: 'signal',
			tool: 'await_quote',
			text: 'The quote of Northwind Traders for 40 m³ of larch',
		}),
		item(3, { kind: 'sleep', tool: 'remind_me', text: '2099-11-05T08:00:00Z' }),
		item(4, { isOver: true }),
	],
};
const WITHOUT_FORM: readonly (readonly [string, PageModel])[] = [
	['list', LIST],
	['sleep', { kind: 'sleep', until: '2099-11-05T08:00:00Z', ...ORIGIN }],
	['woke', { kind: 'woke', until: '2026-11-03T10:00:00Z', ...ORIGIN }],
	['answered', { kind: 'answered', reason: REASON, answeredAt: '2026-11-03T10:00:00Z', ...ORIGIN }],
	['expired', { kind: 'expired', reason: REASON, deadline: '2026-11-03T10:00:00Z', ...ORIGIN }],
	[
		'problem',
		{
			kind: 'problem',
			title: 'Nothing to answer',
			message: 'This item does not wait for an answer.',
		},
	],
];
const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
	['light', {}],
	['dark', { colorScheme: 'dark' }],
	['phone', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }],
];

describe.skipIf(chromiumPath() === undefined)('the resume page for everybody', () => {
	let browser: Browser;
	let peer: PagePeer;
	let page: Page;

	beforeAll(async () => {
		peer = await startPagePeer();
		browser = await launchChromium(chromiumPath() ?? '');
	});
	afterEach(async () => {
		await page.context().close();
	});
	afterAll(async () => {
		await browser.close();
		await peer.close();
	});

	async function isFine(name: string): Promise<void> {
		expect(await accessProblems(page)).toEqual([]);
		expect(await widthOver(page)).toBe(0);
		await pagePicture(page, `resume-${name}`);
	}
	const send = () => page.getByRole('button', { name: 'Send answer' }).click();

	it.each(LOOKS)(
		'has no fault that axe-core finds, from the form to the receipt: %s',
		async (look, options) => {
			peer.reset();
			peer.model = asking(ORDER, {
				...ORIGIN,
				reason: 'Harbour Timber Ltd offers 120 larch boards for EUR 2,976.00. Shall we order?',
				deadline: '2099-11-05T16:00:00Z',
			});
			({ page } = await openPage(browser, peer.address, options));
			await page.getByRole('radio', { name: 'Order with changes' }).check();
			await isFine(`form-${look}`);
			await page.getByLabel('Quantity').fill('0');
			await send();
			await page.getByRole('alert').waitFor();
			await isFine(`problems-${look}`);
			await page.getByLabel('Street').fill('Quay 7');
			await page.getByLabel('City').fill('Kiel');
			await page.getByLabel('Quantity').fill('80');
			peer.waiting = {
				items: [
					{ item: 1, kind: 'person', reason: 'May the driver leave the boards in the yard?' },
				],
			};
			peer.replies.push({ status: 202, body: '{"status":"recorded","remaining":1}' });
			await send();
			await page.getByRole('link', { name: 'May the driver' }).waitFor();
			await isFine(`receipt-${look}`);
		},
	);

	it.each(LOOKS)('has no fault on the pages without a form: %s', async (look, options) => {
		peer.reset();
		({ page } = await openPage(browser, peer.address, options));
		for (const [name, model] of WITHOUT_FORM) {
			peer.model = model;
			await page.reload();
			await isFine(`${name}-${look}`);
		}
	});

	it('has no fault as JSON, as a signal, unchecked, and when nothing waits any more', async () => {
		peer.reset();
		peer.model = asking(PAYMENT, { kind: 'signal', schemaWarning: 'the schema does not compile' });
		({ page } = await openPage(browser, peer.address));
		await page.getByText('Answer by hand').click();
		await isFine('signal');
		await page.getByLabel('Your answer, as JSON').fill('{');
		await send();
		await isFine('json-problem');
		await page.getByLabel('Your answer, as JSON').fill('{}');
		peer.replies.push({
			status: 409,
			body: '{"status":"answered","answered_at":"2026-11-03T10:00:00Z"}',
		});
		await send();
		await page.getByText('This was answered already').waitFor();
		await isFine('too-late');
	});

	it.each(LOOKS)('has no fault once the workflow goes on: %s', async (look, options) => {
		peer.reset();
		peer.model = asking(PAYMENT);
		({ page } = await openPage(browser, peer.address, options));
		await page.getByRole('radio', { name: 'Yes' }).check();
		await send();
		await page.getByText('The workflow goes on with it').waitFor();
		await isFine(`resumed-${look}`);
	});

	it('is read out in order: every control has a name, help and problem belong to it', async () => {
		peer.reset();
		peer.model = asking(PAYMENT);
		({ page } = await openPage(browser, peer.address));
		await send();
		await page.getByRole('alert').waitFor();
		const snapshot = await page.locator('form').ariaSnapshot();
		expect(snapshot).toContain('radiogroup "Do you approve this payment? (required)"');
		expect(snapshot).toContain('spinbutton "Amount to pay (required)"');
		const ids = await page.evaluate<string[]>(
			"[...document.querySelectorAll('[id]')].map(({ id }) => id)",
		);
		expect(new Set(ids).size).toBe(ids.length);
		const references = await page.evaluate<string[]>(
			"[...document.querySelectorAll('[aria-describedby]')].flatMap((it) => it.getAttribute('aria-describedby').split(' '))",
		);
		expect(references.length).toBeGreaterThan(2);
		for (const id of references) expect(ids).toContain(id);
	});
});
