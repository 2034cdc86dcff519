import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEffects } from '../../examples/demo-server/effects.ts';
import type { Effect } from '../../examples/demo-server/effects.ts';
import { exampleWorkflows, importDemoContents, inboxOf } from '../../scripts/host/demoContents';
import type { DemoContents } from '../../scripts/host/demoContents';
import type { Execution } from '../../scripts/host/executionData';
import { openSqliteLedger } from '../../src/ledger/sqliteLedger';
import { host, itemsOf, jsonOf, postAnswer } from '../support/host';
import { callOf, parkOf, shownUrl } from '../support/parkRuns';

let folder: string;
let contents: DemoContents;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-examples-'));
	const { rest, demoEndpoint, effectsFile } = host();
	const connection = { endpoint: demoEndpoint, effectsFile };
	contents = await importDemoContents(rest, connection, path.join(folder, 'imported.json'));
});
afterAll(async () => {
	await rm(folder, { recursive: true, force: true });
});

async function run(file: string): Promise<string> {
	const id = contents.workflows[file];
	if (id === undefined) throw new Error(`${file} was not imported`);
	return await host().rest.runManually(id);
}

const effects = (paymentId: string): readonly Effect[] =>
	readEffects(host().effectsFile).filter(
		(effect) => 'paymentId' in effect && effect.paymentId === paymentId,
	);

/** Runs the example to its park; gives the parked execution and the name of its payment. */
async function requestPayment(): Promise<{ parked: Execution; paymentId: string }> {
	const { rest } = host();
	const parked = await rest.waitForExecution(await run('approve-a-payment.json'), ['waiting']);
	const paymentId = `pay-INV-1001-${parked.id}`;
	expect(parkOf(parked, 'Request payment').reason).toContain(paymentId);
	expect(effects(paymentId).map(({ effect }) => effect)).toEqual(['payment.requested']);
	return { parked, paymentId };
}

test('every example in the folder is imported, and this file runs each of them', async () => {
	const files = (await exampleWorkflows()).map(([file]) => file);
	expect(Object.keys(contents.workflows).toSorted()).toEqual(files.toSorted());
	expect(files.toSorted()).toEqual([
		'approve-a-payment-and-tell-somebody.json',
		'approve-a-payment.json',
		'pick-a-tool-by-policy-and-call-it.json',
		'remind-me-later.json',
		'report-calls-in-doubt.json',
		'tell-somebody-what-waits.json',
		'wait-for-a-suppliers-signal.json',
	]);
});

