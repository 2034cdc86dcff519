import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Execution, ExecutionStatus } from '../../scripts/host/executionData';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import type { Ledger } from '../../src/ledger/ledger';
import { openLedger } from '../../src/ledger/openLedger';
import type { Result } from '../../src/outcome/failure';
import { host, jsonOf, postAnswer, runUntil } from '../support/host';
import { callOf, shownUrl } from '../support/parkRuns';
import { keyedConnection, payEach, paying } from '../support/payments';
import { type PaymentsServer, startPaymentsServer } from '../support/servers/paymentsServer';
import { items, manualTrigger, toolCallType, workflow } from '../support/workflow';

let server: PaymentsServer;
let credential: CredentialReference;
/** The ledger of the n8n under test, as an operator's node uses it. */
let ledger: Ledger;

beforeAll(async () => {
	const { rest, userFolder } = host();
	server = await startPaymentsServer();
	credential = await keyedConnection(rest, server.endpoint);
	// The first keyed call makes the file, if nothing has yet.
	await run([{ invoice: newInvoice() }]);
	const file = path.join(userFolder, '.n8n', 'salvor-ledger.sqlite');
	ledger = valueOf(await openLedger({ place: { kind: 'sqlite', file } }));
});
afterAll(async () => {
	await ledger.close();
	await server.stop();
});

function valueOf<T>(result: Result<T>): T {
	if (!result.ok) throw new Error(result.failure.message);
	return result.value;
}

const newInvoice = (): string => `inv-${randomUUID()}`;
const regular = { onError: 'continueRegularOutput' };

const run = (
	given: readonly Json[],
	options: Json = {},
	status: ExecutionStatus = 'success',
): Promise<Execution> =>
	runUntil(host().rest, paying(credential, given, options, regular), [status]);

const standing = async (value: string) =>
	valueOf(await ledger.readClaim({ serverName: 'payments', tool: 'pay', value }));
const errorOf = (execution: Execution, item = 0) => jsonOf(execution, 'Call')[item]?.error;

describe('a key over two executions', () => {
	test.each(['pay', 'ensure'])(
		'%s is charged once, and the second item copies it (K6)',
		async (use) => {
			const invoice = newInvoice();
			const first = await run([{ use, invoice }]);
			const second = await run([{ use, invoice }]);
			expect(server.charges(invoice)).toBe(1);
			expect(jsonOf(second, 'Call')[0]?.output).toBe(jsonOf(first, 'Call')[0]?.output);
			expect(callOf(first)).toMatchObject({
				outcome: 'completed',
				idempotencyKey: `${use}:${invoice}`,
				attempts: 1,
			});
			expect(callOf(second)).toMatchObject({
				outcome: 'deduplicated',
				deduplicatedFrom: first.id,
				idempotencyKey: `${use}:${invoice}`,
				attempts: 0,
			});
		},
	);

	test('with other arguments is refused, naming the first execution (K7)', async () => {
		const invoice = newInvoice();
		const first = await run([{ invoice, amount: 5 }]);
		const second = await run([{ invoice, amount: 6 }]);
		expect(server.requests(invoice)).toBe(1);
		expect(errorOf(second)).toMatchObject({
			code: 'key-collision',
			disposition: 'did-not-happen',
			message: expect.stringContaining(`execution ${first.id} `) as unknown,
		});
	});

	test("a tool's error is copied, and fails the item the same way (K6, K10)", async () => {
		const invoice = newInvoice();
		server.behave(invoice, 'declines', 'pays');
		const first = await run([{ invoice }]);
		const second = await run([{ invoice }]);
		expect(server.requests(invoice)).toBe(1);
		expect(errorOf(second)).toMatchObject({ code: 'tool-error', disposition: 'landed' });
		expect(jsonOf(second, 'Call')[0]?.details).toMatchObject({
			call: { outcome: 'failed', deduplicatedFrom: first.id },
			toolError: { text: ['no funds'] },
		});
	});

	test('what did not happen leaves the key free (K10)', async () => {
		const invoice = newInvoice();
		server.behave(invoice, 'refuses', 'refuses', 'pays');
		const first = await run([{ invoice }], { maxAttempts: 2 });
		expect(errorOf(first)).toMatchObject({
			code: 'rate-limited',
			disposition: 'did-not-happen',
			attempts: 2,
		});
		expect(await standing(invoice)).toBeUndefined();
		expect(callOf(await run([{ invoice }]))).toMatchObject({ outcome: 'completed' });
		expect(server.charges(invoice)).toBe(1);
	});
});

describe('a key that is in flight', () => {
	test('refuses another execution while its holder lives, and gives its outcome afterwards (K8)', async () => {
		const { rest } = host();
		const invoice = newInvoice();
		server.behave(invoice, 'waits');
		const { id } = await rest.createWorkflow(paying(credential, [{ invoice }], {}, regular));
		const first = await rest.runManually(id);
		await server.waiting(invoice);
		const second = await run([{ invoice }], { maxAttempts: 1 });
		expect(errorOf(second)).toMatchObject({
			code: 'call-in-flight',
			disposition: 'did-not-happen',
			message: expect.stringContaining(`execution ${first} `) as unknown,
		});
		server.answer(invoice);
		await rest.waitForExecution(first, ['success']);
		expect(callOf(await run([{ invoice }]))).toMatchObject({
			outcome: 'deduplicated',
			deduplicatedFrom: first,
		});
		expect(server.requests(invoice)).toBe(1);
	});

	test.each(['pay', 'ensure'])(
		'within one run the second item waits for the first and copies it: %s',
		async (use) => {
			const invoice = newInvoice();
			const given = [0, 1, 2].map(() => ({ use, invoice }));
			const execution = await run(given, { maxAttempts: 1 });
			expect(server.requests(invoice)).toBe(1);
			expect([0, 1, 2].map((item) => callOf(execution, 'Call', item).outcome)).toEqual([
				'completed',
				'deduplicated',
				'deduplicated',
			]);
		},
	);
});

