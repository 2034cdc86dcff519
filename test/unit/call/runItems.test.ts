import { describe, expect, it } from 'vitest';
import { type ItemRun, runItems } from '../../../src/call/runItems';

type Outcome = 'done' | 'failed';

/** A run whose items end when the test says so. */
function controlled(
	plan: Pick<ItemRun<Outcome>, 'count' | 'concurrency'> & Partial<ItemRun<Outcome>>,
) {
	const started: number[] = [];
	const ends = new Map<number, (outcome: Outcome) => void>();
	const finished = runItems<Outcome>({
		mayOverlap: () => true,
		stopsRun: () => false,
		run: (item) => {
			started.push(item);
			return new Promise((resolve) => ends.set(item, resolve));
		},
		...plan,
	});
	return {
		started,
		finished,
		running: () => [...ends.keys()],
		/** Ends an item and lets everything that follows from it happen. */
		end: async (item: number, outcome: Outcome = 'done') => {
			const resolve = ends.get(item);
			if (resolve === undefined) throw new Error(`item ${String(item)} does not run`);
			ends.delete(item);
			resolve(outcome);
			await settled();
		},
	};
}

/** A macrotask later, every promise that could settle has. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('items that may overlap (C10)', () => {
	it('run up to the bound at a time, the next one as soon as one ends', async () => {
		const run = controlled({ count: 5, concurrency: 2 });
		await settled();
		expect(run.started).toEqual([0, 1]);
		await run.end(1);
		expect(run.started).toEqual([0, 1, 2]);
		await run.end(2);
		expect(run.running()).toEqual([0, 3]);
		await run.end(0);
		expect(run.running()).toEqual([3, 4]);
		await run.end(3);
		await run.end(4);
		expect(await run.finished).toHaveLength(5);
	});

	it('all start at once when the bound is larger than their number', async () => {
		const run = controlled({ count: 3, concurrency: 64 });
		await settled();
		expect(run.started).toEqual([0, 1, 2]);
		for (const item of [2, 0, 1]) await run.end(item);
		await run.finished;
	});

	it('one at a time when the bound is 1', async () => {
		const run = controlled({ count: 3, concurrency: 1 });
		for (const item of [0, 1, 2]) {
			await settled();
			expect(run.running()).toEqual([item]);
			await run.end(item);
		}
		await run.finished;
	});

	it('leave their outcomes in item order, whichever ended first (P21)', async () => {
		const ends: (() => void)[] = [];
		const finished = runItems<number>({
			count: 3,
			concurrency: 3,
			mayOverlap: () => true,
			stopsRun: () => false,
			run: (item) => new Promise((resolve) => ends.push(() => resolve(item * 10))),
		});
		await settled();
		for (const end of ends.toReversed()) {
			end();
			await settled();
		}
		expect(await finished).toEqual([0, 10, 20]);
	});

	it('no items: nothing runs', async () => {
		const run = controlled({ count: 0, concurrency: 8 });
		expect(await run.finished).toEqual([]);
		expect(run.started).toEqual([]);
	});
});

describe('items of one lane never overlap, such as those with one key (K4)', () => {
	const laneOf = (item: number) => (item % 2 === 0 ? 'even' : undefined);

	it('the later begins when the earlier has ended, and holds nobody else up', async () => {
		const run = controlled({ count: 5, concurrency: 8, laneOf });
		await settled();
		expect(run.started).toEqual([0, 1, 3]);
		await run.end(0);
		expect(run.running()).toEqual([1, 3, 2]);
		await run.end(2);
		expect(run.running()).toEqual([1, 3, 4]);
		for (const item of [1, 3, 4]) await run.end(item);
		expect(await run.finished).toHaveLength(5);
	});

	it('the later does not begin once the earlier has stopped the run', async () => {
		const stopsRun = (outcome: Outcome) => outcome === 'failed';
		const run = controlled({ count: 3, concurrency: 8, laneOf: () => 'one', stopsRun });
		await settled();
		await run.end(0, 'failed');
		expect(await run.finished).toEqual(['failed', undefined, undefined]);
		expect(run.started).toEqual([0]);
	});
});

describe('writes run alone (C10)', () => {
	it('one after the other, whatever the bound', async () => {
		const run = controlled({ count: 3, concurrency: 8, mayOverlap: () => false });
		for (const item of [0, 1, 2]) {
			await settled();
			expect(run.running()).toEqual([item]);
			await run.end(item);
		}
		expect(await run.finished).toEqual(['done', 'done', 'done']);
	});

	it('a write among reads waits for all before it, and all behind it wait for the write', async () => {
		const run = controlled({ count: 5, concurrency: 8, mayOverlap: (item) => item !== 2 });
		await settled();
		expect(run.running()).toEqual([0, 1]);
		await run.end(1);
		expect(run.running()).toEqual([0]);
		await run.end(0);
		expect(run.running()).toEqual([2]);
		await run.end(2);
		expect(run.running()).toEqual([3, 4]);
		await run.end(4);
		await run.end(3);
		expect(await run.finished).toHaveLength(5);
	});
});

describe('after an outcome that stops the run', () => {
	const stopsRun = (outcome: Outcome) => outcome === 'failed';

	it('no further write starts', async () => {
		const run = controlled({ count: 4, concurrency: 8, mayOverlap: () => false, stopsRun });
		await settled();
		await run.end(0);
		await run.end(1, 'failed');
		expect(await run.finished).toEqual(['done', 'failed', undefined, undefined]);
		expect(run.started).toEqual([0, 1]);
	});

	it('no further read starts, and those that run are waited for', async () => {
		const run = controlled({ count: 5, concurrency: 2, stopsRun });
		await settled();
		await run.end(1, 'failed');
		expect(run.running()).toEqual([0]);
		await run.end(0);
		expect(await run.finished).toEqual(['done', 'failed', undefined, undefined, undefined]);
		expect(run.started).toEqual([0, 1]);
	});

	it('a write that waits for reads does not start once one of them failed', async () => {
		const run = controlled({ count: 3, concurrency: 8, mayOverlap: (item) => item < 2, stopsRun });
		await settled();
		await run.end(0, 'failed');
		await run.end(1);
		expect(await run.finished).toEqual(['failed', 'done', undefined]);
		expect(run.started).toEqual([0, 1]);
	});

	it('a failure that does not stop the run lets all go on', async () => {
		const run = controlled({ count: 2, concurrency: 1 });
		await settled();
		await run.end(0, 'failed');
		await run.end(1);
		expect(await run.finished).toEqual(['failed', 'done']);
	});
});
