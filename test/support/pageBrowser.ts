import { createRequire } from 'node:module';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { projectRoot } from '../../scripts/host/paths';

/** A tab with the resume page, and what went wrong in it. */
export interface OpenedPage {
	readonly page: Page;
	/** Errors of the script, refusals of the page's policy, and dialogs. */
	readonly complaints: string[];
	/** Addresses that anything was asked for, but for the page itself. */
	readonly requests: string[];
}

/** Opens an address in a context of its own, in UTC unless told otherwise. */
export async function openPage(
	browser: Browser,
	address: string,
	options: BrowserContextOptions = {},
): Promise<OpenedPage> {
	const context = await browser.newContext({
		viewport: { width: 1000, height: 900 },
		timezoneId: 'UTC',
		locale: 'en-GB',
		...options,
	});
	const page = await context.newPage();
	page.setDefaultTimeout(20_000);
	const complaints: string[] = [];
	const requests: string[] = [];
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
	page.on('request', (request) => {
		if (request.url() !== address && !request.url().startsWith('data:'))
			requests.push(request.url());
	});
	await page.goto(address);
	return { page, complaints, requests };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the page as it is now: one line a rule and place. */
export async function accessProblems(page: Page): Promise<readonly string[]> {
	return await page.evaluate<string[]>(
		`${axe};axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
			violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
	);
}

/** The pictures that the docs show; with SALVOR_SCREENSHOTS=1 they go to docs/images. */
const DOCS_PICTURES: readonly string[] = [
	'resume-form-dark',
	'resume-form-light',
	'resume-form-phone',
	'resume-list-light',
	'resume-problems-light',
	'resume-receipt-light',
];

/** Saves a picture of the whole page: for the docs, or among the test results. */
export async function pagePicture(page: Page, name: string): Promise<void> {
	const kept = process.env['SALVOR_SCREENSHOTS'] === '1' && DOCS_PICTURES.includes(name);
	const folder = kept ? 'docs/images' : 'test-results';
	mkdirSync(path.join(projectRoot, folder), { recursive: true });
	await page.screenshot({ path: path.join(projectRoot, folder, `${name}.png`), fullPage: true });
}

/** How far the page is wider than the window. */
export const widthOver = (page: Page): Promise<number> =>
	page.evaluate<number>(
		'document.documentElement.scrollWidth - document.documentElement.clientWidth',
	);
