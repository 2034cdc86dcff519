import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Locator, type Page, selectors } from 'playwright-core';
import type { Owner } from '../../scripts/host/n8nRest';
import { projectRoot } from '../../scripts/host/paths';

/** The steps that a person takes in n8n's editor. Each returns when the editor shows its effect. */

selectors.setTestIdAttribute('data-test-id');

const STEP_TIMEOUT_MS = 20_000;
const LOAD_TIMEOUT_MS = 60_000;

/** The pictures that the README shows; with SALVOR_SCREENSHOTS=1 they go to docs/images. */
const README_PICTURES: readonly string[] = [
	'argument-fields',
	'error',
	'output',
	'page',
	'tool-list',
	'waiting',
	'workflow',
	'workflow-dark',
];

/** n8n's passing messages, which would lie over what a picture shows. */
const WITHOUT_TOASTS = '.el-notification { visibility: hidden !important }';

export async function launchChromium(executablePath: string): Promise<Browser> {
	return await chromium.launch({
		executablePath,
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
}

/** A tab of the editor's size in a browser that remembers who is signed in. */
export async function openEditor(browser: Browser): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1280, height: 800 },
		deviceScaleFactor: 1,
		colorScheme: 'light',
		locale: 'en-GB',
	});
	context.setDefaultTimeout(STEP_TIMEOUT_MS);
	context.setDefaultNavigationTimeout(LOAD_TIMEOUT_MS);
	return await context.newPage();
}

export async function signIn(page: Page, baseUrl: string, owner: Owner): Promise<void> {
	await page.goto(`${baseUrl}/signin`);
	await page
		.locator('input[name=emailOrLdapLoginId]')
		.fill(owner.email, { timeout: LOAD_TIMEOUT_MS });
	await page.locator('input[name=password]').fill(owner.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
}

/** Opens the dialog of a new credential of the type that has this name. */
export async function newCredential(page: Page, baseUrl: string, type: string): Promise<Locator> {
	await page.goto(`${baseUrl}/home/credentials`);
	await page.getByTestId('add-resource-credential').click({ timeout: LOAD_TIMEOUT_MS });
	await page.getByTestId('new-credential-type-select').getByRole('combobox').fill(type);
	await page.getByRole('option', { name: type, exact: true }).click();
	await page.getByTestId('new-credential-type-button').click();
	const dialog = page.getByTestId('editCredential-modal');
	await dialog.getByTestId('node-credentials-config-container').waitFor();
	return dialog;
}

export async function openWorkflow(page: Page, baseUrl: string, id = 'new'): Promise<void> {
	await page.goto(`${baseUrl}/workflow/${id}`);
	await page.getByTestId('canvas-wrapper').waitFor({ timeout: LOAD_TIMEOUT_MS });
	const first = id === 'new' ? 'canvas-plus-button' : 'canvas-node';
	await page.getByTestId(first).first().waitFor();
}

/** Types into the search of the node creator, opening it where the next node goes. */
export async function searchNodes(page: Page, words: string): Promise<Locator> {
	const search = page.getByTestId('node-creator-search-bar');
	if (!(await search.isVisible())) {
		await page.getByTestId('canvas-plus-button').or(page.getByTestId('canvas-handle-plus')).click();
	}
	await search.fill(words);
	return page.getByTestId('node-creator-item-name');
}

/** Adds a node behind the last one; by one of its actions when it has any. */
export async function addNode(page: Page, name: string, action?: string): Promise<void> {
	const nodes = page.getByTestId('canvas-node');
	const before = await nodes.count();
	await (await searchNodes(page, name)).getByText(name, { exact: true }).click();
	if (action !== undefined) {
		await page.getByTestId('node-creator').getByText(action, { exact: true }).click();
	}
	await nodes.nth(before).waitFor();
}

export async function renameWorkflow(page: Page, name: string): Promise<void> {
	const title = page.getByTestId('workflow-name-input');
	await title.getByTestId('inline-edit-preview').click();
	await title.getByTestId('inline-edit-input').fill(name);
	await page.keyboard.press('Enter');
	await title.getByTestId('inline-edit-preview').getByText(name, { exact: true }).waitFor();
}

/** The input of a parameter, by its name. */
export function parameter(within: Page | Locator, name: string): Locator {
	return within.getByTestId(`parameter-input-${name}`);
}

/** Chooses an entry of a parameter's dropdown. */
export async function choose(page: Page, input: Locator, entry: string | RegExp): Promise<void> {
	await input.getByRole('combobox').click();
	await page.getByRole('option', { name: entry }).click();
}

export function canvasNode(page: Page, name: string): Locator {
	return page.getByTestId('canvas-node').filter({ hasText: name });
}

export async function openNode(page: Page, name: string): Promise<void> {
	await canvasNode(page, name).dblclick();
	await page.getByTestId('ndv').waitFor();
}

export async function closeNode(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

/** Presses Execute workflow; resolves with the execution's id. */
export async function executeWorkflow(page: Page): Promise<string> {
	const started = page.waitForResponse((response) =>
		/\/rest\/workflows\/[^/]+\/run$/.test(new URL(response.url()).pathname),
	);
	await page.getByTestId('execute-workflow-button').click();
	const answer = (await (await started).json()) as { data: { executionId: string } }; // decode point
	return answer.data.executionId;
}

/** The output of the open node. */
export function outputPanel(page: Page): Locator {
	return page.getByTestId('output-panel');
}

export async function showOutputAs(page: Page, mode: 'schema' | 'table' | 'json'): Promise<void> {
	await outputPanel(page).getByTestId(`radio-button-${mode}`).click();
}

/** Saves a picture of a page or of a part of it. */
export async function picture(of: Page | Locator, name: string): Promise<void> {
	await of.screenshot({ path: pictureFile(name), style: WITHOUT_TOASTS });
}

/** A picture of the open node's parameters and, unless told otherwise, its output. */
export async function nodePicture(page: Page, name: string, width = Infinity): Promise<void> {
	const panel = await page.getByTestId('ndv').boundingBox();
	const input = await page.getByTestId('ndv-input-panel').boundingBox();
	if (panel === null || input === null) throw new Error('No node is open.');
	const x = input.x + input.width + 1;
	const clip = {
		x,
		y: input.y,
		width: Math.min(width, panel.x + panel.width - x - 2),
		height: panel.y + panel.height - input.y - 2,
	};
	await page.screenshot({ path: pictureFile(name), clip, style: WITHOUT_TOASTS });
}

function pictureFile(name: string): string {
	const kept = process.env['SALVOR_SCREENSHOTS'] === '1' && README_PICTURES.includes(name);
	const folder = path.join(projectRoot, kept ? 'docs/images' : 'test-results');
	mkdirSync(folder, { recursive: true });
	return path.join(folder, `${name}.png`);
}
