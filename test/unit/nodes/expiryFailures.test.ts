import { describe, expect, it } from 'vitest';

import { expiryFailures } from '../../../nodes/McpToolCall/expiryFailures';
import type { OnExpiry, ParkedBatch, StoredPark } from '../../../src/park/parkedBatch';

const deadline = '2026-11-29T12:00:00.000Z';
const at = new Date(deadline);
const person: StoredPark = { kind: 'person', reason: 'Pay?', inputSchema: true };
const parks: readonly StoredPark[] = [person, { kind: 'sleep', until: deadline }, person];

const batchWith = (onExpiry: OnExpiry): ParkedBatch => ({
	version: 2,
	batchId: 'b1',
	executionId: '7',
	workflowId: 'w1',
	parked: parks.map((park, item) => ({ item, tool: 'pay', parkedAt: deadline, park })),
	items: parks.map(() => ({ json: { output: null } })),
	limit: { deadline, onExpiry },
});
const answers = [{ item: 2, answer: 'yes', answeredAt: new Date('2026-11-29T11:00:00Z') }];

describe('what fails when a wait ends (P26)', () => {
	it('with On Expiry = Fail: the item without an answer, with tool, number, deadline, code and remedy', () => {
		expect(expiryFailures(batchWith('fail'), answers, { at, lost: false })).toEqual([
			[
				0,
				{
					code: 'wait-expired',
					disposition: 'landed',
					stage: 'call',
					message: `Nobody answered "pay" (item 0) by ${deadline}`,
					remedy: expect.stringContaining('not repeated'),
				},
			],
		]);
	});

	it('with On Expiry = Continue: nothing', () => {
		expect(expiryFailures(batchWith('continue'), [], { at, lost: false })).toEqual([]);
	});

	it('before the deadline: nothing', () => {
		const early = { at: new Date(at.getTime() - 1), lost: false };
		expect(expiryFailures(batchWith('fail'), [], early)).toEqual([]);
	});

	it('where the ledger has lost the batch no item is said to have expired, whatever On Expiry says', () => {
		for (const onExpiry of ['continue', 'fail'] as const) {
			const failures = expiryFailures(batchWith(onExpiry), [], { at, lost: true });
			expect(failures.map(([item, { code }]) => [item, code])).toEqual([
				[0, 'ledger-unavailable'],
				[2, 'ledger-unavailable'],
			]);
			expect(failures.map(([, { message }]) => message)).toEqual([
				expect.stringContaining('"pay" (item 0)'),
				expect.stringContaining('"pay" (item 2)'),
			]);
		}
	});
});
