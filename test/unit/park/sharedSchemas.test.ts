import { describe, expect, it } from 'vitest';
import { decodeBatch, encodeBatch, type ParkedBatch } from '../../../src/park/parkedBatch';
import { schemaSharing } from '../../../src/park/sharedSchemas';
import { waitingItem } from '../../../src/park/waitingItem';

const parkedAt = '2026-11-29T10:00:00.000Z';
const large = () => ({
	type: 'object',
	properties: Object.fromEntries(
		Array.from({ length: 25 }, (_, x) => [`field${String(x)}`, { type: 'string' }]),
	),
});

type Waiting = { readonly item: number; readonly schema: boolean | ReturnType<typeof large> };

/** A run of `count` items; those that wait hold their park as the call node builds it. */
function batchOf(count: number, waiting: readonly Waiting[]): ParkedBatch {
	const share = schemaSharing();
	const parks = new Map(
		waiting.map(({ item, schema }) => [
			item,
			share({ kind: 'person', reason: `Question ${String(item)}`, inputSchema: schema }),
		]),
	);
	return {
		version: 1,
		batchId: 'b',
		executionId: '7',
		workflowId: 'w1',
		parked: [...parks].map(([item, park]) => ({ item, tool: 'pay', parkedAt, park })),
		items: Array.from({ length: count }, (_, item) => {
			const park = parks.get(item);
			const call = { tool: 'pay' };
			return {
				json:
					park === undefined
						? { output: 1, call: { ...call, park: { inputSchema: 0 } } }
						: waitingItem({ call, park, parkedAt }),
			};
		}),
	};
}

const schemasOf = ({ parked }: ParkedBatch) =>
	parked.map(({ park }) => (park.kind === 'sleep' ? undefined : park.inputSchema));

describe('schemas of many items (P24)', () => {
	const many = batchOf(
		1000,
		Array.from({ length: 1000 }, (_, item) => ({ item, schema: large() })),
	);

	it('an equal one is one object, a different one is not', () => {
		const [first, second, other] = schemasOf(
			batchOf(3, [
				{ item: 0, schema: large() },
				{ item: 1, schema: large() },
				{ item: 2, schema: true },
			]),
		);
		expect(second).toBe(first);
		expect(other).toBe(true);
	});

	it('a batch of a thousand equal ones comes back as it went in, still sharing it', () => {
		const read = decodeBatch(encodeBatch(many));
		expect(read).toStrictEqual(many);
		expect(new Set(schemasOf(read ?? many)).size).toBe(1);
	});

	it('stand once in the text', () => {
		expect(encodeBatch(many).split('"field24"')).toHaveLength(2);
	});

	it('of different shapes come back each to its own item', () => {
		const mixed = batchOf(5, [
			{ item: 0, schema: true },
			{ item: 2, schema: large() },
			{ item: 3, schema: false },
			{ item: 4, schema: large() },
		]);
		expect(decodeBatch(encodeBatch(mixed))).toStrictEqual(mixed);
	});

	it('a sleeper, and an item that does not wait but looks alike, stay as they are', () => {
		const mixed = batchOf(3, [
			{ item: 0, schema: large() },
			{ item: 2, schema: large() },
		]);
		const until = '2026-12-01T08:00:00.000Z';
		const asleep: ParkedBatch = {
			...mixed,
			parked: [...mixed.parked, { item: 1, tool: 'x', parkedAt, park: { kind: 'sleep', until } }],
		};
		expect(decodeBatch(encodeBatch(asleep))).toStrictEqual(asleep);
		expect(decodeBatch(encodeBatch(mixed))).toStrictEqual(mixed);
	});

	it('a text that holds each of them in its place is read too', () => {
		expect(decodeBatch(JSON.stringify(many))).toStrictEqual(many);
	});
});
