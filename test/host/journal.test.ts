import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { host, httpConnection, jsonOf, runUntil } from '../support/host';
import { payEach, paying } from '../support/payments';
import {
	type Behaviour,
	type PaymentsServer,
	startPaymentsServer,
} from '../support/servers/paymentsServer';
import { items, manualTrigger, nothing, workflow } from '../support/workflow';

/** Each n8n try has one attempt, so that what is counted are the tries. */
const once = { maxAttempts: 1 };
const tries = (maxTries: number, more: Json = {}): Json => ({
	retryOnFail: true,
	maxTries,
	waitBetweenTries: 1,
	...more,
});
const regular = { onError: 'continueRegularOutput' };

let server: PaymentsServer;
let credential: CredentialReference;

beforeAll(async () => {
	server = await startPaymentsServer();
	credential = await httpConnection(host().rest, {
		endpoint: server.endpoint,
		serverName: 'payments',
	});
});
afterAll(() => server.stop());

/** An item whose requests the server treats as told, each item with an invoice of its own. */
function given(use: string, ...behaviours: readonly Behaviour[]) {
	const invoice = `inv-${randomUUID()}`;
	server.behave(invoice, ...behaviours);
	return { use, invoice };
}

const requests = (of: readonly { readonly invoice: string }[]) =>
	of.map(({ invoice }) => server.requests(invoice));

describe.each([2, 3, 4, 5])('Retry On Fail with %i tries (J1, J2)', (count) => {
	test('where a failed item stops the node: what landed or may have is sent once by all tries together', async () => {
		const paid = given('pay', 'pays');
		const refused = given('pay', 'refuses', 'pays');
		const doubtful = given('pay', 'cuts', 'pays');
		const behind = given('pay', 'pays');
		const all = [paid, refused, doubtful, behind];
		const spec = paying(credential, all, once, tries(count));
		const failed = await runUntil(host().rest, spec, ['error']);
		expect(requests(all)).toEqual([1, 2, 1, 0]);
		expect(all.map(({ invoice }) => server.charges(invoice))).toEqual([1, 1, 1, 0]);
		// The first try stops at the refused one, the second at the doubtful one, and every other is refused there.
		expect(failed.error?.description).toContain(
			count === 2 ? 'Code: connection-lost.' : 'Code: needs-reconciliation.',
		);
	});

	test('with Continue On Fail: the same, and a failed read is sent by each try', async () => {
		const doubtful = given('pay', 'cuts', 'pays');
		const paid = given('pay', 'pays');
		const refused = given('pay', 'refuses', 'pays');
		const declined = given('ensure', 'declines', 'pays');
		const read = given('look', 'declines');
		const all = [doubtful, paid, refused, declined, read];
		const spec = paying(credential, all, once, tries(count, regular));
		const done = await runUntil(host().rest, spec, ['success']);
		expect(requests(all)).toEqual([1, 1, 2, 1, count]);
		const put = jsonOf(done, 'Call');
		expect(put.map(({ error }) => (error as Json | undefined)?.code)).toEqual([
			'needs-reconciliation',
			undefined,
			undefined,
			'tool-error',
			'tool-error',
		]);
	});
});

test('an item that was under way when another failed the node is remembered too (J1)', async () => {
	const { rest } = host();
	const slow = given('ensure', 'waits', 'pays');
	const declined = given('ensure', 'declines', 'pays');
	const all = [slow, declined];
	const { id } = await rest.createWorkflow(paying(credential, all, once, tries(3)));
	const execution = await rest.runManually(id);
	await server.waiting(slow.invoice);
	await expect.poll(() => server.requests(declined.invoice), { timeout: 20_000 }).toBe(1);
	server.answer(slow.invoice);
	await rest.waitForExecution(execution, ['error']);
	expect(requests(all)).toEqual([1, 1]);
});

test('another run of the node in a loop calls again: the journal is of one run (J1)', async () => {
	const { invoice, use } = given('pay', 'refuses', 'pays');
	const spec = workflow(
		[
			manualTrigger(),
			items([
				{ use, invoice },
				{ use, invoice },
			]),
			{
				name: 'Loop',
				type: 'n8n-nodes-base.splitInBatches',
				typeVersion: 3,
				parameters: { batchSize: 1, options: {} },
			},
			payEach(credential, once, tries(3)),
			nothing(),
		],
		[
			{ from: 'Start', to: 'Items' },
			{ from: 'Items', to: 'Loop' },
			{ from: 'Loop', output: 1, to: 'Call' },
			{ from: 'Call', to: 'Loop' },
			{ from: 'Loop', output: 0, to: 'After' },
		],
	);
	const done = await runUntil(host().rest, spec, ['success']);
	expect(done.runData.Call).toHaveLength(2);
	expect([server.requests(invoice), server.charges(invoice)]).toEqual([3, 2]);
});

test('within one try the node itself tries again, and records it (failures.md)', async () => {
	const refused = given('pay', 'refuses', 'refuses', 'pays');
	const read = given('look', 'cuts', 'declines', 'pays');
	const options = { retryToolErrors: true };
	const done = await runUntil(host().rest, paying(credential, [refused, read], options), [
		'success',
	]);
	const entry = { code: 'rate-limited', disposition: 'did-not-happen' };
	expect(jsonOf(done, 'Call').map(({ call }) => call)).toMatchObject([
		{
			outcome: 'completed',
			attempts: 3,
			failedAttempts: [
				{ ...entry, number: 1 },
				{ ...entry, number: 2 },
			],
		},
		{
			outcome: 'completed',
			attempts: 3,
			failedAttempts: [
				{ number: 1, code: 'connection-lost', disposition: 'in-doubt' },
				{ number: 2, code: 'tool-error', disposition: 'landed' },
			],
		},
	]);
});

test.each([0, 21, 1.5, '3'])(
	'Maximum Attempts of %o is refused before anything is sent',
	async (maxAttempts) => {
		const item = given('pay', 'pays');
		const failed = await runUntil(host().rest, paying(credential, [item], { maxAttempts }), [
			'error',
		]);
		expect(failed.error?.message).toBe('Maximum Attempts must be a whole number from 1 to 20');
		expect(requests([item])).toEqual([0]);
	},
);
