import { expect, it } from 'vitest';
import { addWarnings } from '../../../src/park/addWarnings';
import type { ParkedBatch } from '../../../src/park/parkedBatch';

const park = { kind: 'sleep', until: '2026-12-24T09:00:00.000Z' } as const;
const parked = (item: number) => ({ item, tool: 't', parkedAt: '2026-11-30T09:00:00.000Z', park });
const batch: ParkedBatch = {
	version: 1,
	batchId: 'b',
	executionId: '1',
	workflowId: 'w',
	parked: [parked(0), parked(2)],
	items: [
		{ json: { call: { tool: 't', warnings: ['before'] } } },
		{ json: { call: { tool: 't' } } },
		{ json: { call: { tool: 't' } } },
	],
};

const warningsOf = ({ items }: ParkedBatch) => items.map(({ json }) => json['call']);

it('warnings come after those that an item has, on the items that wait and on no other', () => {
	expect(warningsOf(addWarnings(batch, ['a', 'b']))).toEqual([
		{ tool: 't', warnings: ['before', 'a', 'b'] },
		{ tool: 't' },
		{ tool: 't', warnings: ['a', 'b'] },
	]);
});

it('an item that comes back with a warning does not get it a second time', () => {
	expect(warningsOf(addWarnings(batch, ['before']))[0]).toEqual({
		tool: 't',
		warnings: ['before'],
	});
});

it('no warnings leave the batch as it is', () => {
	expect(addWarnings(batch, [])).toBe(batch);
});
