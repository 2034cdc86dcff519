import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../scripts/host/chromium';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { launchChromium } from '../support/editorPage';
import { fillForm } from '../support/fillForm';
import { host, httpConnection, jsonOf, runUntil } from '../support/host';
import { manyItems, runUrl } from '../support/manyParks';
import { openPage } from '../support/pageBrowser';
import { relay, relayEach, shownUrl, suspends } from '../support/parkRuns';
import { type ParkServer, startParkServer } from '../support/servers/parkServer';
import { manualTrigger, nothing, workflow } from '../support/workflow';

const ORDER = {
	type: 'object',
	properties: {
		decision: { enum: [1, 0, null] },
		to: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
		lines: {
			type: 'array',
			items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
		},
	},
	required: ['decision', 'to'],
	additionalProperties: false,
};
const ANSWER = { decision: 0, to: { city: 'Kiel </script>' }, lines: [{ n: 3 }] };

describe.skipIf(chromiumPath() === undefined)('the resume page of a real n8n (R8)', () => {
	let browser: Browser;
	let parkServer: ParkServer;
	let credential: CredentialReference;

	beforeAll(async () => {
		parkServer = await startParkServer();
		credential = await httpConnection(host().rest, { endpoint: parkServer.endpoint });
		browser = await launchChromium(chromiumPath() ?? '');
	});
	afterAll(async () => {
		await browser.close();
		await parkServer.stop();
	});

	test('an answer with parts and rows goes on as it was typed; a tab left open says that it is over', async () => {
		const { rest } = host();
		const parked = await runUntil(
			rest,
			workflow([manualTrigger(), relay(credential, suspends('Shall we order?', ORDER)), nothing()]),
			['waiting'],
		);
		const first = await openPage(browser, shownUrl(parked));
		const second = await openPage(browser, shownUrl(parked));
		for (const { page } of [first, second]) await fillForm(page, ANSWER, { '$.decision': '0' });
		await first.page.getByRole('button', { name: 'Send answer' }).click();
		await first.page.getByRole('heading', { name: 'Your answer was recorded' }).waitFor();
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')[0]).toMatchObject({ output: ANSWER });

		await second.page.getByRole('button', { name: 'Send answer' }).click();
		await second.page.getByRole('alert').waitFor();
		expect(await second.page.getByRole('alert').innerText()).toContain('any more');
		expect(first.complaints).toEqual([]);
		expect(
			[...first.requests, ...second.requests].filter((url) => !url.startsWith(host().baseUrl)),
		).toEqual([]);
		for (const { page } of [first, second]) await page.context().close();
	});

	test('several items: the list, an answer, the link to what still waits, and the last answer (P24)', async () => {
		const { rest } = host();
		const calls = ['First question', 'Second question'].map((reason) =>
			suspends(reason, { type: 'boolean' }),
		);
		const parked = await runUntil(rest, manyItems(calls, [relayEach(credential), nothing()]), [
			'waiting',
		]);
		const { page } = await openPage(browser, runUrl(parked));
		expect(await page.getByRole('heading', { name: '2 answers are awaited' }).count()).toBe(1);
		await page.getByRole('link', { name: 'First question' }).click();
		await page.getByRole('radio', { name: 'Yes' }).check();
		await page.getByRole('button', { name: 'Send answer' }).click();
		await page.getByText('one more answer is in').waitFor();
		await page.getByRole('link', { name: 'See everything that waits' }).click();
		await page.getByText('Answered').first().waitFor();
		expect(await page.getByRole('link').count()).toBe(1);
		await page.getByRole('link', { name: 'Second question' }).click();
		await page.getByRole('radio', { name: 'No', exact: true }).check();
		await page.getByRole('button', { name: 'Send answer' }).click();
		await page.getByText('The workflow goes on with it').waitFor();
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After').map(({ output }) => output)).toEqual([true, false]);
		await page.context().close();
	});

	test('n8n itself answers a wrong token and an execution that went on: plain JSON, nothing of the run', async () => {
		const { rest } = host();
		const parked = await runUntil(
			rest,
			workflow([manualTrigger(), relay(credential, suspends('Secret reason', true)), nothing()]),
			['waiting'],
		);
		const wrong = new URL(shownUrl(parked));
		wrong.searchParams.set('signature', 'x'.repeat(64));
		const { page } = await openPage(browser, wrong.href);
		expect(await page.locator('body').innerText()).toContain('Invalid token');
		expect(await page.content()).not.toContain('Secret reason');
		await page.goto(shownUrl(parked));
		await page.getByLabel('Your answer, as JSON').fill('"done"');
		await page.getByRole('button', { name: 'Send answer' }).click();
		await page.getByText('Your answer was recorded').waitFor();
		await rest.waitForExecution(parked.id, ['success']);
		await page.goto(shownUrl(parked));
		expect(await page.locator('body').innerText()).toContain('has finished');
		await page.context().close();
	});
});
