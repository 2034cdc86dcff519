import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/host/chromium';
import { compileSchema } from '../../src/schema/checkSchema';
import cases from '../fixtures/page-schemas.json';
import { launchChromium } from '../support/editorPage';
import { fillForm } from '../support/fillForm';
import { accessProblems, openPage } from '../support/pageBrowser';
import { asking, type PagePeer, startPagePeer } from '../support/pagePeer';

/** Choices whose label is a title, or tells a text from a number. */
const LABELS = { '$.verdict': 'Reject' };

describe.skipIf(chromiumPath() === undefined)('a form over any schema (R8)', () => {
	let browser: Browser;
	let peer: PagePeer;

	beforeAll(async () => {
		peer = await startPagePeer();
		browser = await launchChromium(chromiumPath() ?? '');
	});

	afterAll(async () => {
		await browser.close();
		await peer.close();
	});

	it.each(cases)(
		'$name: what is typed is what is sent, with its own types',
		async ({ name, schema, answer }) => {
			const compiled = compileSchema(schema);
			expect(compiled.kind === 'compiled' ? compiled.check(answer) : compiled.reason).toEqual([]);
			peer.reset();
			peer.model = asking(schema, { reason: name });
			const { page, complaints, requests } = await openPage(browser, peer.address);
			await page.getByRole('button', { name: 'Send answer' }).waitFor();
			expect(await accessProblems(page)).toEqual([]);
			await fillForm(page, answer, LABELS);
			await page.getByRole('button', { name: 'Send answer' }).click();
			await page.getByRole('heading', { name: 'Your answer was recorded' }).waitFor();
			expect(JSON.parse(peer.posted.at(-1) ?? 'null')).toStrictEqual(
				JSON.parse(JSON.stringify(answer)),
			);
			expect(await accessProblems(page)).toEqual([]);
			expect(complaints).toEqual([]);
			expect(new Set(requests).size).toBe(0);
			await page.context().close();
		},
	);
});
