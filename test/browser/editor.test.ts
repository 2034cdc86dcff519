import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../scripts/host/chromium';
import {
	credentialType,
	demoCredentials,
	exampleWorkflows,
	httpCredentialName,
	withCredentials,
} from '../../scripts/host/demoContents';
import { freePort } from '../../scripts/host/freePort';
import {
	addNode,
	canvasNode,
	choose,
	closeNode,
	executeWorkflow,
	launchChromium,
	newCredential,
	nodePicture,
	openEditor,
	openNode,
	openWorkflow,
	outputPanel,
	parameter,
	picture,
	renameWorkflow,
	searchNodes,
	showOutputAs,
	signIn,
} from '../support/editorPage';
import { jsonCall } from '../support/calls';
import { type Host, host, httpConnection } from '../support/host';
import { leaveInDoubt } from '../support/leaveInDoubt';
import { event, startHttpPeer, well } from '../support/servers/httpPeer';
import { callLedger, manualTrigger, toolCall, toolPicker, workflow } from '../support/workflow';

/** How wide the middle column of an open node is, in a window of 1280 pixels. */
const PARAMETERS_WIDTH = 420;

const executable = chromiumPath();
if (executable === undefined) {
	console.warn(
		"SKIPPED: the browser tests of n8n's editor. There is no Chromium at the usual places; set CHROMIUM_PATH.",
	);
}

