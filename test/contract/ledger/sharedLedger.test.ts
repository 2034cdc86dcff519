import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger';
import type { LedgerSettings } from '../../../src/ledger/ledgerSettings';
import { sharedLedger } from '../../../src/ledger/sharedLedger';

const DAY_MS = 24 * 60 * 60 * 1000;

let folder: string;
let file: string;
let settings: LedgerSettings;
const used: Ledger[] = [];

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'salvor-shared-ledger-'));
	file = join(folder, 'ledger.sqlite');
	settings = { place: { kind: 'sqlite', file }, retentionDays: 90 };
});
afterEach(async () => {
	await Promise.all(used.splice(0).map((ledger) => ledger.close()));
	rmSync(folder, { recursive: true, force: true });
});

describe('the ledger of a process', () => {
	it('is one for its settings, however often and at once it is asked for', async () => {
		const [first, second] = await Promise.all([share(), share()]);
		expect(second).toBe(first);
		expect(await share({ ...settings, retentionDays: 1 })).not.toBe(first);
	});

	it('is not opened again by a failure to open it, but by the next use', async () => {
		mkdirSync(file);
		expect(await sharedLedger(settings)).toMatchObject({
			ok: false,
			failure: { code: 'ledger-unavailable' },
		});
		rmSync(file, { recursive: true });
		await openBatch(await share(), 'b', new Date());
	});

	it('is opened anew after a failure, for those too who hold it', async () => {
		const ledger = await share();
		await openBatch(ledger, 'b', new Date());
		renameSync(file, join(folder, 'moved.sqlite'));
		expect((await ledger.readAnswers('b')).ok).toBe(false);
		expect(await ledger.readAnswers('b')).toEqual({ ok: true, value: { kind: 'unknown' } });
		await openBatch(ledger, 'b', new Date());
		expect(await ledger.readAnswers('b')).toMatchObject({ value: { unanswered: [0] } });
	});

	it('survives many calls at once of which some fail', async () => {
		const ledger = await share();
		renameSync(file, join(folder, 'moved.sqlite'));
		const results = await Promise.all(Array.from({ length: 20 }, () => ledger.readAnswers('b')));
		expect(results.some(({ ok }) => !ok)).toBe(true);
		expect(await ledger.readAnswers('b')).toMatchObject({ ok: true });
	});

	it('stays open after an answer that is refused for itself', async () => {
		const ledger = await share();
		await openBatch(ledger, 'b', new Date());
		const answer = { batchId: 'b', item: 0, answer: undefined, answeredAt: new Date() };
		expect(await ledger.recordAnswer(answer)).toMatchObject({ failure: { code: 'unclassified' } });
		expect(await ledger.readAnswers('b')).toMatchObject({ value: { unanswered: [0] } });
	});

	it('can be used again after it was closed', async () => {
		const ledger = await share();
		await openBatch(ledger, 'b', new Date());
		await ledger.close();
		await ledger.close();
		expect(await ledger.readAnswers('b')).toMatchObject({ value: { unanswered: [0] } });
	});

	it('forgets in the background what is older than the retention', async () => {
		const ledger = await share();
		const now = Date.now();
		await openBatch(ledger, 'old', new Date(now - 91 * DAY_MS));
		await openBatch(ledger, 'young', new Date(now - 89 * DAY_MS));
		// Other settings make another ledger, which purges at its first use.
		const other = await share({ ...settings, retentionDays: 90.5 });
		await vi.waitFor(async () =>
			expect(await other.readAnswers('old')).toEqual({ ok: true, value: { kind: 'unknown' } }),
		);
		expect(await other.readAnswers('young')).toMatchObject({ value: { kind: 'batch' } });
	});

	it('purges once a day, not at every use', async () => {
		const ledger = await share();
		await ledger.listWaiting({ limit: 1 });
		await openBatch(ledger, 'old', new Date(Date.now() - 91 * DAY_MS));
		await share();
		expect(await ledger.readAnswers('old')).toMatchObject({ value: { kind: 'batch' } });
	});
});

async function share(from = settings): Promise<Ledger> {
	const result = await sharedLedger(from);
	if (!result.ok) throw new Error(JSON.stringify(result.failure));
	used.push(result.value);
	return result.value;
}

async function openBatch(ledger: Ledger, batchId: string, parkedAt: Date): Promise<void> {
	const result = await ledger.openBatch({
		batchId,
		instanceId: 'n8n',
		executionId: '1',
		workflowId: 'w',
		nodeName: 'n',
		parkedAt,
		openedAt: new Date(),
		items: [0],
	});
	if (!result.ok) throw new Error(JSON.stringify(result.failure));
}
