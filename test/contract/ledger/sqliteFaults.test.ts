import {
	closeSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger';
import { openLedger } from '../../../src/ledger/openLedger';
import type { Flush } from '../../../src/ledger/sqliteFile';
import { openSqliteLedger } from '../../../src/ledger/sqliteLedger';
import type { Failure, Result } from '../../../src/outcome/failure';
import { smallDisk, type SmallDisk } from '../../support/smallDisk';

let folder: string;
let file: string;
const opened: Ledger[] = [];

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'salvor-ledger-faults-'));
	file = join(folder, 'ledger.sqlite');
});
afterEach(async () => {
	await Promise.all(opened.splice(0).map((ledger) => ledger.close()));
	rmSync(folder, { recursive: true, force: true });
});

describe('a file that cannot be a ledger is refused, by place and remedy', () => {
	it('a folder stands in its place', async () => {
		mkdirSync(file);
		expectRefusal(await refusal(file), 'cannot be opened as a file');
	});

	it('its folder does not exist, and is not made', async () => {
		expectRefusal(await refusal(join(folder, 'absent/l.sqlite')), 'folder does not exist');
		expect(existsSync(join(folder, 'absent'))).toBe(false);
	});

	it('a part of its path is a file', async () => {
		writeFileSync(file, '');
		expectRefusal(await refusal(join(file, 'l.sqlite')), 'a part of its path is not a folder');
	});

	it.runIf(existsSync('/dev/full'))('it is a device', async () => {
		const failure = await refusal('/dev/full');
		expect(failure.code).toBe('ledger-unavailable');
		expect(failure.message).toContain('sqlite:/dev/full');
	});

	it('it holds something else, which is left as it is', async () => {
		writeFileSync(file, 'These are not the bytes of a database.'.repeat(100));
		const { size, mtimeMs } = statSync(file);
		expectRefusal(await refusal(file), 'damaged or not a SQLite database');
		expect(statSync(file)).toMatchObject({ size, mtimeMs });
	});

	it('its pages are damaged', async () => {
		await (await open(file)).close();
		const damaged = openSync(file, 'r+');
		writeSync(damaged, Buffer.alloc(statSync(file).size - 100, 0xa5), 0, undefined, 100);
		closeSync(damaged);
		expectRefusal(await refusal(file), 'is damaged');
	});
});

