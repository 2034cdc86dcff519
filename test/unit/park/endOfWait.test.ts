import { describe, expect, it } from 'vitest';

import { judgeEnd } from '../../../src/park/endOfWait';
import type { ParkedBatch, StoredPark } from '../../../src/park/parkedBatch';

const deadline = new Date('2026-11-29T12:00:00.000Z');
const at = (ms: number) => new Date(deadline.getTime() + ms);

function batchOf(...parks: readonly StoredPark[]): ParkedBatch {
	return {
		version: 2,
		batchId: 'b1',
		executionId: '7',
		workflowId: 'w1',
		parked: parks.map((park, item) => ({
			item,
			tool: 'pay',
			parkedAt: '2026-11-29T10:00:00.000Z',
			park,
		})),
		items: parks.map(() => ({ json: { output: null } })),
		runsAgain: true,
	};
}

const person: StoredPark = { kind: 'person', reason: 'Pay?', inputSchema: true };
const sleeps = (ms: number): StoredPark => ({ kind: 'sleep', until: at(ms).toISOString() });
const limited = (batch: ParkedBatch): ParkedBatch => ({
	...batch,
	limit: { deadline: deadline.toISOString(), onExpiry: 'fail' },
});

describe('a wait that n8n has ended (P24, P26)', () => {
	it.each([
		['both answered in time', limited(batchOf(person, person)), [0, 1], -1, 'over'],
		[
			'both answered, found after the deadline',
			limited(batchOf(person, person)),
			[1, 0],
			1,
			'over',
		],
		['one of two, at the deadline', limited(batchOf(person, person)), [1], 0, 'expired'],
		['none, long after: n8n was down', limited(batchOf(person)), [], 86_400_000, 'expired'],
		['none, a millisecond too soon', limited(batchOf(person)), [], -1, 'early'],
		['none, the clock set back by a day', limited(batchOf(person)), [], -86_400_000, 'early'],
		['none, and no limit: the timer of another wait', batchOf(person), [], 86_400_000, 'early'],
		['all, and no limit', batchOf(person), [0], 0, 'over'],
		['a sleeper beside does not hold up', batchOf(person, sleeps(1_000)), [0], 0, 'over'],
		['all sleep, and one sleeps still', batchOf(sleeps(-5), sleeps(5)), [], 0, 'early'],
		['all sleep, and the last instant is now', batchOf(sleeps(-5), sleeps(0)), [], 0, 'over'],
	])('%s', (_, batch, answered, ms, kind) => {
		expect(judgeEnd(batch, answered, at(ms))).toEqual({ kind });
	});
});
