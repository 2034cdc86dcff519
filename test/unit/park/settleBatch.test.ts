import { describe, expect, it } from 'vitest';
import type { ParkedBatch } from '../../../src/park/parkedBatch';
import { answerBatch, wakeBatch, wakeItem } from '../../../src/park/settleBatch';

const facts = {
	tool: 'request_payment',
	serverName: 'Payments',
	effect: 'write',
	effectSource: 'operator',
	attempts: 1,
};
const done = (output: unknown) => ({ json: { output, call: { ...facts, outcome: 'completed' } } });

const waiting: ParkedBatch = {
	version: 1,
	parkedAt: '2026-11-29T10:00:00.000Z',
	parked: {
		item: 1,
		tool: 'request_payment',
		park: { kind: 'person', reason: 'approve 900', inputSchema: { type: 'object' } },
	},
	items: [
		{ ...done('first'), binary: { data: { mimeType: 'image/png' } } },
		{
			json: {
				output: null,
				call: {
					...facts,
					outcome: 'suspended',
					park: {
						kind: 'person',
						reason: 'approve 900',
						inputSchema: { type: 'object' },
						parkedAt: '2026-11-29T10:00:00.000Z',
						resumeUrl: 'https://n8n.example/webhook-waiting/7?signature=abc',
					},
				},
			},
		},
		done('third'),
	],
};

const sleeping: ParkedBatch = {
	version: 1,
	parkedAt: '2026-11-29T10:00:00.000Z',
	parked: {
		item: 0,
		tool: 'schedule_reminder',
		park: { kind: 'sleep', until: '2026-12-01T08:00:00.000Z' },
	},
	items: [
		{
			json: {
				output: null,
				call: {
					...facts,
					outcome: 'sleeping',
					park: {
						kind: 'sleep',
						until: '2026-12-01T08:00:00.000Z',
						parkedAt: '2026-11-29T10:00:00.000Z',
						resumeUrl: 'https://n8n.example/webhook-waiting/7?signature=abc',
					},
				},
			},
		},
		done('second'),
	],
};

const answeredAt = new Date('2026-11-29T12:30:00Z');

describe('an answered suspend', () => {
	it.each([
		['an object', { approved: true, note: '' }],
		['an array', [1, 2]],
		['a text', 'yes'],
		['zero', 0],
		['false', false],
		['null', null],
		['an object with a key `call`', { call: 'me' }],
	])('leaves %s verbatim as `output` (P22)', (_, answer) => {
		expect(answerBatch(waiting, answer, answeredAt)[1]?.json['output']).toStrictEqual(answer);
	});

	it('leaves one item for each that came in, the others untouched and in order (P21)', () => {
		const leaving = answerBatch(waiting, { approved: true }, answeredAt);
		expect(leaving).toHaveLength(3);
		expect(leaving[0]).toEqual(waiting.items[0]);
		expect(leaving[2]).toEqual(waiting.items[2]);
	});

	it('tells in `call` when it was answered, and drops the resume URL', () => {
		expect(answerBatch(waiting, 'yes', answeredAt)[1]).toStrictEqual({
			json: {
				output: 'yes',
				call: {
					tool: 'request_payment',
					serverName: 'Payments',
					effect: 'write',
					effectSource: 'operator',
					attempts: 1,
					outcome: 'resumed',
					park: {
						kind: 'person',
						reason: 'approve 900',
						inputSchema: { type: 'object' },
						parkedAt: '2026-11-29T10:00:00.000Z',
						answeredAt: '2026-11-29T12:30:00.000Z',
					},
				},
			},
		});
	});

	it('keeps the binary data of the item that waited', () => {
		const binary = { data: { mimeType: 'text/plain' } };
		const items = waiting.items.map((item, index) => (index === 1 ? { ...item, binary } : item));
		expect(answerBatch({ ...waiting, items }, 'yes', answeredAt)[1]?.binary).toEqual(binary);
	});

	it('leaves the stored batch as it was, so it can be judged again (R2)', () => {
		const before = structuredClone(waiting);
		answerBatch(waiting, { approved: true }, answeredAt);
		expect(waiting).toEqual(before);
	});
});

describe('a sleeper whose instant has come', () => {
	it('leaves the instant as `output` and nothing else in it (P23)', () => {
		expect(wakeBatch(sleeping)[0]?.json['output']).toStrictEqual({
			slept_until: '2026-12-01T08:00:00.000Z',
		});
	});

	it('woke, without a resume URL and without an answer', () => {
		expect(wakeBatch(sleeping)[0]?.json['call']).toStrictEqual({
			...facts,
			outcome: 'woke',
			park: {
				kind: 'sleep',
				until: '2026-12-01T08:00:00.000Z',
				parkedAt: '2026-11-29T10:00:00.000Z',
			},
		});
	});

	it('leaves the other items untouched and in order (P21)', () => {
		const leaving = wakeBatch(sleeping);
		expect(leaving).toHaveLength(2);
		expect(leaving[1]).toEqual(sleeping.items[1]);
	});

	it('one item woken by itself is the item that a batch wakes', () => {
		expect(wakeItem(sleeping.items[0]?.json ?? {})).toEqual(wakeBatch(sleeping)[0]?.json);
	});
});
