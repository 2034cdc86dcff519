import { expect, it } from 'vitest';
import { notifications } from '../../../src/park/notification';
import type { ParkedBatch } from '../../../src/park/parkedBatch';
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
		{ json: waitingItem({ call, park: person, parkedAt: AT, resumeUrl: 'http://n8n/17?item=0' }) },
		{ json: { output: 'done', call: { tool: 'pay' } } },
		{ json: waitingItem({ call, park: sleep, parkedAt: AT, resumeUrl: 'http://n8n/17?item=2' }) },
	],
};

it('each item that waits is told of with its own address, and no other item is', () => {
	const where = { workflowName: 'Payments', nodeName: 'Request payment' };
	const common = { executionId: '17', workflowId: 'w', ...where, parkedAt: AT };
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

it('an item that is awaited until a deadline is told of with it', () => {
	const [first, ...rest] = batch.items;
	const deadline = '2026-12-01T09:00:00.000Z';
	const json = { ...first?.json, call: { park: { resumeUrl: 'http://n8n/17', deadline } } };
	const limited = { ...batch, items: [{ json }, ...rest] };
	const told = notifications(limited, { workflowName: '', nodeName: '' });
	expect(told.map((entry) => entry['deadline'])).toEqual([deadline, undefined]);
});
