import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { N8nInstance } from '../../scripts/host/n8nInstance';
import { jsonCall } from '../support/calls';
import { httpConnection, jsonOf, runUntil } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import { startHttpPeer, well, type HttpPeer } from '../support/servers/httpPeer';
import { manualTrigger, toolCall, workflow } from '../support/workflow';

/** An n8n whose operator keeps requests from loopback and private addresses, but for one name. */

let folder: string;
let n8n: N8nInstance;
let peer: HttpPeer;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-egress-'));
	peer = await startHttpPeer(() => well);
	n8n = await startN8n({
		userFolder: folder,
		extension: 'package',
		env: { N8N_SSRF_PROTECTION_ENABLED: 'true', N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost' },
	});
	await n8n.rest.signIn(hostOwner);
});
afterAll(async () => {
	await n8n.kill();
	await peer.stop();
	await rm(folder, { recursive: true, force: true });
});

const byAddress = () => peer.url;
const byName = () => peer.url.replace('127.0.0.1', 'localhost');
const pressTest = async (endpoint: string) =>
	await n8n.rest.testCredential({
		name: 'Unsaved',
		type: 'mcpConnectionApi',
		data: { transport: 'streamableHttp', endpoint },
	});

async function call(endpoint: string) {
	const credential = await httpConnection(n8n.rest, { endpoint });
	const settings = { onError: 'continueRegularOutput' };
	const execution = await runUntil(
		n8n.rest,
		workflow([manualTrigger(), toolCall(credential, jsonCall('work', '{}'), settings)]),
		['success'],
	);
	return jsonOf(execution, 'Call');
}

describe("n8n's own egress filter (C6)", () => {
	test('keeps a call from an address that the operator does not allow', async () => {
		const [item] = await call(byAddress());
		expect(item).toMatchObject({
			error: { code: 'connection-invalid', disposition: 'did-not-happen', stage: 'connect' },
		});
		expect(peer.seen).toEqual([]);
	});

	test('keeps the test of a credential from it, too', async () => {
		const verdict = await pressTest(byAddress());
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toContain('does not allow requests to');
		expect(peer.seen).toEqual([]);
	});

	test('lets through what the operator allows by name, and the test asks for nothing on the side', async () => {
		expect((await pressTest(byName())).status).toBe('OK');
		expect(await call(byName())).toMatchObject([{ output: 'done' }]);
		expect(peer.seen.map(({ httpMethod }) => httpMethod)).not.toContain('HEAD');
	});
});
