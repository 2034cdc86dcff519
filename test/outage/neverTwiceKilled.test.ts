import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { freePort } from '../../scripts/host/freePort';
import { type N8nInstance, startN8n } from '../../scripts/host/n8nInstance';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { CredentialReference, N8nRest } from '../../scripts/host/n8nRest';
import { jsonOf, runUntil } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import { keyedConnection, payEach, paying } from '../support/payments';
import { runInProduction } from '../support/parkRuns';
import { type PaymentsServer, startPaymentsServer } from '../support/servers/paymentsServer';
import { items, webhookTrigger, workflow } from '../support/workflow';

/** An n8n of this file's own, on one folder and one port through all its lives. */
let folder: string;
let port: number;
let n8n: N8nInstance;
let rest: N8nRest;
let server: PaymentsServer;
let credential: CredentialReference;

const start = () => startN8n({ userFolder: folder, port, extension: 'package' });

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-killed-'));
	port = await freePort();
	server = await startPaymentsServer();
	n8n = await start();
	await n8n.rest.signIn(hostOwner);
	rest = n8nRest(n8n.baseUrl, n8n.rest.cookie());
	credential = await keyedConnection(rest, server.endpoint);
});
afterAll(async () => {
	await n8n.kill();
	await server.stop();
	await rm(folder, { recursive: true, force: true });
});

const regular = { onError: 'continueRegularOutput' };

test('n8n killed in the middle of a keyed call: the first use of the key after its restart needs reconciliation, at once (K9)', async () => {
	const invoice = `inv-${randomUUID()}`;
	server.behave(invoice, 'waits', 'pays');
	const hook = randomUUID();
	const spec = workflow([
		webhookTrigger(hook),
		items([{ invoice }]),
		payEach(credential, {}, regular),
	]);
	const { executionId } = await runInProduction(rest, spec, hook);
	await server.waiting(invoice);
	await n8n.kill();
	server.answer(invoice);
	n8n = await start();

	for (let use = 0; use < 2; use += 1) {
		const again = await runUntil(
			rest,
			paying(credential, [{ invoice }], { maxAttempts: 1 }, regular),
			['success'],
		);
		expect(jsonOf(again, 'Call')[0]?.error).toMatchObject({
			code: 'needs-reconciliation',
			disposition: 'in-doubt',
			message: expect.stringContaining(`execution ${executionId} `) as unknown,
		});
	}
	expect(server.requests(invoice)).toBe(1);
});
