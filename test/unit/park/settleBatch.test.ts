import { describe, expect, it } from 'vitest';
import type { ParkedBatch, StoredPark } from '../../../src/park/parkedBatch';
import { readParkedItem } from '../../../src/park/readParkedItem';
import { settleBatch, wakeItem } from '../../../src/park/settleBatch';
import { waitingItem } from '../../../src/park/waitingItem';

const facts = {
	tool: 'request_payment',
	serverName: 'Payments',
	effect: 'write',
	effectSource: 'operator',
	attempts: 1,
};
const done = (output: unknown) => ({ json: { output, call: { ...facts, outcome: 'completed' } } });

const origin = { version: 1, batchId: 'b1', executionId: '7', workflowId: 'w1' } as const;

const waiting: ParkedBatch = {
	...origin,
	parked: [
		{
			item: 1,
			tool: 'request_payment',
			parkedAt: '2026-11-29T10:00:00.000Z',
			park: { kind: 'person', reason: 'approve 900', inputSchema: { type: 'object' } },
		},
	],
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
	...origin,
	parked: [
		{
			item: 0,
			tool: 'schedule_reminder',
			parkedAt: '2026-11-29T10:00:00.000Z',
			park: { kind: 'sleep', until: '2026-12-01T08:00:00.000Z' },
		},
	],
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
const woken = new Date('2026-12-01T08:00:00.000Z');

/** The run of one parked item, answered. */
const answered = (answer: unknown, batch = waiting) =>
	settleBatch(batch, [{ item: 1, answer, answeredAt }], answeredAt);

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
		expect(answered(answer)[1]?.json['output']).toStrictEqual(answer);
	});

	it('leaves one item for each that came in, the others untouched and in order (P21)', () => {
		const leaving = answered({ approved: true });
		expect(leaving).toHaveLength(3);
		expect(leaving[0]).toEqual(waiting.items[0]);
		expect(leaving[2]).toEqual(waiting.items[2]);
	});

	it('tells in `call` when it was answered, and drops the resume URL', () => {
		expect(answered('yes')[1]).toStrictEqual({
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

	it('drops the name of its claim with the answer, and keeps it while somebody may still await the item (K6, P25)', () => {
		const { park = waiting.parked[0]?.park, parkedAt = '' } = waiting.parked[0] ?? {};
		if (park === undefined) throw new Error('nothing waits');
		const json = waitingItem({ call: facts, park, parkedAt, claimId: 'c-1' });
		const items = waiting.items.map((item, index) => (index === 1 ? { json } : item));
		const claimed = { ...waiting, items };
		expect(JSON.stringify(answered('yes', claimed))).not.toContain('c-1');
		const left = settleBatch(claimed, [], answeredAt)[1]?.json ?? {};
		expect(readParkedItem(left)).toMatchObject({ claimId: 'c-1' });
	});

	it('keeps the binary data of the item that waited', () => {
		const binary = { data: { mimeType: 'text/plain' } };
		const items = waiting.items.map((item, index) => (index === 1 ? { ...item, binary } : item));
		expect(answered('yes', { ...waiting, items })[1]?.binary).toEqual(binary);
	});

	it('leaves the stored batch as it was, so it can be judged again (R2)', () => {
		const before = structuredClone(waiting);
		answered({ approved: true });
		expect(waiting).toEqual(before);
	});
});

describe('a sleeper whose instant has come', () => {
	it('leaves the instant as `output` and nothing else in it (P23)', () => {
		expect(settleBatch(sleeping, [], woken)[0]?.json['output']).toStrictEqual({
			slept_until: '2026-12-01T08:00:00.000Z',
		});
	});

	it('woke, without a resume URL and without an answer', () => {
		expect(settleBatch(sleeping, [], woken)[0]?.json['call']).toStrictEqual({
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
		const leaving = settleBatch(sleeping, [], woken);
		expect(leaving).toHaveLength(2);
		expect(leaving[1]).toEqual(sleeping.items[1]);
	});

	it('one item woken by itself is the item that a batch wakes', () => {
		expect(wakeItem(sleeping.items[0]?.json ?? {})).toEqual(
			settleBatch(sleeping, [], woken)[0]?.json,
		);
	});
});

describe('a batch of several (P24, P25)', () => {
	const until = '2026-12-01T08:00:00.000Z';
	const waits = (item: number, park: StoredPark) => ({
		item,
		tool: 'request_payment',
		parkedAt: `2026-11-29T10:00:0${String(item)}.000Z`,
		park,
	});
	const parked = [
		waits(0, { kind: 'person', reason: 'a', inputSchema: true }),
		waits(2, { kind: 'sleep', until }),
		waits(3, { kind: 'signal', reason: 'b', inputSchema: true }),
	];
	const mixed: ParkedBatch = {
		...origin,
		parked,
		items: [0, 1, 2, 3].map((item) => {
			const entry = parked.find((found) => found.item === item);
			if (entry === undefined) return done('done');
			const resumeUrl = `https://n8n.example/webhook-waiting/7?item=${String(item)}`;
			return { json: waitingItem({ ...entry, call: facts, resumeUrl }) };
		}),
	};
	const answers = [
		{ item: 3, answer: 'second', answeredAt: new Date('2026-11-29T11:00:00Z') },
		{ item: 0, answer: 'first', answeredAt: new Date('2026-11-29T12:00:00Z') },
	];
	const settledAt = (now: Date, given = answers) =>
		settleBatch(mixed, given, now).map(({ json }) => json);

	it('answered in any order, each item leaves in its place with its own answer and instant', () => {
		for (const order of [answers, answers.toReversed()]) {
			expect(settledAt(woken, order)).toMatchObject([
				{
					output: 'first',
					call: { outcome: 'resumed', park: { answeredAt: '2026-11-29T12:00:00.000Z' } },
				},
				{ output: 'done', call: { outcome: 'completed' } },
				{ output: { slept_until: until }, call: { outcome: 'woke' } },
				{
					output: 'second',
					call: { outcome: 'resumed', park: { answeredAt: '2026-11-29T11:00:00.000Z' } },
				},
			]);
		}
	});

	it('a sleeper whose instant has not come leaves with its park, still sleeping, without its resume URL', () => {
		const [, , sleeper] = settledAt(new Date('2026-12-01T07:59:59.999Z'));
		expect(sleeper).toStrictEqual({
			output: null,
			call: {
				...facts,
				outcome: 'sleeping',
				park: { kind: 'sleep', until, parkedAt: '2026-11-29T10:00:02.000Z' },
			},
		});
	});

	it('what leaves unfinished can be awaited again, with the park that it had (P27)', () => {
		const [first, , sleeper, last] = settledAt(answeredAt, []);
		for (const [item, json] of [
			[0, first],
			[1, sleeper],
			[2, last],
		] as const) {
			const { park, parkedAt } = parked[item] ?? {};
			expect(readParkedItem(json ?? {})).toStrictEqual({
				park,
				parkedAt,
				call: facts,
				beside: {},
			});
		}
	});

	it('an answer for a sleeper or for an item that is done changes nothing', () => {
		const stray = [1, 2, 9].map((item) => ({ item, answer: 'stray', answeredAt }));
		expect(settledAt(woken, [...answers, ...stray])).toStrictEqual(settledAt(woken));
	});

	it('what stands beside the park of an item that came in with it leaves with it (P27)', () => {
		const beside = { approver: 'Ada' };
		const items = mixed.items.map(({ json }) => ({ json: { ...json, ...beside } }));
		for (const [now, given] of [
			[woken, answers],
			[answeredAt, []],
		] as const) {
			for (const { json } of settleBatch({ ...mixed, items }, given, now)) {
				expect(json).toMatchObject(beside);
			}
		}
	});

	it('no resume URL leaves with any item', () => {
		expect(JSON.stringify(settledAt(answeredAt, []))).not.toContain('resumeUrl');
		expect(JSON.stringify(settledAt(woken))).not.toContain('n8n.example');
	});
});

describe('a batch whose limit has passed (P26)', () => {
	const deadline = '2026-11-29T13:00:00.000Z';
	const limited: ParkedBatch = {
		...waiting,
		version: 2,
		limit: { deadline, onExpiry: 'continue' },
	};
	const before = new Date('2026-11-29T12:59:59.999Z');

	it('lets the item without an answer leave as expired, its park in it and its address gone', () => {
		const [, expired] = settleBatch(limited, [], new Date(deadline));
		expect(expired?.json).toStrictEqual({
			output: null,
			call: {
				...facts,
				outcome: 'expired',
				park: {
					kind: 'person',
					reason: 'approve 900',
					inputSchema: { type: 'object' },
					parkedAt: '2026-11-29T10:00:00.000Z',
				},
			},
		});
	});

	it('an answered item is not expired, however late it leaves', () => {
		const answers = [{ item: 1, answer: 'yes', answeredAt }];
		expect(settleBatch(limited, answers, new Date('2027-01-01T00:00:00Z'))[1]?.json).toMatchObject({
			output: 'yes',
			call: { outcome: 'resumed' },
		});
	});

	it('before the deadline nothing is expired', () => {
		expect(settleBatch(limited, [], before)[1]?.json['call']).toMatchObject({
			outcome: 'suspended',
		});
	});

	it('a sleeper does not expire', () => {
		const batch: ParkedBatch = { ...sleeping, limit: { deadline, onExpiry: 'continue' } };
		expect(settleBatch(batch, [], new Date(deadline))[0]?.json['call']).toMatchObject({
			outcome: 'sleeping',
		});
	});

	it('an expired item is not taken for one that waits still (P27)', () => {
		const [, expired] = settleBatch(limited, [], new Date(deadline));
		expect(readParkedItem(expired?.json ?? {})).toBeUndefined();
	});
});
