import { describe, expect, it } from 'vitest';
import { decodeBatch, encodeBatch, type ParkedBatch } from '../../../src/park/parkedBatch';

const batch: ParkedBatch = {
	version: 1,
	parkedAt: '2026-11-29T10:00:00.000Z',
	parked: {
		item: 1,
		tool: 'request_payment',
		serverName: 'Payments',
		park: {
			kind: 'person',
			reason: '  “approve” \u2028 900 € {{ $json }}',
			inputSchema: { type: 'object', properties: { approved: { type: 'boolean' } } },
		},
		schemaWarning: 'the schema names a draft that is not supported',
	},
	items: [
		{ json: { output: 0 }, binary: { data: { mimeType: 'image/png', data: 'AAAA' } } },
		{ json: { output: null, call: { outcome: 'suspended' } } },
	],
};

describe('a parked batch as it is stored (P20)', () => {
	it('comes back as it went in', () => {
		expect(decodeBatch(encodeBatch(batch))).toStrictEqual(batch);
	});

	it('a sleeper comes back with its instant as UTC text', () => {
		const sleeper: ParkedBatch = {
			...batch,
			parked: {
				item: 0,
				tool: 'remind',
				park: { kind: 'sleep', until: '2026-12-01T08:00:00.000Z' },
			},
		};
		expect(decodeBatch(encodeBatch(sleeper))).toStrictEqual(sleeper);
	});

	it('a boolean schema comes back as a boolean', () => {
		const park = { kind: 'signal', reason: 'x', inputSchema: true } as const;
		const open: ParkedBatch = { ...batch, parked: { ...batch.parked, park } };
		expect(decodeBatch(encodeBatch(open))?.parked.park).toStrictEqual(park);
	});

	it('states its version in the text', () => {
		expect(JSON.parse(encodeBatch(batch))).toMatchObject({ version: 1 });
	});
});

describe('what another version stored is not read', () => {
	const stored = (change: object) => JSON.stringify({ ...batch, ...change });

	it.each([
		['a later version', stored({ version: 2 })],
		['a version as text', stored({ version: '1' })],
		['no version', stored({ version: undefined })],
		['no parked item', stored({ parked: undefined })],
		['a list of parked items', stored({ parked: [] })],
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
