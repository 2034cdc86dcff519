import { expect, test, vi } from 'vitest';
import { chromiumPath } from '../../scripts/host/chromium';
import { jsonCall } from '../support/calls';
import {
	launchChromium,
	newCredential,
	openEditor,
	openNode,
	openWorkflow,
	parameter,
	signIn,
} from '../support/editorPage';
import { host, httpConnection } from '../support/host';
import { startAuthorizationServer } from '../support/servers/authorizationServer';
import { listed, startToolServer } from '../support/servers/toolServer';
import { manualTrigger, toolCall, workflow } from '../support/workflow';

const executable = chromiumPath();

test.skipIf(executable === undefined)(
	'a person connects with the endpoint alone, and choosing the credential in a node is enough to use it',
	async () => {
		const { rest, baseUrl, owner } = host();
		const authorization = await startAuthorizationServer();
		const { issuer } = authorization;
		const tools = await startToolServer([{ listed: listed('echo') }], {
			authorization: authorization.lets,
			issuer,
		});
		const browser = await launchChromium(executable ?? '');
		try {
			const page = await openEditor(browser);
			await signIn(page, baseUrl, owner);
			const dialog = await newCredential(page, baseUrl, 'Salvor MCP Connection OAuth2 API');
			await parameter(dialog, 'serverUrl').getByRole('textbox').fill(tools.endpoint);
			await dialog.getByTestId('credential-save-button').click();
			await dialog.getByRole('button', { name: 'Connect' }).last().click();
			await dialog.getByText('Account connected').waitFor();
			expect(authorization.grants).toEqual(['authorization_code 200']);

			const other = await httpConnection(rest);
			const { id } = await rest.createWorkflow(
				workflow([manualTrigger(), toolCall(other, jsonCall('echo', {}))]),
			);
			await openWorkflow(page, baseUrl, id);
			await openNode(page, 'Call');
			await page.getByTestId('node-credentials-select').getByRole('combobox').click();
			await page.getByRole('option').filter({ hasText: 'OAuth2' }).first().click();
			await vi.waitFor(
				async () => {
					const call = (await rest.workflow(id)).nodes.find(({ name }) => name === 'Call');
					expect(call).toMatchObject({
						parameters: { authentication: 'oAuth2' },
						credentials: { mcpConnectionOAuth2Api: {} },
					});
				},
				{ timeout: 15_000, interval: 200 },
			);
		} finally {
			await browser.close();
			await Promise.all([tools.stop(), authorization.stop()]);
		}
	},
);
