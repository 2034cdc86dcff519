import { generateKeyPairSync } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../scripts/host/chromium';
import {
	addNode,
	choose,
	launchChromium,
	newCredential,
	nodePicture,
	openEditor,
	openWorkflow,
	parameter,
	picture,
	signIn,
} from '../support/editorPage';
import { type Host, host } from '../support/host';
import { listed, startToolServer, type ToolServer } from '../support/servers/toolServer';

const executable = chromiumPath();

describe.skipIf(executable === undefined)('the forms of namespace, key and provenance', () => {
	let browser: Browser;
	let page: Page;
	let shared: Host;
	let server: ToolServer;

	beforeAll(async () => {
		shared = host();
		browser = await launchChromium(executable ?? '');
	});

	beforeEach(async () => {
		server = await startToolServer([{ listed: listed('look', { readOnlyHint: true }) }]);
		page = await openEditor(browser);
		await signIn(page, shared.baseUrl, shared.owner);
	});

	afterEach(async ({ task }) => {
		if (task.result?.state === 'fail') {
			await picture(page, `failed-${task.name.replaceAll(/\W+/g, '-').slice(0, 60)}`);
		}
		await page.context().close();
		await server.stop();
	});

	afterAll(async () => {
		await browser.close();
	});

	test('a private key pasted into the credential is one that signs, and a bad one is said to be (C15)', async () => {
		const dialog = await newCredential(page, shared.baseUrl, 'Salvor MCP Connection');
		await parameter(dialog, 'endpoint').getByRole('textbox').fill(server.endpoint);
		await parameter(dialog, 'namespace').getByRole('textbox').fill('shop');
		const key = parameter(dialog, 'signingKey').locator('input, textarea');
		await key.fill('hunter2');
		await dialog.getByTestId('credential-save-button').click();
		await dialog.getByText('More details').click();
		await dialog.getByText('Signing Key is a secret of 7 bytes').waitFor();
		await picture(dialog, 'credential-bad-key');

		const { privateKey } = generateKeyPairSync('ed25519');
		const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
		await key.focus();
		await key.press('ControlOrMeta+A');
		await page.keyboard.insertText(pem);
		await dialog.getByTestId('credential-save-button').click();
		await dialog.getByText('Connection tested successfully').first().waitFor();
		await key.scrollIntoViewIfNeeded();
		await picture(dialog, 'credential-key');
	});

	test('the options Preset Answers and Provenance can be added, and the list shows public names (C11, C12, C15)', async () => {
		const { endpoint } = server;
		const name = `Shop ${endpoint}`;
		await shared.rest.createCredential({
			name,
			type: 'mcpConnectionApi',
			data: { transport: 'streamableHttp', endpoint, namespace: 'shop' },
		});
		await openWorkflow(page, shared.baseUrl);
		await addNode(page, 'Manual Trigger');
		await addNode(page, 'Salvor MCP Tool Call', 'Call a tool');
		const panel = page.getByTestId('ndv');
		await choose(page, panel.getByTestId('node-credentials-select'), name);
		await panel.getByTestId('rlc-input').click();
		const tools = page.getByTestId('rlc-item');
		await tools.getByText('shop__look — read (hint)', { exact: true }).click();
		for (const option of ['Preset Answers', 'Provenance']) {
			await panel.getByTestId('collection-add-option-select').getByRole('combobox').click();
			await page.getByRole('option', { name: option, exact: true }).click();
		}
		await parameter(panel, 'presetAnswers').waitFor();
		await parameter(panel, 'provenance').scrollIntoViewIfNeeded();
		await nodePicture(page, 'provenance-options');
		expect(await parameter(panel, 'provenance').getByRole('switch').isChecked()).toBe(false);
	});
});
