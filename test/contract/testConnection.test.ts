import type { ICredentialsDecrypted, ICredentialTestFunctions } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testConnection } from '../../nodes/shared/testConnection';
import type { Json } from '../../scripts/host/json';
import { listed, startToolServer, type ToolServer } from '../support/servers/toolServer';

let server: ToolServer;
beforeAll(async () => {
	server = await startToolServer([{ listed: listed('pay') }]);
});
afterAll(() => server.stop());

const BROKEN =
	'Tool Policies states an access or a key for tools that bank does not offer: Pay. No tool is called over this connection until those rows are corrected or removed.';

it.each<[string, Json]>([
	['denies it', { name: 'Pay', access: 'denied' }],
	['names a key', { name: 'Pay', effect: 'write', idempotencyKey: 'id' }],
])(
	'a row that %s for a tool the server lacks fails the test: every call would be refused (E8)',
	async (_, row) => {
		expect(await press({ tool: [row] })).toEqual({ status: 'Error', message: BROKEN });
		expect(server.open()).toBe(0);
	},
);

it('with rows of both kinds the error names both (E8)', async () => {
	const { message } = await press({
		tool: [
			{ name: 'Pay', access: 'denied' },
			{ name: 'look', effect: 'read' },
		],
	});
	expect(message).toBe(`Tool Policies names tools that bank does not offer: look. ${BROKEN}`);
});

it('a row that states only an effect is told, and the test passes (E8)', async () => {
	const { status, message } = await press({ tool: [{ name: 'Pay', effect: 'read' }] });
	expect(status).toBe('OK');
	expect(message).toContain('Tool Policies names tools that bank does not offer: Pay.');
});

/** The button, pressed in an n8n that filters nothing. */
async function press(toolPolicies: Json) {
	const data = {
		transport: 'streamableHttp',
		endpoint: server.endpoint,
		serverName: 'bank',
		toolPolicies,
	};

	const host = {
		helpers: { request: () => Promise.reject(new Error('Domain not allowed')) },
	} as unknown as ICredentialTestFunctions;
	const credential = { id: '1', name: 'Bank', type: 'mcpConnectionApi', data };

	return await testConnection.call(host, credential as unknown as ICredentialsDecrypted);
}