describe('a key in doubt', () => {
	/** Cuts the connection after the charge; gives what failed and its claim. */
	const leaveInDoubt = async () => {
		const invoice = newInvoice();
		server.behave(invoice, 'cuts', 'pays');
		const failed = await run([{ invoice }]);
		expect(errorOf(failed)).toMatchObject({ code: 'connection-lost', disposition: 'in-doubt' });
		const claim = await standing(invoice);
		expect(claim).toMatchObject({ state: 'in-doubt', holder: { executionId: failed.id } });
		return { invoice, failed, claimId: claim?.claimId ?? '' };
	};
	const decision = { who: 'Ada', at: new Date(), why: 'Looked it up' };

	test('sends nothing and says which execution and what to do (K9)', async () => {
		const { invoice, failed } = await leaveInDoubt();
		const second = await run([{ invoice }]);
		expect(errorOf(second)).toMatchObject({
			code: 'needs-reconciliation',
			disposition: 'in-doubt',
			message: expect.stringContaining(`execution ${failed.id} `) as unknown,
		});
		expect(JSON.stringify(jsonOf(second, 'Call'))).toContain('Salvor Call Ledger');
		expect(server.requests(invoice)).toBe(1);
	});

	test('Resolve lets later calls copy what the operator recorded, and they say so (K9)', async () => {
		const { invoice, failed, claimId } = await leaveInDoubt();
		const output = { content: [{ type: 'text', text: 'charge 7' }] };
		expect(valueOf(await ledger.resolve({ claimId, output, decision }))).toBe(true);
		const second = await run([{ invoice }]);
		expect(jsonOf(second, 'Call')[0]?.output).toBe('charge 7');
		expect(callOf(second)).toMatchObject({
			outcome: 'deduplicated',
			deduplicatedFrom: failed.id,
			warnings: [expect.stringContaining('Ada') as unknown],
		});
		expect(server.requests(invoice)).toBe(1);
	});

	test('Release lets the next call run (K9)', async () => {
		const { invoice, claimId } = await leaveInDoubt();
		expect(valueOf(await ledger.release({ claimId, decision }))).toBe(true);
		expect(callOf(await run([{ invoice }]))).toMatchObject({ outcome: 'completed' });
		expect(server.requests(invoice)).toBe(2);
	});

	test('is what a cancelled execution leaves behind (K9, U45)', async () => {
		const { rest } = host();
		const invoice = newInvoice();
		server.behave(invoice, 'waits', 'pays');
		const { id } = await rest.createWorkflow(paying(credential, [{ invoice }]));
		const cancelled = await rest.runManually(id);
		await server.waiting(invoice);
		await rest.stopExecution(cancelled);
		await expect
			.poll(async () => (await standing(invoice))?.state, { timeout: 20_000 })
			.toBe('in-doubt');
		expect(errorOf(await run([{ invoice }]))).toMatchObject({ code: 'needs-reconciliation' });
		expect(server.requests(invoice)).toBe(1);
		server.answer(invoice);
	});
});

describe('a keyed call that parked (K6)', () => {
	test('is asked for once: a second execution waits for the same, and a third gets the answer', async () => {
		const { rest } = host();
		const invoice = newInvoice();
		server.behave(invoice, 'asks', 'pays');
		const first = await run([{ invoice }], {}, 'waiting');
		const second = await run([{ invoice }], {}, 'waiting');
		expect(callOf(second)).toMatchObject({
			outcome: 'suspended',
			deduplicatedFrom: first.id,
			park: { kind: 'person', reason: 'Approve the payment' },
		});
		expect((await postAnswer(shownUrl(first), { approved: true })).status).toBe(200);
		await rest.waitForExecution(first.id, ['success']);

		const third = await run([{ invoice }]);
		expect(jsonOf(third, 'Call')[0]?.output).toEqual({ approved: true });
		expect(callOf(third)).toMatchObject({
			outcome: 'deduplicated',
			deduplicatedFrom: first.id,
			park: { kind: 'person', answeredAt: expect.any(String) as unknown },
		});
		expect((await postAnswer(shownUrl(second), { approved: 'too' })).status).toBe(200);
		const resumed = await rest.waitForExecution(second.id, ['success']);
		expect(jsonOf(resumed, 'Call')[0]?.output).toEqual({ approved: 'too' });
		expect(server.requests(invoice)).toBe(1);
	});

	test('and was awaited by a later node has its answer in the claim too (P27)', async () => {
		const { rest } = host();
		const invoice = newInvoice();
		server.behave(invoice, 'asks', 'pays');
		const parked = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				items([{ invoice }]),
				payEach(credential, {}, {}, { whenParked: 'continue' }),
				{ name: 'Await', type: toolCallType, parameters: { operation: 'await' } },
			]),
			['waiting'],
		);
		expect((await postAnswer(shownUrl(parked, 'Await'), 'go on')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(callOf(done, 'Await').park).not.toHaveProperty('claimId');
		const second = await run([{ invoice }]);
		expect(jsonOf(second, 'Call')[0]?.output).toBe('go on');
		expect(server.requests(invoice)).toBe(1);
	});
});

test('a read with a key in its row never uses the ledger (K11)', async () => {
	const invoice = newInvoice();
	const twice = await run([
		{ use: 'look', invoice },
		{ use: 'look', invoice },
	]);
	expect(server.requests(invoice)).toBe(2);
	expect(callOf(twice)).not.toHaveProperty('idempotencyKey');
});
