import { describe, expect, it } from 'vitest';

import type { ParkedBatch } from '../../../src/park/parkedBatch';
import { settleBatch } from '../../../src/park/settleBatch';
import { toolAnswer } from '../../../src/park/toolAnswer';

const call = { tool: 'pay', outcome: 'completed' };

describe("what leaves as an agent's tool's answer (P28)", () => {
	it('an output that is a JSON object is the answer itself', () => {
		expect(toolAnswer({ output: { paid: 12 }, call })).toEqual({ paid: 12 });
		expect(toolAnswer({ output: {}, call })).toEqual({});
	});

	it.each([['text'], [12], [true], [null], [['a', 1]]])('%j is wrapped', (output) => {
		expect(toolAnswer({ output, call })).toStrictEqual({ output });
	});

	it.each(['error', '$error'])(
		'an object with the key "%s" is wrapped: n8n would take it for a failure and call again (P20)',
		(key) => {
			const output = { [key]: 'none', paid: 12 };
			expect(toolAnswer({ output, call })).toStrictEqual({ output });
		},
	);

	it('an item that expired says that nobody answered, and not in the words of a failure (P26)', () => {
		const answer = toolAnswer({ output: null, call: { ...call, outcome: 'expired' } });
		expect(answer).toStrictEqual({
			expired: true,
			message: expect.stringContaining('nobody answered in time'),
		});
	});

	it.each(['suspended', 'sleeping'])('an item that is %s still is no answer', (outcome) => {
		const json = { output: null, call: { ...call, outcome } };
		expect(toolAnswer(json)).toBe(json);
	});
});

describe('a parked batch of an agent', () => {
	const at = '2026-11-29T10:00:00.000Z';
	const until = '2026-12-01T08:00:00.000Z';
	const batch = (park: ParkedBatch['parked'][number]['park'], outcome: string): ParkedBatch => ({
		version: 1,
		batchId: 'b',
		executionId: '7',
		workflowId: 'w',
		parked: [{ item: 0, tool: 'pay', parkedAt: at, park }],
		items: [{ json: { output: null, call: { ...call, outcome, park: { ...park } } } }],
		leavesAs: 'toolAnswer',
	});

	it('leaves with the answer alone', () => {
		const suspended = batch({ kind: 'person', reason: 'Pay?', inputSchema: true }, 'suspended');
		const leave = (answer: unknown) =>
			settleBatch(suspended, [{ item: 0, answer, answeredAt: new Date(at) }], new Date(at));
		expect(leave({ yes: true })).toStrictEqual([{ json: { yes: true } }]);
		expect(leave('yes')).toStrictEqual([{ json: { output: 'yes' } }]);
		expect(leave({ error: 'no' })).toStrictEqual([{ json: { output: { error: 'no' } } }]);
	});

	it('leaves with the instant alone when a timer ends the wait', () => {
		const sleeping = batch({ kind: 'sleep', until }, 'sleeping');
		expect(settleBatch(sleeping, [], new Date(until))).toStrictEqual([
			{ json: { slept_until: until } },
		]);
	});
});
