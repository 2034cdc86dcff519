import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { ItemOptions } from '../../../nodes/McpToolCall/prepareItem';
import { settleOutcome } from '../../../nodes/McpToolCall/settleOutcome';
import type { CallOutcome } from '../../../src/call/callOutcome';
import type { CallFacts } from '../../../src/call/callRecord';

const facts: CallFacts = {
	tool: 'pay',
	serverName: 'Payments',
	decided: { effect: 'write', source: 'operator' },
	attempts: 0,
	idempotencyKey: 'pay:inv-7',
	deduplicatedFrom: '41',
	warnings: [],
};
const park = { kind: 'person', reason: 'Approve', inputSchema: { type: 'object' } } as const;
const before = {
	kind: 'parked-before',
	park,
	parkedAt: '2026-11-02T09:00:00.000Z',
	claimId: 'c',
	facts,
} as const;

// Asked of nothing but binary data, and these outcomes hold none.
const context = {} as IExecuteFunctions;
const NOW = new Date('2026-11-03T10:00:00.000Z');
const value: ItemOptions = { output: 'value', binary: true, toolErrors: 'fail' };

const settle = (outcome: CallOutcome, options = value) =>
	settleOutcome(context, outcome, options, { now: NOW, parkId: undefined });

describe('what an item becomes whose key was used before (K6)', () => {
	it.each([
		[value, 'charge 7'],
		[{ ...value, output: 'fullResult' }, { content: [{ type: 'text', text: 'charge 7' }] }],
	] as const)('a result is copied, and said to be a copy: %o', async (options, output) => {
		const result = { content: [{ type: 'text', text: 'charge 7' }] };
		expect(await settle({ kind: 'completed', result, facts }, options)).toMatchObject({
			kind: 'completed',
			json: {
				output,
				call: {
					outcome: 'deduplicated',
					deduplicatedFrom: '41',
					idempotencyKey: 'pay:inv-7',
					attempts: 0,
				},
			},
		});
	});

	it('a park without an answer is waited for, and its claim gets the answer too', async () => {
		expect(await settle(before)).toMatchObject({
			kind: 'parked',
			parked: { park, claimId: 'c', parkedAt: NOW.toISOString(), call: { deduplicatedFrom: '41' } },
		});
	});

	it.each([{ approved: true }, null, false])(
		'a park with an answer is over: the item gets that answer, and nothing waits: %o',
		async (answer) => {
			const answeredAt = new Date('2026-11-03T09:00:00.000Z');
			expect(await settle({ ...before, answer: { value: answer, answeredAt } })).toEqual({
				kind: 'completed',
				json: {
					output: answer,
					call: {
						tool: 'pay',
						serverName: 'Payments',
						effect: 'write',
						effectSource: 'operator',
						attempts: 0,
						idempotencyKey: 'pay:inv-7',
						deduplicatedFrom: '41',
						outcome: 'deduplicated',
						park: {
							...park,
							parkedAt: '2026-11-02T09:00:00.000Z',
							answeredAt: '2026-11-03T09:00:00.000Z',
						},
					},
				},
			});
		},
	);
});