describe('a ledger in use', () => {
	it('belongs to its owner alone', async () => {
		await open(file);
		expect(statSync(file).mode & 0o777).toBe(0o600);
	});

	it('waits for another process that writes, without holding up its own', async () => {
		const ledger = await open(file);
		await openBatch(ledger);
		const other = new DatabaseSync(file);
		other.exec('BEGIN IMMEDIATE');

		let recorded = false;
		const recording = answer(ledger, 0, 'x').finally(() => (recorded = true));
		for (let turn = 0; turn < 20; turn += 1) await nextTurn();
		expect(recorded).toBe(false);
		expect((await ledger.readAnswers('b')).ok).toBe(true);

		other.exec('COMMIT');
		other.close();
		expect(await recording).toMatchObject({ ok: true, value: { kind: 'recorded' } });
	});

	it('held by another process blocks its own for no moment, however many answers wait, and takes them all', async () => {
		const ledger = await open(file);
		valueOf(await ledger.openBatch({ ...BATCH, items: Array.from({ length: 50 }, (_, n) => n) }));
		const other = new DatabaseSync(file);
		other.exec('BEGIN IMMEDIATE');

		const recording = Array.from({ length: 50 }, (_, item) => answer(ledger, item, 'x'));
		let turns = 0;
		for (const end = performance.now() + 500; performance.now() < end; turns += 1) await nextTurn();
		// A call that slept in SQLite until the file is free would leave one or two.
		expect(turns).toBeGreaterThan(20);
		other.exec('COMMIT');
		other.close();
		for (const result of await Promise.all(recording)) {
			expect(result).toMatchObject({ ok: true, value: { kind: 'recorded' } });
		}
	});

	it('records answers that come at once one by one, and lets the process work in between', async () => {
		const ledger = await open(file);
		valueOf(await ledger.openBatch({ ...BATCH, items: Array.from({ length: 50 }, (_, n) => n) }));
		const recording = Promise.all(
			Array.from({ length: 50 }, (_, item) => answer(ledger, item, 'x')),
		);
		expect(await turnsDuring(recording)).toBeGreaterThan(40);
		expect((await recording).every(({ ok }) => ok)).toBe(true);
	});

	it('on a slow disk holds nothing up, and tells of an answer when the disk has it, not before', async () => {
		const disk = slowDisk();
		const ledger = await open(file, disk.flush);
		const opening = openBatch(ledger);
		await vi.waitFor(() => expect(disk.waiting()).toBe(1));
		disk.next().resolve(undefined);
		await opening;

		let told = 0;
		const recording = [0, 1, 0].map(async (item) => {
			const result = await answer(ledger, item, 'x');
			told += 1;
			return result;
		});
		await vi.waitFor(() => expect(disk.waiting()).toBe(1));
		expect(await ledger.readAnswers('b')).toMatchObject({ ok: true });
		expect(told).toBe(0);
		disk.next().resolve(undefined);
		// Those that came while it flushed share one flush.
		await vi.waitFor(() => expect(disk.waiting()).toBe(1));
		disk.next().resolve(undefined);
		expect(await Promise.all(recording)).toMatchObject([
			{ value: { kind: 'recorded', remaining: 1 } },
			{ value: { kind: 'recorded', remaining: 0 } },
			{ value: { kind: 'answered-before' } },
		]);
		expect(disk.waiting()).toBe(0);
		disk.mend();
	});

	it('whose disk fails to keep an answer says that this is in doubt', async () => {
		const disk = slowDisk();
		const ledger = await open(file, disk.flush);
		const opening = openBatch(ledger);
		await vi.waitFor(() => expect(disk.waiting()).toBe(1));
		disk.next().resolve(undefined);
		await opening;
		const recording = answer(ledger, 0, 'x');
		await vi.waitFor(() => expect(disk.waiting()).toBe(1));
		disk.next().reject(Object.assign(new Error('i/o error'), { code: 'EIO' }));
		expect(failureOf(await recording)).toMatchObject({
			code: 'ledger-unavailable',
			disposition: 'in-doubt',
			message: expect.stringContaining('the disk reported an error'),
		});
		disk.mend();
	});

	it('forgets large batches one at a time, and lets the process work in between', async () => {
		const ledger = await open(file);
		const items = Array.from({ length: 1000 }, (_, n) => n);
		for (let n = 0; n < 30; n += 1) {
			valueOf(await ledger.openBatch({ ...BATCH, batchId: String(n), items }));
		}
		const purging = ledger.purge({ before: new Date(Date.now() + 1) });
		expect(await turnsDuring(purging)).toBeGreaterThan(3);
		expect(await purging).toEqual({ ok: true, value: 30 });
	});

	it('says that its file was exchanged instead of writing into the one that is gone', async () => {
		const ledger = await open(file);
		await openBatch(ledger);
		renameSync(file, join(folder, 'moved.sqlite'));
		expectRefusal(failureOf(await answer(ledger, 0, 'x')), 'moved, removed or replaced');

		const another = await open(file);
		expect(await answer(another, 0, 'x')).toMatchObject({ value: { kind: 'unknown' } });
		expectRefusal(failureOf(await answer(ledger, 0, 'x')), 'moved, removed or replaced');
	});

	it('fails with a value after it was closed', async () => {
		const ledger = await open(file);
		await ledger.close();
		await ledger.close();
		expect(failureOf(await ledger.readAnswers('b'))).toMatchObject({ code: 'ledger-unavailable' });
	});
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

describe.runIf(canMount)('a ledger on a disk of its own', () => {
	let disk: SmallDisk | undefined;
	let onDisk: string;

	beforeEach((context) => {
		disk = smallDisk();
		if (!disk) context.skip('no disk can be mounted here');
		else onDisk = join(disk.folder, 'ledger.sqlite');
	});
	afterEach(async () => {
		await Promise.all(opened.splice(0).map((ledger) => ledger.close()));
		disk?.remove();
	});

	it('that is full loses no parked run: nothing is half recorded, and it goes on when there is space', async () => {
		const ledger = await open(onDisk);
		await openBatch(ledger);
		await answer(ledger, 0, 'before');
		disk?.fill();
		const large = 'x'.repeat(200_000);
		expectRefusal(failureOf(await answer(ledger, 1, large)), 'the disk is full');
		expect(await ledger.readAnswers('b')).toMatchObject({
			value: { answers: [{ item: 0, answer: 'before' }], unanswered: [1] },
		});

		disk?.free();
		expect(await answer(ledger, 1, large)).toMatchObject({
			value: { kind: 'recorded', remaining: 0 },
		});
	});

	it('that is full from the start is refused', async () => {
		disk?.fill();
		const failure = await refusal(onDisk);
		expect(failure.code).toBe('ledger-unavailable');
		expect(failure.message).toMatch(/the disk is full|the disk reported an error/);
	});

	it('that turned read-only is refused, new or made before', async () => {
		await (await open(onDisk)).close();
		disk?.makeReadOnly();
		expectRefusal(await refusal(onDisk), 'read-only');
		expectRefusal(await refusal(`${onDisk}.new`), 'read-only');
	});
});

/** A disk whose flushes end when the test says so. */
function slowDisk() {
	const flushes: PromiseWithResolvers<undefined>[] = [];
	let mended = false;
	return {
		flush: async (): Promise<void> => {
			if (mended) return;
			const flush = Promise.withResolvers<undefined>();
			flushes.push(flush);
			await flush.promise;
		},
		/** How many flushes run. */
		waiting: () => flushes.length,
		mend: (): void => {
			mended = true;
			for (const flush of flushes.splice(0)) flush.resolve(undefined);
		},
		next: (): PromiseWithResolvers<undefined> => {
			const flush = flushes.shift();
			if (!flush) throw new Error('Nothing is flushed.');
			return flush;
		},
	};
}

async function open(path: string, flush?: Flush): Promise<Ledger> {
	const result = await openSqliteLedger(path, flush);
	if (!result.ok) throw new Error(JSON.stringify(result.failure));
	opened.push(result.value);
	return result.value;
}

async function refusal(path: string): Promise<Failure> {
	const result = await openLedger({ place: { kind: 'sqlite', file: path } });
	if (result.ok) opened.push(result.value);
	return failureOf(result);
}

function failureOf(result: Result<unknown>): Failure {
	if (result.ok) throw new Error('It did not fail.');
	return result.failure;
}

function expectRefusal(failure: Failure, problem: string): void {
	expect(failure).toMatchObject({ code: 'ledger-unavailable', disposition: 'did-not-happen' });
	expect(failure.message).toMatch(/^The ledger at sqlite:\/.*\.$/);
	expect(failure.message).toContain(problem);
	expect(failure.remedy).toMatch(/\.$/);
}

const BATCH = {
	batchId: 'b',
	instanceId: 'n8n',
	executionId: '1',
	workflowId: 'w',
	nodeName: 'n',
	parkedAt: new Date(),
	openedAt: new Date(),
	items: [0, 1],
};

async function openBatch(ledger: Ledger): Promise<void> {
	valueOf(await ledger.openBatch(BATCH));
}

/** How often this process gets its turn until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
	const state = { done: false };
	void work.finally(() => (state.done = true));
	let turns = 0;
	for (; !state.done; turns += 1) await nextTurn();
	return turns;
}

function valueOf<T>(result: Result<T>): T {
	if (result.ok) return result.value;
	throw new Error(JSON.stringify(result.failure));
}

const answer = (ledger: Ledger, item: number, value: unknown) =>
	ledger.recordAnswer({ batchId: 'b', item, answer: value, answeredAt: new Date() });
