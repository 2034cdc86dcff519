import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startN8n, type N8nInstance } from '../../scripts/host/n8nInstance';
import { demoServerCommand } from '../../scripts/host/stdioCommands';
import { jsonCall } from '../support/calls';
import { httpConnection, jsonOf, runUntil, stdioConnection } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import { manualTrigger, toolCall, toolPicker, workflow } from '../support/workflow';

// An n8n of its own: it loads the package from a folder of custom extensions, and allows no commands.
let folder: string | undefined;
let n8n: N8nInstance;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-custom-'));
	n8n = await startN8n({ userFolder: folder, extension: 'custom' });
	await n8n.rest.signIn(hostOwner);
});

afterAll(async () => {
	await n8n.stop();
	if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

test('the nodes load from a folder of custom extensions', async () => {
	const types = await n8n.rest.nodeTypes();
	expect(types).toContain('CUSTOM.mcpToolCall');
	expect(types).toContain('CUSTOM.mcpToolPicker');
	expect(types.filter((type) => type.startsWith('n8n-nodes-salvor.'))).toEqual([]);
});

test('they pick and call a tool there', async () => {
	const { rest } = n8n;
	const credential = await httpConnection(rest);
	const pick = toolPicker(credential, { maximumEffect: 'read', include: 'get_*' });
	const call = toolCall(credential, jsonCall('={{ $json.tool }}', { invoice_id: 'INV-1001' }));
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			{ ...pick, type: 'CUSTOM.mcpToolPicker' },
			{ ...call, type: 'CUSTOM.mcpToolCall' },
		]),
		['success'],
	);
	expect(jsonOf(execution, 'Call')).toMatchObject([
		{ output: { supplier: 'Harbour Timber Ltd' }, call: { tool: 'get_invoice', effect: 'read' } },
	]);
});

test('where SALVOR_STDIO_COMMANDS is not set, commands are off, and the error says what to set (C8)', async () => {
	const { rest } = n8n;
	const credential = await stdioConnection(rest, demoServerCommand);
	const call = toolCall(credential, jsonCall('get_invoice', { invoice_id: 'INV-1001' }));
	const { error } = await runUntil(
		rest,
		workflow([manualTrigger(), { ...call, type: 'CUSTOM.mcpToolCall' }]),
		['error'],
	);
	expect(error?.message).toContain('the environment variable SALVOR_STDIO_COMMANDS is not set');
	expect(error?.description).toContain('by setting SALVOR_STDIO_COMMANDS to ');
	expect(error?.description).toContain('Code: spawn-failed. Disposition: did-not-happen.');
});

test('n8n itself looks for credential tests in installed packages only', async () => {
	const { id } = await httpConnection(n8n.rest);
	expect(await n8n.rest.testCredential(id)).toEqual({
		status: 'Error',
		message: 'No testing function found for this credential.',
	});
});
