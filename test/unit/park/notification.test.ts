import { expect, it } from 'vitest';
import { notifications } from '../../../src/park/notification';
import type { ParkedBatch, ParkedItem } from '../../../src/park/parkedBatch';
import { waitingItem } from '../../../src/park/waitingItem';

const AT = '2026-11-30T09:00:00.000Z';
const person = { kind: 'person', reason: 'Approve?', inputSchema: true } as const;
const sleep = { kind: 'sleep', until: '2026-12-24T09:00:00.000Z' } as const;
const call = { tool: 'pay', serverName: 'demo' };

const batch: ParkedBatch = {
	version: 1,
	batchId: 'b',
	executionId: '17',
	workflowId: 'w',
	parked: [
		{ item: 0, tool: 'pay', serverName: 'demo', parkedAt: AT, park: person },
		{ item: 2, tool: 'rest', parkedAt: AT, park: sleep },
	],
	items: [
		{ json: waitingItem({ call, park: person, parkedAt: AT }) },
		{ json: { output: 'done', call: { tool: 'pay' } } },
		{ json: waitingItem({ call, park: sleep, parkedAt: AT }) },
	],
};

it('each item that waits is told of with its own address, and no other item is', () => {
	const where = {
		workflowName: 'Payments',
		nodeName: 'Request payment',
		addressOf: ({ item }: ParkedItem) => `http://n8n/17?item=${String(item)}`,
	};
	const { addressOf: _, ...names } = where;
	const common = { executionId: '17', workflowId: 'w', ...names, parkedAt: AT };
	expect(notifications(batch, where)).toEqual([
		{
			...common,
			item: 0,
			tool: 'pay',
			serverName: 'demo',
			...person,
			resumeUrl: 'http://n8n/17?item=0',
		},
		{ ...common, item: 2, tool: 'rest', ...sleep, resumeUrl: 'http://n8n/17?item=2' },
	]);
});

it('an item that may expire is told of with its deadline, and a sleeper has none (P26)', () => {
	const where = {
		workflowName: 'Payments',
		nodeName: 'Request payment',
		addressOf: ({ item }: ParkedItem) => `http://n8n/17?item=${String(item)}`,
	};
	const deadline = '2026-12-01T09:00:00.000Z';
	const limited: ParkedBatch = { ...batch, version: 2, limit: { deadline, onExpiry: 'continue' } };
	expect(notifications(limited, where).map((told) => told['deadline'])).toEqual([
		deadline,
		undefined,
	]);
});