// The reminder sets the time that this file takes; the others run beside it.
describe.concurrent('run to its end', () => {
	test('remind me later: it sleeps 75 seconds, wakes by itself, and reminds (P23)', async () => {
		const { rest } = host();
		const id = await run('remind-me-later.json');
		const asleep = await rest.waitForExecution(id, ['waiting']);
		const until = String(parkOf(asleep, 'Schedule reminder').until);
		expect(asleep.waitTill?.toISOString()).toBe(until);
		expect((await postAnswer(await rest.resumeUrl(id), {})).status).toBe(409);
		const done = await rest.waitForExecution(id, ['success'], 120_000);
		expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
		expect(jsonOf(done, 'Reminder')).toEqual([
			{ reminder: 'Water the plants', slept_until: until },
		]);
	});

	test('approve a payment, yes: exactly one settlement, and a receipt', async () => {
		const { rest } = host();
		const { parked, paymentId } = await requestPayment();
		const url = shownUrl(parked, 'Request payment');
		expect((await postAnswer(url, { approved: 'yes' })).status).toBe(422);
		expect(effects(paymentId)).toHaveLength(1);
		expect((await postAnswer(url, { approved: true, note: 'Go ahead' })).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect((await postAnswer(url, { approved: true })).status).toBe(409);
		expect(jsonOf(done, 'Settle payment')[0]?.output).toMatchObject({
			status: 'settled',
			payment_id: paymentId,
			amount: 4200,
		});
		expect(callOf(done, 'Settle payment')).toMatchObject({ outcome: 'completed', attempts: 1 });
		const [receipt] = Object.values(itemsOf(done, 'Attach receipt')[0]?.binary ?? {});
		expect(receipt).toMatchObject({ mimeType: 'image/png' });
		expect(done.runData).not.toHaveProperty('Not approved');
		expect(effects(paymentId).map(({ effect }) => effect)).toEqual([
			'payment.requested',
			'payment.settled',
		]);
	});

	test('approve a payment, no: nothing is settled, and the note says why', async () => {
		const { rest } = host();
		const { parked, paymentId } = await requestPayment();
		const url = shownUrl(parked, 'Request payment');
		expect((await postAnswer(url, { approved: false, note: 'Too much' })).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'Not approved')).toEqual([{ status: 'Not approved', note: 'Too much' }]);
		expect(done.runData).not.toHaveProperty('Settle payment');
		expect(effects(paymentId).map(({ effect }) => effect)).toEqual(['payment.requested']);
	});

	test('approve a payment, with the small invoice: approved and settled without a wait', async () => {
		const { rest } = host();
		const id = contents.workflows['approve-a-payment.json'] ?? '';
		const { nodes, connections, settings } = await rest.workflow(id);
		const small = JSON.parse(
			JSON.stringify(nodes).replaceAll('"INV-1001"', '"INV-1002"'),
		) as typeof nodes;
		const copy = await rest.createWorkflow({
			name: 'Approve a small payment',
			nodes: small,
			connections,
			settings,
		});
		const done = await rest.waitForExecution(await rest.runManually(copy.id), ['success']);
		expect(callOf(done, 'Request payment')).toMatchObject({ outcome: 'completed' });
		expect(callOf(done, 'Request payment')).not.toHaveProperty('park');
		expect(effects(`pay-INV-1002-${done.id}`).map(({ effect }) => effect)).toEqual([
			'payment.requested',
			'payment.settled',
		]);
	});

	test('approve a payment and tell somebody: the link is in the inbox when the run waits, and takes the answer', async () => {
		const { rest, demoEndpoint } = host();
		const id = await run('approve-a-payment-and-tell-somebody.json');
		const parked = await rest.waitForExecution(id, ['waiting']);
		const { reason, resumeUrl } = parkOf(parked, 'Request payment');
		expect(callOf(parked, 'Request payment')).not.toHaveProperty('warnings');
		const inbox = await (await fetch(inboxOf(demoEndpoint))).text();
		expect(inbox).toContain(String(reason));
		expect(inbox).toContain(`href="${String(resumeUrl).replaceAll('&', '&amp;')}"`);
		expect((await postAnswer(String(resumeUrl), { approved: false })).status).toBe(200);
		const done = await rest.waitForExecution(id, ['success']);
		expect(jsonOf(done, 'Answer')).toEqual([{ approved: false, note: '' }]);
		const called = await rest.listExecutions(contents.workflows['tell-somebody-what-waits.json']);
		expect(called.map(({ status }) => status)).toEqual(['success']);
	});

	test('report calls in doubt: each one is in the inbox, with its key and why (K9)', async () => {
		const { rest, demoEndpoint, userFolder } = host();
		const key = `pay-${randomUUID()}`;
		const ledger = await openSqliteLedger(path.join(userFolder, '.n8n', 'salvor-ledger.sqlite'));
		if (!ledger.ok) throw new Error(ledger.failure.message);
		const holder = { instanceId: 'x', workflowId: 'w', nodeName: 'Pay', runIndex: 0, item: 0 };
		await ledger.value.claim({
			claimId: key,
			key: { serverName: 'demo', tool: 'settle_payment', value: key },
			argumentsHash: 'abc',
			holder: { ...holder, executionId: '41' },
			claimedAt: new Date(),
		});
		await ledger.value.doubt({ claimId: key, at: new Date() });
		await ledger.value.close();
		const id = await run('report-calls-in-doubt.json');
		await rest.waitForExecution(id, ['success']);
		const inbox = await (await fetch(inboxOf(demoEndpoint))).text();
		expect(inbox).toContain(`settle_payment with the key ${key} at demo`);
	});

	test('wait for a supplier’s signal: the demo server posts the quote, and the run goes on by itself', async () => {
		const { rest } = host();
		const id = await run('wait-for-a-suppliers-signal.json');
		const done = await rest.waitForExecution(id, ['success'], 60_000);
		expect(callOf(done, 'Request quote')).toMatchObject({
			outcome: 'resumed',
			park: { kind: 'signal', answeredAt: expect.stringMatching(/Z$/) },
		});
		expect(jsonOf(done, 'Quote')).toEqual([
			{ supplier: 'Harbour Timber Ltd', price: 496, currency: 'EUR' },
		]);
	});

	test('pick a tool by policy and call it: the read tool is picked and called', async () => {
		const { rest } = host();
		const id = await run('pick-a-tool-by-policy-and-call-it.json');
		const done = await rest.waitForExecution(id, ['success']);
		expect(jsonOf(done, 'Pick a read tool')).toEqual([
			expect.objectContaining({ tool: 'get_invoice', effect: 'read', effectSource: 'hint' }),
		]);
		expect(jsonOf(done, 'Call the picked tool')[0]?.output).toMatchObject({
			invoice_id: 'INV-1002',
			supplier: 'Corner Print Shop',
		});
	});

	test('pick a tool by policy and call it, with a write tool: refused, and nothing is called', async () => {
		const { rest } = host();
		const id = contents.workflows['pick-a-tool-by-policy-and-call-it.json'] ?? '';
		const { nodes, connections, settings } = await rest.workflow(id);
		const writing = JSON.parse(
			JSON.stringify(nodes).replaceAll('"get_invoice"', '"settle_payment"'),
		) as typeof nodes;
		const copy = await rest.createWorkflow({
			name: 'Pick a write tool',
			nodes: writing,
			connections,
			settings,
		});
		const failed = await rest.waitForExecution(await rest.runManually(copy.id), ['error']);
		expect(failed.lastNode).toBe('Pick a read tool');
		expect(failed.error?.message).toMatch(/settle_payment/);
		expect(failed.runData).not.toHaveProperty('Call the picked tool');
	});
});