describe.skipIf(executable === undefined)("n8n's editor in Chromium", () => {
	let browser: Browser;
	let context: BrowserContext;
	let page: Page;
	let shared: Host;

	beforeAll(async () => {
		shared = host();
		browser = await launchChromium(executable ?? '');
		const first = await openEditor(browser);
		await signIn(first, shared.baseUrl, shared.owner);
		context = first.context();
		await first.close();
	});

	beforeEach(async () => {
		page = await context.newPage();
	});

	afterEach(async ({ task }) => {
		if (task.result?.state === 'fail') {
			await picture(page, `failed-${task.name.replaceAll(/\W+/g, '-').slice(0, 60)}`);
		}
		await page.close();
	});

	afterAll(async () => {
		await browser.close();
	});

	test('the search of nodes finds all nodes by the project’s name and by "mcp"', async () => {
		await openWorkflow(page, shared.baseUrl);
		await addNode(page, 'Manual Trigger');
		for (const words of ['salvor', 'mcp']) {
			const names = await searchNodes(page, words);
			for (const name of ['Salvor Call Ledger', 'Salvor MCP Tool Call', 'Salvor MCP Tool Picker']) {
				await names.getByText(name, { exact: true }).waitFor();
			}
			await picture(page.getByTestId('node-creator'), `search-${words}`);
		}
	});

	test('a credential shows the fields of its transport; its test says the failing stage, then success', async () => {
		const dialog = await newCredential(page, shared.baseUrl, 'Salvor MCP Connection');
		const endpoint = parameter(dialog, 'endpoint');
		const command = parameter(dialog, 'command');
		expect([await endpoint.count(), await command.count()]).toEqual([1, 0]);
		await choose(page, parameter(dialog, 'transport'), /^Command/);
		await command.waitFor();
		expect(await endpoint.count()).toBe(0);
		await choose(page, parameter(dialog, 'transport'), /^Streamable HTTP/);

		const nobody = await freePort();
		await endpoint.getByRole('textbox').fill(`http://127.0.0.1:${String(nobody)}/mcp`);
		await dialog.getByTestId('credential-save-button').click();
		await dialog.getByText('More details').click();
		const details = dialog.getByText(`127.0.0.1:${String(nobody)} could not be reached`);
		expect(await details.innerText()).toMatch(/refused.*Check the field Endpoint.*Stage: connect/s);
		await picture(dialog, 'credential-failed');

		await endpoint.getByRole('textbox').fill(shared.demoEndpoint);
		await dialog.getByTestId('credential-save-button').click();
		await dialog.getByText('Connection tested successfully').first().waitFor();
		await picture(dialog, 'credential');
	});

	test('a call built in the editor parks, is answered on its page, and goes on with the answer', async () => {
		await shared.rest.createCredential({
			name: 'Demo MCP server',
			type: credentialType,
			data: { transport: 'streamableHttp', endpoint: shared.demoEndpoint, serverName: 'demo' },
		});
		await openWorkflow(page, shared.baseUrl);
		await addNode(page, 'Manual Trigger');
		await addNode(page, 'Salvor MCP Tool Call', 'Call a tool');
		const panel = page.getByTestId('ndv');
		await choose(page, panel.getByTestId('node-credentials-select'), 'Demo MCP server');

		await panel.getByTestId('rlc-input').click();
		const tools = page.getByTestId('rlc-item');
		await tools.getByText('get_invoice — read (hint)', { exact: true }).waitFor();
		await nodePicture(page, 'tool-list', PARAMETERS_WIDTH);
		await page.getByTestId('rlc-search').fill('payment');
		await tools.getByText('get_invoice').waitFor({ state: 'detached' });
		await tools.getByText('request_payment — write (default)', { exact: true }).click();

		const paymentId = `pay-INV-1001-${Date.now().toString(36).slice(-3)}`;
		await parameter(panel, 'invoice_id').getByRole('textbox').fill('INV-1001');
		await parameter(panel, 'amount').getByRole('spinbutton').fill('4200');
		await parameter(panel, 'payment_id').getByRole('textbox').fill(paymentId);
		await parameter(panel, 'payment_id').getByRole('textbox').blur();
		await nodePicture(page, 'argument-fields', PARAMETERS_WIDTH);
		await closeNode(page);
		await renameWorkflow(page, 'Approve a payment');

		const execution = await executeWorkflow(page);
		await shared.rest.waitForExecution(execution, ['waiting']);
		await openNode(page, 'Call MCP Tool');
		const link = outputPanel(page).getByRole('link', { name: 'Open its page' });
		expect(await link.getAttribute('href')).toBe(await shared.rest.resumeUrl(execution));

		const opened = context.waitForEvent('page');
		await link.click();
		const answerPage = await opened;
		await answerPage.getByText(`Payment ${paymentId} of 4,200.00 EUR`).first().waitFor();
		const send = answerPage.getByRole('button', { name: 'Send answer' });
		await send.click();
		await answerPage.getByRole('alert').getByText('Approve this payment').waitFor();
		await answerPage.getByRole('button', { name: 'Write JSON instead' }).click();
		await answerPage.getByLabel('Answer as JSON').fill('{ "approved": "perhaps" }');
		const refusal = answerPage.waitForResponse(
			(response) => response.request().method() === 'POST',
		);
		await send.click();
		expect((await refusal).status()).toBe(422);
		await answerPage.getByRole('alert').waitFor();
		await picture(answerPage, 'page-refused');
		expect((await shared.rest.execution(execution)).status).toBe('waiting');

		await answerPage.getByLabel('Answer as JSON').fill('{ "approved": true }');
		await answerPage.getByRole('button', { name: 'Back to the form' }).click();
		await answerPage.getByRole('radio', { name: 'Yes' }).check();
		await answerPage.getByRole('textbox', { name: /^Note/ }).fill('Checked against the order');
		await send.click();
		await answerPage.getByText('Your answer was recorded').waitFor();
		await picture(answerPage, 'receipt');
		await answerPage.close();

		await shared.rest.waitForExecution(execution, ['success']);
		await showOutputAs(page, 'json');
		const shown = outputPanel(page).getByTestId('ndv-data-container');
		await expect
			.poll(async () => await shown.innerText(), { timeout: 20_000 })
			.toMatch(/approved.*true.*note.*Checked against the order.*effect.*write/s);
	});

	test('the example of the tour waits, takes the answer of its page, and shows it as output', async () => {
		await openWorkflow(page, shared.baseUrl, await importExample());
		const execution = await executeWorkflow(page);
		await shared.rest.waitForExecution(execution, ['waiting']);
		await openNode(page, 'Request payment');
		const link = outputPanel(page).getByRole('link', { name: 'Open its page' });
		await link.waitFor();
		await parameter(page.getByTestId('ndv'), 'payment_id').waitFor();
		await nodePicture(page, 'waiting');

		const opened = context.waitForEvent('page');
		await link.click();
		const answerPage = await opened;
		await answerPage.getByText(`Payment pay-INV-1001-${execution} of`).first().waitFor();
		await picture(answerPage, 'page');
		await answerPage.getByRole('radio', { name: 'Yes' }).check();
		await answerPage.getByRole('textbox', { name: /^Note/ }).fill('Checked against the order');
		await answerPage.getByRole('button', { name: 'Send answer' }).click();
		await answerPage.getByText('Your answer was recorded').waitFor();
		await answerPage.close();

		await shared.rest.waitForExecution(execution, ['success']);
		await showOutputAs(page, 'json');
		const shown = outputPanel(page).getByTestId('ndv-data-container');
		await expect
			.poll(async () => await shown.innerText(), { timeout: 20_000 })
			.toMatch(/approved.*true.*note.*Checked against the order.*effect.*write/s);
		await nodePicture(page, 'output');
	});

	test('a tool that the server does not list fails with a message and what to do', async () => {
		const credential = await httpConnection(shared.rest);
		const tool = { __rl: true, mode: 'name', value: 'get_invoce' };
		const { id } = await shared.rest.createWorkflow(
			workflow([
				manualTrigger(),
				toolCall(credential, { tool, argumentsMode: 'json', argumentsJson: '{}' }),
			]),
		);
		await openWorkflow(page, shared.baseUrl, id);
		await executeWorkflow(page);
		await canvasNode(page, 'Call').getByTestId('canvas-node-status-mark-error').waitFor();
		await openNode(page, 'Call');
		const message = outputPanel(page).getByTestId('node-error-message');
		expect(await message.innerText()).toContain('The server "demo" does not list a tool');
		expect(await message.innerText()).toContain('get_invoce');
		const description = outputPanel(page).getByTestId('node-error-description');
		expect(await description.innerText()).toMatch(/Pick the tool from the list.*tool-unknown/s);
		await nodePicture(page, 'error');
	});

	test('markup in what a server answered is shown as text, not as a link', async () => {
		const server = createServer((_request, response) => {
			response.writeHead(500, { 'content-type': 'text/html' });
			response.end('<p>Down. <a href="https://elsewhere.example">Sign in again</a></p>');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo; // decode point: a TCP server's address
		try {
			const endpoint = `http://127.0.0.1:${String(port)}/mcp`;
			const credential = await httpConnection(shared.rest, { endpoint });
			const tool = { __rl: true, mode: 'name', value: 'get_invoice' };
			const { id } = await shared.rest.createWorkflow(
				workflow([manualTrigger(), toolCall(credential, { tool })]),
			);
			await openWorkflow(page, shared.baseUrl, id);
			await executeWorkflow(page);
			await canvasNode(page, 'Call').getByTestId('canvas-node-status-mark-error').waitFor();
			await openNode(page, 'Call');
			const description = outputPanel(page).getByTestId('node-error-description');
			expect(await description.innerText()).toMatch(/HTTP status: 500.*<a href=.*Sign in again/s);
			expect(await outputPanel(page).getByRole('link').count()).toBe(0);
			await nodePicture(page, 'error-markup');
		} finally {
			server.closeAllConnections();
			server.close();
		}
	});

	test("the progress of a call is told in the browser's console while it runs, and Stop ends the call on the wire (C3, U45)", async () => {
		const tools = [{ name: 'import', inputSchema: { type: 'object' } }];
		const peer = await startHttpPeer(({ message: { method, params } }) => {
			if (method === 'tools/list') return { kind: 'result', result: { tools } };
			if (method !== 'tools/call') return well;
			const meta = params?.['_meta'] as { readonly progressToken: number }; // decode point
			const told = { ...meta, progress: 3, total: 10, message: 'Reading rows' };
			const notice = { jsonrpc: '2.0', method: 'notifications/progress', params: told };
			return { kind: 'beat', text: event(notice), everyMs: 50 };
		});
		try {
			const credential = await httpConnection(shared.rest, { endpoint: peer.url });
			const { id } = await shared.rest.createWorkflow(
				workflow([manualTrigger(), toolCall(credential, jsonCall('import', {}))]),
			);
			const said: string[] = [];
			page.on('console', (line) => {
				if (line.text().startsWith('[Node:')) said.push(line.text());
			});
			await openWorkflow(page, shared.baseUrl, id);
			const execution = await executeWorkflow(page);
			await openNode(page, 'Call');
			await expect.poll(() => said.length, { timeout: 20_000 }).toBe(2);
			const line = '[Node: "Call"] import, item 0: 3 of 10, Reading rows';
			expect(said).toEqual([line, line]);
			await outputPanel(page).getByText('Executing node').waitFor();
			await nodePicture(page, 'progress');
			await closeNode(page);
			await page.getByTestId('stop-execution-button').click();
			await peer.sees(({ message }) => message.method === 'notifications/cancelled');
			await shared.rest.waitForExecution(execution, ['canceled']);
		} finally {
			await peer.stop();
		}
	});

	test('a call in doubt says what is known and what to do; the Call Ledger lists it and resolves it (K9)', async () => {
		const paymentId = `pay-${randomUUID()}`;
		await leaveInDoubt(shared.userFolder, paymentId);
		const credential = await httpConnection(shared.rest, {
			toolPolicies: {
				tool: [{ name: 'settle_payment', effect: 'write', idempotencyKey: 'payment_id' }],
			},
		});
		const tool = { __rl: true, mode: 'name', value: 'settle_payment' };
		const argumentsJson = JSON.stringify({ payment_id: paymentId });
		const decided = {
			serverName: 'demo',
			tool: 'settle_payment',
			key: paymentId,
			decidedBy: 'ops@example.com',
		};
		const { id } = await shared.rest.createWorkflow(
			workflow([
				manualTrigger(),
				callLedger({ operation: 'list', states: ['in-doubt'] }, 'List'),
				callLedger(
					{
						...decided,
						operation: 'resolve',
						reason: 'The bank shows the transfer',
						output: '{ "status": "settled" }',
					},
					'Resolve',
				),
				toolCall(credential, { tool, argumentsMode: 'json', argumentsJson }),
			]),
		);
		const alone = await shared.rest.createWorkflow(
			workflow([
				manualTrigger(),
				toolCall(credential, { tool, argumentsMode: 'json', argumentsJson }),
			]),
		);

		await openWorkflow(page, shared.baseUrl, alone.id);
		await executeWorkflow(page);
		await canvasNode(page, 'Call').getByTestId('canvas-node-status-mark-error').waitFor();
		await openNode(page, 'Call');
		const message = outputPanel(page).getByTestId('node-error-message');
		expect(await message.innerText()).toContain('may have happened in execution 41');
		const description = outputPanel(page).getByTestId('node-error-description');
		expect(await description.innerText()).toMatch(
			/Salvor Call Ledger.*needs-reconciliation.*in-doubt.*write \(operator\)/s,
		);
		await nodePicture(page, 'error-in-doubt');

		await openWorkflow(page, shared.baseUrl, id);
		const execution = await executeWorkflow(page);
		await shared.rest.waitForExecution(execution, ['success']);
		await openNode(page, 'List');
		await showOutputAs(page, 'table');
		await outputPanel(page).getByRole('cell', { name: paymentId }).first().waitFor();
		await nodePicture(page, 'ledger');
		await closeNode(page);
		await openNode(page, 'Resolve');
		await outputPanel(page).getByText('ops@example.com').first().waitFor();
		await nodePicture(page, 'ledger-resolve');
		await closeNode(page);
		await openNode(page, 'Call');
		await outputPanel(page).getByText('deduplicated', { exact: true }).first().waitFor();
		await nodePicture(page, 'deduplicated');
	});

	test('the picker puts out one item for each tool, with its effect and who decided it', async () => {
		const credential = await httpConnection(shared.rest);
		const { id } = await shared.rest.createWorkflow(
			workflow([manualTrigger(), toolPicker(credential, { operation: 'list' })]),
		);
		await openWorkflow(page, shared.baseUrl, id);
		await executeWorkflow(page);
		await canvasNode(page, 'Pick').getByTestId('canvas-node-status-mark-success').waitFor();
		await openNode(page, 'Pick');
		const output = outputPanel(page);
		await output.getByText('8 items').waitFor();
		await showOutputAs(page, 'table');
		await output.getByRole('cell', { name: 'settle_payment', exact: true }).waitFor();
		const columns = await output.getByRole('columnheader').allInnerTexts();
		expect(columns.map((text) => text.trim())).toEqual(
			expect.arrayContaining(['tool', 'effect', 'effectSource', 'granted']),
		);
		await nodePicture(page, 'picker');
	});

	test('the canvas names the tool under each call, and its icons follow the theme', async () => {
		await openWorkflow(page, shared.baseUrl, await importExample());
		const settle = canvasNode(page, 'Settle payment');
		await settle.getByText('settle_payment', { exact: true }).waitFor();
		await page.getByTestId('zoom-to-fit').click();
		for (const [colorScheme, icon, name] of [
			['light', 'mcpToolCall.svg', 'workflow'],
			['dark', 'mcpToolCall.dark.svg', 'workflow-dark'],
		] as const) {
			await page.emulateMedia({ colorScheme });
			await settle.locator(`img[src$="${icon}"]`).waitFor();
			// A trial click waits until the canvas no longer moves.
			await settle.click({ trial: true });
			await page.mouse.move(0, 0);
			await picture(page, name);
		}
	});

	/** Puts the example of the tour into n8n, with a credential of its own; gives the workflow's id. */
	async function importExample(): Promise<string> {
		const connection = { endpoint: shared.demoEndpoint, effectsFile: shared.effectsFile };
		const http = demoCredentials(connection).find(({ name }) => name === httpCredentialName);
		const example = new Map(await exampleWorkflows()).get('approve-a-payment.json');
		if (http === undefined || example === undefined) throw new Error('The example is missing.');
		const reference = await shared.rest.createCredential(http);
		const { id } = await shared.rest.createWorkflow(withCredentials(example, [reference]));
		return id;
	}
});
