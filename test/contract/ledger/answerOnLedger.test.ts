import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IWebhookFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer } from '../../../nodes/McpToolCall/answer';
import { openLedger } from '../../../nodes/shared/openLedger';
import { encodeBatch, type ParkedBatch } from '../../../src/park/parkedBatch';
import { findPostgres, postgresBackend } from '../../support/ledgerBackends';
import { postgresProxy } from '../../support/postgresProxy';

const before = process.env['SALVOR_LEDGER'];
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'salvor-answer-'));
	process.env['SALVOR_LEDGER'] = `sqlite:${join(folder, 'ledger.sqlite')}`;
});
afterEach(async () => {
	const ledger = await openLedger();
	if (ledger.ok) await ledger.value.close();
	if (before === undefined) delete process.env['SALVOR_LEDGER'];
	else process.env['SALVOR_LEDGER'] = before;
	rmSync(folder, { recursive: true, force: true });
});

const parked = (item: number) => ({
	item,
	tool: 'ask',
	parkedAt: '2026-11-02T09:00:00.123Z',
	park: { kind: 'person' as const, reason: 'Say something', inputSchema: true },
});
const BATCH: ParkedBatch = {
	version: 1,
	batchId: 'b',
	executionId: '41',
	workflowId: 'w',
	parked: [parked(0), parked(1)],
	items: [{ json: {} }, { json: {} }],
};

/** The host's side of a POST of an answer to an item, as far as the endpoint uses it. */
async function post(item: number, value: unknown, batch = BATCH) {
	const sent: { status?: number; body?: unknown } = {};
	const response = {
		status(code: number) {
			sent.status = code;
			return response;
		},
		set: () => response,
		json(body: unknown) {
			sent.body = body;
			return response;
		},
	};
	const context = {
		evaluateExpression: () => encodeBatch(batch),
		getInstanceId: () => 'n8n',
		getNode: () => ({ name: 'Call' }),
		getQueryData: () => ({ item: String(item) }),
		getRequestObject: () => ({
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			rawBody: Buffer.from(JSON.stringify(value)),
		}),
		getResponseObject: () => response,
		logger: { error: () => undefined },
	};
	return { given: await answer(context as unknown as IWebhookFunctions), sent };
}

describe('an answer', () => {
	it('that comes when its batch is closed gets 409, resumes nothing, and the one before it stands (P26, R6)', async () => {
		expect((await post(0, 'in time')).sent).toMatchObject({ status: 202 });
		const ledger = await openLedger();
		if (!ledger.ok) throw new Error(ledger.failure.message);
		const closedAt = new Date('2026-11-04T08:00:00.789Z');
		await ledger.value.closeBatch({ batchId: 'b', closedAt });

		const late = await post(1, 'late');
		expect(late.given).toEqual({ noWebhookResponse: true });
		expect(late.sent).toMatchObject({ status: 409, body: { status: 'expired' } });
		const again = await post(0, 'late');
		expect(again.given).toEqual({ noWebhookResponse: true });
		expect(again.sent).toMatchObject({ status: 409, body: { status: 'answered' } });
	});

	it('for a keyed call that parked is in its claim too, also where the ledger learns of the batch only now (K6)', async () => {
		const ledger = await openLedger();
		if (!ledger.ok) throw new Error(ledger.failure.message);
		const key = { serverName: 'Payments', tool: 'ask', value: 'inv-7' };
		const { item: _item, tool: _tool, ...stored } = parked(1);
		const holder = { executionId: '41', workflowId: 'w', nodeName: 'Call', runIndex: 0, item: 1 };
		await ledger.value.claim({
			claimId: 'c',
			key,
			argumentsHash: 'h',
			holder: { ...holder, instanceId: 'n8n' },
			claimedAt: new Date(),
		});
		const outcome = { kind: 'parked', ...stored } as const;
		await ledger.value.settle({ claimId: 'c', outcome, at: new Date() });

		const batch: ParkedBatch = { ...BATCH, parked: [parked(0), { ...parked(1), claimId: 'c' }] };
		expect((await post(1, { approved: true }, batch)).sent).toMatchObject({ status: 202 });
		expect(await ledger.value.readClaim(key)).toMatchObject({
			value: { state: 'settled', answer: { value: { approved: true } } },
		});
	});

	const SURE = /could not be recorded/;
	it('that certainly was not recorded is told so, with 503', async () => {
		process.env['SALVOR_LEDGER'] = `sqlite:${join(folder, 'absent', 'ledger.sqlite')}`;
		const { sent } = await post(0, 'x');
		expect(sent).toMatchObject({ status: 503, body: { message: expect.stringMatching(SURE) } });
	});

	it('whose record is in doubt is not told that it was lost, and is there when it comes again', async (context) => {
		const postgres = await findPostgres();
		if (!('address' in postgres)) return context.skip(postgres.reason);
		const backend = postgresBackend(postgres.address);
		const proxy = await postgresProxy();
		try {
			const place = await backend.fresh();
			const schema = place.kind === 'postgres' ? encodeURIComponent(place.schema) : '';
			const address = postgres.address.replace('5432', String(proxy.port));
			process.env['SALVOR_LEDGER'] = `${address}?schema=${schema}`;
			expect((await post(1, 'first')).sent).toMatchObject({ status: 202 });

			proxy.cutAfterCommit();
			const { sent } = await post(0, 'x');
			expect(sent.status).toBe(503);
			expect(JSON.stringify(sent.body)).not.toMatch(SURE);
			proxy.mend();
			const again = await post(0, 'x');
			expect(again.sent).toMatchObject({ status: 409, body: { status: 'answered' } });
			expect(again.given.workflowData).toBeDefined();
		} finally {
			const ledger = await openLedger();
			if (ledger.ok) await ledger.value.close();
			await proxy.close();
			await backend.dispose();
		}
	}, 60_000);
});
