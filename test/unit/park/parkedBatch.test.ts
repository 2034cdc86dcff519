import { describe, expect, it } from 'vitest';
import {
	answerable,
	decodeBatch,
	encodeBatch,
	endsAt,
	isExpired,
	type ParkedBatch,
	type ParkedItem,
	type StoredPark,
	wakesAt,
} from '../../../src/park/parkedBatch';

const parkedAt = '2026-11-29T10:00:00.000Z';
const waits = (item: number, park: StoredPark): ParkedItem => ({
	item,
	tool: 'remind',
	parkedAt,
	park,
});
const sleep = (until: string): StoredPark => ({ kind: 'sleep', until });
const person: ParkedItem = {
	item: 1,
	tool: 'request_payment',
	serverName: 'Payments',
	parkedAt,
	park: {
		kind: 'person',
		reason: '  “approve” \u2028 900 € {{ $json }}',
		inputSchema: { type: 'object', properties: { approved: { type: 'boolean' } } },
	},
	schemaWarning: 'the schema names a draft that is not supported',
};

const batch: ParkedBatch = {
	version: 1,
	batchId: '6f2c1d3e-0000-4000-8000-000000000001',
	executionId: '7',
	workflowId: 'w1',
	parked: [person, waits(2, sleep('2026-12-01T08:00:00.000Z'))],
	items: [
		{ json: { output: 0 }, binary: { data: { mimeType: 'image/png', data: 'AAAA' } } },
		{ json: { output: null, call: { outcome: 'suspended' } } },
		{ json: { output: null, call: { outcome: 'sleeping' } } },
	],
};
const withParked = (...parked: readonly ParkedItem[]): ParkedBatch => ({ ...batch, parked });

describe('a parked batch as it is stored (P20)', () => {
	it('comes back as it went in', () => {
		expect(decodeBatch(encodeBatch(batch))).toStrictEqual(batch);
	});

	it('a boolean schema comes back as a boolean', () => {
		const park = { kind: 'signal', reason: 'x', inputSchema: true } as const;
		const open = withParked(waits(0, park));
		expect(decodeBatch(encodeBatch(open))?.parked[0]?.park).toStrictEqual(park);
	});

	it('a text that the first release stored is read (0002)', () => {
		const stored =
			'{"version":1,"batchId":"b","executionId":"7","workflowId":"w1","parked":[{"item":0,"tool":"pay","serverName":"demo","parkedAt":"2026-11-29T10:00:00.000Z","park":{"kind":"person","reason":"Pay?","inputSchema":true}}],"items":[{"json":{"output":null}}]}';
		const read = decodeBatch(stored);
		expect(read).toStrictEqual(JSON.parse(stored));
		expect(read?.limit).toBeUndefined();
		expect(read?.runsAgain).toBeUndefined();
	});

	it('states its version in the text', () => {
		expect(JSON.parse(encodeBatch(batch))).toMatchObject({ version: 1 });
	});
});

describe('a batch with a limit (P26)', () => {
	const deadline = '2026-12-01T10:00:00.000Z';
	const limited: ParkedBatch = {
		...batch,
		version: 2,
		limit: { deadline, onExpiry: 'fail' },
		runsAgain: true,
		registered: true,
	};
	const at = (ms: number) => new Date(new Date(deadline).getTime() + ms);

	it('comes back as it went in', () => {
		expect(decodeBatch(encodeBatch(limited))).toStrictEqual(limited);
	});

	it('ends at the deadline, even if a sleeper in it sleeps longer', () => {
		expect(endsAt(limited)).toEqual(at(0));
		expect(wakesAt(limited)).toBeUndefined();
	});

	it('ends at the last instant when all sleep, and never without a limit', () => {
		const sleeper = waits(0, sleep('2026-12-02T08:00:00.000Z'));
		expect(endsAt({ ...limited, parked: [sleeper] })).toEqual(new Date('2026-12-02T08:00:00.000Z'));
		expect(endsAt(batch)).toBeUndefined();
	});

	it('is expired from the deadline on, and not a millisecond before', () => {
		expect([-1, 0, 1].map((ms) => isExpired(limited, at(ms)))).toEqual([false, true, true]);
		expect(isExpired(batch, at(1_000_000))).toBe(false);
	});
});

describe('how a batch ends (P25)', () => {
	const signal = waits(4, { kind: 'signal', reason: 'x', inputSchema: true });
	const [early, late] = [
		waits(0, sleep('2026-12-01T08:00:00.000Z')),
		waits(3, sleep('2026-12-02T08:00:00.000Z')),
	];

	it('with answers of all that wait for one; sleepers are not answerable', () => {
		expect(answerable(withParked(early, person, late, signal))).toEqual([1, 4]);
		expect(answerable(withParked(early, late))).toEqual([]);
	});

	it('at the latest instant when all sleep, in whatever order they stand', () => {
		const last = new Date('2026-12-02T08:00:00.000Z');
		expect(wakesAt(withParked(early, late))).toEqual(last);
		expect(wakesAt(withParked(late, early))).toEqual(last);
	});

	it('at no instant while an answer is awaited', () => {
		expect(wakesAt(withParked(early, signal))).toBeUndefined();
		expect(wakesAt(withParked(signal, late))).toBeUndefined();
	});
});

describe('what another version stored is not read', () => {
	const stored = (change: object) => JSON.stringify({ ...batch, ...change });

	it.each([
		['a later version', stored({ version: 3 })],
		['a version as text', stored({ version: '1' })],
		['no version', stored({ version: undefined })],
		['no parked item', stored({ parked: undefined })],
		['one parked item that is no list', stored({ parked: person })],
		['items that are no list', stored({ items: {} })],
		['no items', stored({ items: undefined })],
		['an array', '[1]'],
		['null', 'null'],
		['a text that is cut off', encodeBatch(batch).slice(0, -1)],
		['an empty text', ''],
		['nothing', undefined],
		['a batch that is no text', batch],
	])('%s', (_, text) => {
		expect(decodeBatch(text)).toBeUndefined();
	});
});
