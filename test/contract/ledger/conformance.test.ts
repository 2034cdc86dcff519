import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger, OpeningBatch } from '../../../src/ledger/ledger';
import type { LedgerPlace } from '../../../src/ledger/ledgerPlace';
import { openLedger } from '../../../src/ledger/openLedger';
import type { Result } from '../../../src/outcome/failure';
import { findPostgres, postgresBackend, sqliteBackend } from '../../support/ledgerBackends';
import { ledgerProcesses } from '../../support/ledgerProcesses';
import type { AnswerReport } from '../../support/ledgerWorker';

/** One suite for every backend: what holds on one holds on the other. */
const postgres = await findPostgres();
const suites = [
	{ name: 'SQLite', make: sqliteBackend },
	'address' in postgres
		? { name: 'Postgres', make: () => postgresBackend(postgres.address) }
		: { name: `Postgres (skipped: ${postgres.reason})`, make: undefined },
];

const PARKED_AT = new Date('2026-11-02T09:00:00.123Z');
const ANSWERED_AT = new Date('2026-11-03T10:30:00.456Z');

let processes: Awaited<ReturnType<typeof ledgerProcesses>>;
beforeAll(async () => {
	processes = await ledgerProcesses();
});
afterAll(() => processes.dispose());

describe.each(suites)('a ledger on $name', ({ make }) => {
	if (!make) {
		it.skip('is not tested here', () => undefined);
		return;
	}
	const backend = make();
	const opened: Ledger[] = [];
	let place: LedgerPlace;
	let ledger: Ledger;

	const open = async (): Promise<Ledger> => {
		const another = valueOf(await openLedger({ place }));
		opened.push(another);
		return another;
	};
	beforeEach(async () => {
		place = await backend.fresh();
		ledger = await open();
	});
	afterAll(async () => {
		await Promise.all(opened.map((each) => each.close()));
		await backend.dispose();
	});
	const answer = async (item: number, value: unknown, batchId = 'b') =>
		valueOf(await ledger.recordAnswer({ batchId, item, answer: value, answeredAt: ANSWERED_AT }));
	const read = async (batchId = 'b') => valueOf(await ledger.readAnswers(batchId));

	describe('answers (P24, R6)', () => {
		it('are kept in any order until the last one, which is told that none remains', async () => {
			valueOf(await ledger.openBatch(batch([0, 2, 5])));
			expect(await answer(5, 'c')).toEqual({ kind: 'recorded', remaining: 2 });
			expect(await answer(0, 'a')).toEqual({ kind: 'recorded', remaining: 1 });
			expect(await read()).toEqual({
				kind: 'batch',
				answers: [
					{ item: 0, answer: 'a', answeredAt: ANSWERED_AT },
					{ item: 5, answer: 'c', answeredAt: ANSWERED_AT },
				],
				unanswered: [2],
			});
			expect(await answer(2, 'b')).toEqual({ kind: 'recorded', remaining: 0 });
			expect(await read()).toMatchObject({ unanswered: [] });
		});

		it('stand as they were first given, with their instant', async () => {
			valueOf(await ledger.openBatch(batch([0, 1])));
			await answer(0, 'first');
			const second = { batchId: 'b', item: 0, answer: 'second', answeredAt: new Date() };
			expect(valueOf(await ledger.recordAnswer(second))).toEqual({
				kind: 'answered-before',
				answeredAt: ANSWERED_AT,
				remaining: 1,
			});
			expect(await read()).toMatchObject({ answers: [{ item: 0, answer: 'first' }] });
		});

		it('to a batch or an item that is not there are unknown, and leave nothing behind', async () => {
			valueOf(await ledger.openBatch(batch([0])));
			expect(await answer(0, 'x', 'other')).toEqual({ kind: 'unknown' });
			for (const item of [1, -1, 0.5, 2 ** 40, NaN]) {
				expect(await answer(item, 'x')).toEqual({ kind: 'unknown' });
			}
			expect(await read('other')).toEqual({ kind: 'unknown' });
			expect(await read()).toEqual({ kind: 'batch', answers: [], unanswered: [0] });
		});

		it('to different batches do not touch each other', async () => {
			valueOf(await ledger.openBatch(batch([0], 'b')));
			valueOf(await ledger.openBatch(batch([0], 'c')));
			expect(await answer(0, 'x', 'b')).toEqual({ kind: 'recorded', remaining: 0 });
			expect(await read('c')).toEqual({ kind: 'batch', answers: [], unanswered: [0] });
		});

		it('come back verbatim, whatever JSON value they are (P22)', async () => {
			const values: readonly unknown[] = [
				null,
				false,
				0,
				-1.5e-7,
				1e308,
				'',
				' \u0000\u0001\ud800 \udfff\u2028"\\\'%s$1 ',
				'🦊'.repeat(20),
				'x'.repeat(1024 * 1024),
				[],
				[[null, [1]], {}],
				JSON.parse(
					'{"__proto__":{"a":1},"constructor":null,"":"","b":1,"a":2,"\\ud83d":"\\u0000"}',
				),
				JSON.parse('['.repeat(200) + ']'.repeat(200)),
				{ status: 'recorded', answer: null },
			];
			valueOf(await ledger.openBatch(batch([...values.keys()])));
			for (const [item, value] of values.entries()) await answer(item, value);
			const reading = await read();
			if (reading.kind !== 'batch') throw new Error('The batch is gone.');
			expect(reading.answers.map(({ answer: kept }) => JSON.stringify(kept))).toEqual(
				values.map((value) => JSON.stringify(value)),
			);
		});

		it('that are no JSON value are refused, and the item waits on', async () => {
			valueOf(await ledger.openBatch(batch([0])));
			for (const value of [undefined, 1n, () => 1]) {
				const refused = { batchId: 'b', item: 0, answer: value, answeredAt: ANSWERED_AT };
				expect(await ledger.recordAnswer(refused)).toMatchObject({
					ok: false,
					failure: { code: 'unclassified', disposition: 'did-not-happen' },
				});
			}
			expect(await read()).toMatchObject({ unanswered: [0] });
		});

		it('outlive the connection that recorded them', async () => {
			valueOf(await ledger.openBatch(batch([0, 1])));
			await answer(1, { kept: true });
			await ledger.close();
			ledger = await open();
			expect(await read()).toEqual({
				kind: 'batch',
				answers: [{ item: 1, answer: { kept: true }, answeredAt: ANSWERED_AT }],
				unanswered: [0],
			});
		});
	});

	describe('a batch', () => {
		it('is opened once; opening it again changes nothing', async () => {
			expect(valueOf(await ledger.openBatch(batch([0, 1])))).toBe('opened');
			await answer(0, 'kept');
			expect(valueOf(await ledger.openBatch(batch([0, 1, 2])))).toBe('opened-before');
			expect(await read()).toMatchObject({ answers: [{ answer: 'kept' }], unanswered: [1] });
		});

		it('may have no items, or a thousand', async () => {
			valueOf(await ledger.openBatch(batch([], 'none')));
			expect(await read('none')).toEqual({ kind: 'batch', answers: [], unanswered: [] });
			const many = Array.from({ length: 1000 }, (_, item) => item);
			valueOf(await ledger.openBatch(batch(many, 'many')));
			expect(await read('many')).toEqual({ kind: 'batch', answers: [], unanswered: many });
		});

		it('keeps any text of its names', async () => {
			const names = { executionId: "1'; --", workflowId: '', nodeName: 'Ask “Ada” $1 🦊' };
			valueOf(await ledger.openBatch({ ...batch([0]), ...names }));
			expect(valueOf(await ledger.listWaiting({ limit: 9 }))).toEqual([
				{ batchId: 'b', instanceId: 'n8n', parkedAt: PARKED_AT, items: 1, remaining: 1, ...names },
			]);
		});

		it('is listed with its n8n, for that n8n alone or for its execution alone', async () => {
			valueOf(await ledger.openBatch(batch([0], 'b')));
			valueOf(await ledger.openBatch({ ...batch([0], 'c'), instanceId: 'other' }));
			valueOf(await ledger.openBatch({ ...batch([0], 'd'), executionId: '42' }));
			const listed = async (asked: { instanceId?: string; executionId?: string }) =>
				valueOf(await ledger.listWaiting({ ...asked, limit: 9 })).map(({ batchId, instanceId }) => [
					batchId,
					instanceId,
				]);
			expect(await listed({ instanceId: 'n8n' })).toEqual([
				['b', 'n8n'],
				['d', 'n8n'],
			]);
			expect(await listed({ executionId: '41' })).toEqual([
				['b', 'n8n'],
				['c', 'other'],
			]);
			expect(await listed({ instanceId: 'other', executionId: '41' })).toEqual([['c', 'other']]);
			expect(await listed({ instanceId: '' })).toEqual([]);
		});

		it('is listed while an item waits, the longest parked first', async () => {
			const parked = (batchId: string, day: number) => ({
				...batch([0, 1], batchId),
				parkedAt: new Date(Date.UTC(2026, 10, day)),
			});
			for (const each of [parked('late', 3), parked('early', 1), parked('middle', 2)]) {
				valueOf(await ledger.openBatch(each));
			}
			valueOf(await ledger.openBatch(batch([], 'empty')));
			await answer(0, 'x', 'early');
			await answer(0, 'x', 'middle');
			await answer(1, 'x', 'middle');
			const waiting = valueOf(await ledger.listWaiting({ limit: 9 }));
			expect(waiting.map(({ batchId, items, remaining }) => [batchId, items, remaining])).toEqual([
				['early', 2, 1],
				['late', 2, 2],
			]);
			expect(valueOf(await ledger.listWaiting({ limit: 1 }))).toHaveLength(1);
		});

		it('is forgotten with its answers when it is older than the limit, not before', async () => {
			const at = (ms: number) => new Date(PARKED_AT.getTime() + ms);
			for (let n = 0; n < 450; n += 1) {
				valueOf(await ledger.openBatch({ ...batch([0], `old ${n}`), parkedAt: at(-n - 1) }));
			}
			valueOf(await ledger.openBatch(batch([0, 1], 'new')));
			const early = { item: 0, answer: 'x', answeredAt: at(-1) };
			valueOf(await ledger.recordAnswer({ batchId: 'old 7', ...early }));
			await answer(0, 'x', 'new');
			expect(valueOf(await ledger.purge({ before: at(0) }))).toBe(450);
			expect(await read('old 7')).toEqual({ kind: 'unknown' });
			expect(await read('new')).toMatchObject({ answers: [{ item: 0 }], unanswered: [1] });
			expect(valueOf(await ledger.purge({ before: at(0) }))).toBe(0);
		});
	});

	it('keeps a batch whose last answer is younger than the limit, however long it is parked (P24)', async () => {
		valueOf(await ledger.openBatch(batch([0, 1, 2])));
		await answer(1, 'x');
		valueOf(await ledger.purge({ before: ANSWERED_AT }));
		expect(await read()).toMatchObject({ answers: [{ item: 1 }], unanswered: [0, 2] });
		expect(valueOf(await ledger.purge({ before: new Date(ANSWERED_AT.getTime() + 1) }))).toBe(1);
		expect(await read()).toEqual({ kind: 'unknown' });
	});

	describe('a closed batch (P26)', () => {
		const CLOSED_AT = new Date('2026-11-04T08:00:00.789Z');
		const close = async (closedAt: Date, batchId = 'b') =>
			valueOf(await ledger.closeBatch({ batchId, closedAt }));
		const reading = {
			kind: 'batch',
			answers: [{ item: 1, answer: 'in time', answeredAt: ANSWERED_AT }],
			unanswered: [0, 2],
			closedAt: CLOSED_AT,
		};

		it('tells what was recorded, and takes no more answers', async () => {
			valueOf(await ledger.openBatch(batch([0, 1, 2])));
			await answer(1, 'in time');
			expect(await close(CLOSED_AT)).toEqual(reading);
			expect(await answer(0, 'late')).toEqual({ kind: 'closed', closedAt: CLOSED_AT });
			expect(await answer(1, 'late')).toEqual({
				kind: 'answered-before',
				answeredAt: ANSWERED_AT,
				remaining: 2,
			});
			expect(await answer(7, 'late')).toEqual({ kind: 'unknown' });
			expect(await read()).toEqual(reading);
		});

		it('is closed once: a second close gives the same and keeps the first instant', async () => {
			valueOf(await ledger.openBatch(batch([0, 1, 2])));
			await answer(1, 'in time');
			await close(CLOSED_AT);
			expect(await close(new Date())).toEqual(reading);
			expect(await answer(0, 'late')).toEqual({ kind: 'closed', closedAt: CLOSED_AT });
		});

		it('stays closed when it is opened again', async () => {
			valueOf(await ledger.openBatch(batch([0])));
			await close(CLOSED_AT);
			expect(valueOf(await ledger.openBatch(batch([0])))).toBe('opened-before');
			expect(await answer(0, 'late')).toMatchObject({ kind: 'closed' });
		});

		it('waits no longer, while others do', async () => {
			valueOf(await ledger.openBatch(batch([0], 'b')));
			valueOf(await ledger.openBatch(batch([0], 'c')));
			await close(CLOSED_AT);
			const waiting = valueOf(await ledger.listWaiting({ limit: 9 }));
			expect(waiting.map(({ batchId }) => batchId)).toEqual(['c']);
			expect(await answer(0, 'x', 'c')).toEqual({ kind: 'recorded', remaining: 0 });
		});

		it('that is not there is unknown, and is not made', async () => {
			expect(await close(CLOSED_AT, 'other')).toEqual({ kind: 'unknown' });
			expect(await read('other')).toEqual({ kind: 'unknown' });
		});

		it('may have no items, or all of them answered', async () => {
			valueOf(await ledger.openBatch(batch([], 'none')));
			expect(await close(CLOSED_AT, 'none')).toMatchObject({ answers: [], unanswered: [] });
			valueOf(await ledger.openBatch(batch([0])));
			await answer(0, 'x');
			expect(await close(CLOSED_AT)).toMatchObject({ answers: [{ item: 0 }], unanswered: [] });
		});

		it('takes no answer from a process either that began with version 1 of the ledger', async () => {
			valueOf(await ledger.openBatch(batch([0])));
			await close(CLOSED_AT);
			await backend.execute(
				place,
				`UPDATE salvor_item SET answer = '1', answered_at = '2026-11-05T00:00:00.000Z'
				WHERE batch_id = 'b' AND item = 0 AND answered_at IS NULL`,
			);
			expect(await read()).toMatchObject({ answers: [], unanswered: [0] });
		});
	});

	describe('the check whether an execution is gone', () => {
		const at = (minutes: number) => new Date(PARKED_AT.getTime() + minutes * 60_000);
		const take = async (now: Date, limit = 9, instanceId = 'n8n') =>
			valueOf(await ledger.takeChecks({ instanceId, now, limit }));

		it('is due an hour after a batch was opened, then after an hour, then after as long as it is parked', async () => {
			valueOf(await ledger.openBatch({ ...batch([0]), openedAt: at(10) }));
			const due = [{ batchId: 'b', executionId: '41' }];
			expect(await take(at(69))).toEqual([]);
			expect(await take(at(70))).toEqual(due);
			expect(await take(at(139))).toEqual([]);
			expect(await take(at(140))).toEqual(due);
			expect(await take(at(279))).toEqual([]);
			expect(await take(at(280))).toEqual(due);
			expect(await take(at(559))).toEqual([]);
			expect(await take(at(100_000))).toEqual(due);
			expect(await take(at(199_999))).toEqual([]);
			expect(await take(at(200_000))).toEqual(due);
		});

		it('is of the batches of one n8n alone', async () => {
			valueOf(await ledger.openBatch(batch([0], 'b')));
			valueOf(await ledger.openBatch({ ...batch([0], 'c'), instanceId: 'other' }));
			expect(await take(at(60))).toEqual([{ batchId: 'b', executionId: '41' }]);
			expect(await take(at(60), 9, 'other')).toEqual([{ batchId: 'c', executionId: '41' }]);
			expect(await take(at(60), 9, '')).toEqual([]);
		});

		it('is given out in parts, the longest due first', async () => {
			for (const [n, batchId] of ['late', 'early', 'middle'].entries()) {
				const openedAt = at([3, 1, 2][n] ?? 0);
				valueOf(await ledger.openBatch({ ...batch([0], batchId), openedAt }));
			}
			const first = await take(at(64), 2);
			expect(first.map(({ batchId }) => batchId).toSorted()).toEqual(['early', 'middle']);
			expect((await take(at(64), 2)).map(({ batchId }) => batchId)).toEqual(['late']);
			expect(await take(at(64), 2)).toEqual([]);
		});

		it('lets those that are gone be forgotten with their answers, and no other', async () => {
			for (const id of ['b', 'c', 'd']) valueOf(await ledger.openBatch(batch([0, 1], id)));
			await answer(0, 'x', 'c');
			await answer(0, 'y', 'd');
			for (const id of ['b', 'c']) expect(valueOf(await ledger.forget(id))).toBe(true);
			expect(await read('b')).toEqual({ kind: 'unknown' });
			expect(await read('c')).toEqual({ kind: 'unknown' });
			expect(await read('d')).toMatchObject({ answers: [{ answer: 'y' }] });
			expect(valueOf(await ledger.forget('b'))).toBe(false);
		});
	});

	describe('the claim to resume (R10)', () => {
		const claim = async (ms: number, batchId = 'b') =>
			valueOf(
				await ledger.claimResume({
					batchId,
					now: new Date(ANSWERED_AT.getTime() + ms),
					leaseMs: 1000,
				}),
			);

		it('is given once a lease, and again when the lease is over', async () => {
			valueOf(await ledger.openBatch(batch([0])));
			expect(await claim(0)).toBe(true);
			expect(await claim(0)).toBe(false);
			expect(await claim(999)).toBe(false);
			expect(await claim(1000)).toBe(true);
			expect(await claim(1999)).toBe(false);
		});

		it('is not given for a batch that is not there', async () => {
			expect(await claim(0, 'other')).toBe(false);
		});
	});

	describe('with several processes', () => {
		it('64 answers at once from 4 processes: the first to each item wins, one hears that none remains (R10)', async () => {
			const items = [0, 1];
			valueOf(await ledger.openBatch(batch(items)));
			const job = { kind: 'answer', place, batchId: 'b', items, calls: 8 } as const;
			const reports = (await processes.together(Array(4).fill(job))).flat() as AnswerReport[];
			expect(reports).toHaveLength(64);

			const won = reports.filter(({ recording }) => recording.kind === 'recorded');
			expect(won.map(({ item }) => item).sort()).toEqual(items);
			expect(
				won.map(({ recording }) => recording).filter((r) => 'remaining' in r && r.remaining === 0),
			).toHaveLength(1);
			expect(reports.filter(({ recording }) => recording.kind === 'answered-before')).toHaveLength(
				62,
			);
			const reading = await read();
			expect(reading).toMatchObject({
				answers: won
					.toSorted((a, b) => a.item - b.item)
					.map(({ item, answer: value }) => ({ item, answer: value })),
				unanswered: [],
			});
		}, 60_000);

		it('16 items answered from 4 processes: each is recorded once, one hears that none remains', async () => {
			const items = Array.from({ length: 16 }, (_, item) => item);
			valueOf(await ledger.openBatch(batch(items)));
			const jobs = [0, 1, 2, 3].map((n) => ({
				kind: 'answer' as const,
				place,
				batchId: 'b',
				items: items.filter((item) => item % 4 === n),
				calls: 1,
			}));
			const reports = (await processes.together(jobs)).flat() as AnswerReport[];
			const remaining = reports.map(({ recording }) =>
				recording.kind === 'recorded' ? recording.remaining : -1,
			);
			expect(remaining.sort((a, b) => a - b)).toEqual(items);
		}, 60_000);

		it('closed amid 64 answers at once from 4 processes: each answer is in the reading or hears that it came too late', async () => {
			const items = Array.from({ length: 64 }, (_, item) => item);
			const seen = { recorded: 0, closed: 0 };
			for (const [round, after] of [0, 4, 20].entries()) {
				const batchId = `b${round}`;
				valueOf(await ledger.openBatch(batch(items, batchId)));
				const jobs = [0, 1, 2, 3].map((n) => ({
					kind: 'answer' as const,
					place,
					batchId,
					items: items.filter((item) => item % 4 === n),
					calls: 1,
				}));
				const close = { kind: 'close', place, batchId, after } as const;
				const [closing, ...reports] = await processes.together([close, ...jobs]);
				const answers = reports.flat() as AnswerReport[];
				const recorded = answers.filter(({ recording }) => recording.kind === 'recorded');
				const closed = answers.filter(({ recording }) => recording.kind === 'closed');
				expect(recorded.length + closed.length).toBe(64);
				expect(closing).toMatchObject({
					answers: recorded
						.toSorted((a, b) => a.item - b.item)
						.map(({ item, answer: value }) => ({ item, answer: value })),
					unanswered: closed.map(({ item }) => item).sort((a, b) => a - b),
				});
				seen.recorded += recorded.length;
				seen.closed += closed.length;
			}
			expect(seen.recorded).toBeGreaterThanOrEqual(24);
			expect(seen.closed).toBeGreaterThan(0);
		}, 60_000);

		it('of version 1, opened in 8 processes at once: each can use it, and no answer is lost', async () => {
			place = await backend.fresh();
			await backend.makeVersion1(place);
			await backend.execute(
				place,
				`INSERT INTO salvor_batch (batch_id, execution_id, workflow_id, node_name, parked_at)
				VALUES ('b', '41', 'w1', 'Ask', '2026-11-02T09:00:00.123Z');
				INSERT INTO salvor_item VALUES ('b', 0, '"kept"', '2026-11-03T10:30:00.456Z'), ('b', 1, NULL, NULL)`,
			);
			const results = await processes.together(Array(8).fill({ kind: 'open', place }));
			expect(results).toEqual(Array(8).fill('unknown'));
			ledger = await open();
			const kept = { item: 0, answer: 'kept', answeredAt: ANSWERED_AT };
			expect(await read()).toEqual({ kind: 'batch', answers: [kept], unanswered: [1] });
			expect(valueOf(await ledger.listWaiting({ limit: 9 }))).toMatchObject([{ instanceId: '' }]);
			for (const instanceId of ['', 'n8n']) {
				expect(valueOf(await ledger.listWaiting({ instanceId, limit: 9 }))).toEqual([]);
			}
			expect(await answer(1, 'x')).toEqual({ kind: 'recorded', remaining: 0 });
			for (const instanceId of ['', 'n8n']) {
				const asked = { instanceId, now: new Date(), limit: 9 };
				expect(valueOf(await ledger.takeChecks(asked))).toEqual([]);
			}
		}, 60_000);

		it('opened in 8 processes at once: one opens, and each item is there once', async () => {
			const job = { kind: 'openBatch', place, batch: batch([0, 1, 2]) } as const;
			const results = await processes.together(Array(8).fill(job));
			expect(results.filter((result) => result === 'opened')).toHaveLength(1);
			expect(await read()).toEqual({ kind: 'batch', answers: [], unanswered: [0, 1, 2] });
		}, 60_000);

		it('made in 8 processes at once: every one can use it (K12)', async () => {
			place = await backend.fresh();
			const results = await processes.together(Array(8).fill({ kind: 'open', place }));
			expect(results).toEqual(Array(8).fill('unknown'));
		}, 60_000);

		it('claimed 32 times at once from 4 processes: one resumes, and one more after the lease', async () => {
			valueOf(await ledger.openBatch(batch([0])));
			for (const nowMs of [0, 500]) {
				const job = { kind: 'claim', place, batchId: 'b', nowMs, leaseMs: 500, calls: 8 } as const;
				const claims = await processes.together(Array(4).fill(job));
				expect(claims.map(Number).sort()).toEqual([0, 0, 0, 1]);
			}
		}, 60_000);

		it('left open: it keeps no process from its end, and closes with it', async () => {
			valueOf(await ledger.openBatch(batch([0])));
			await ledger.close();
			const leaving = processes.start({ kind: 'leaveOpen', place });
			await leaving.ready;
			leaving.go();
			expect(await leaving.result).toBe('unknown');
			expect(await leaving.ended).toBe(0);
			if (place.kind === 'sqlite') expect(existsSync(`${place.file}-wal`)).toBe(false);
		});

		it('killed amid a storm: no answer that was recorded is lost, and the others go on', async () => {
			const items = Array.from({ length: 400 }, (_, item) => item);
			valueOf(await ledger.openBatch(batch(items)));
			const job = { kind: 'answerInTurn', place, batchId: 'b' } as const;
			const [killed, other] = [
				processes.start({ ...job, items: items.slice(0, 300) }),
				processes.start({ ...job, items: items.slice(300) }),
			];
			await Promise.all([killed.ready, other.ready]);
			killed.go();
			other.go();
			await killed.whenRecorded(20);
			killed.child.kill('SIGKILL');
			await killed.ended;
			await other.result;

			expect(killed.recorded.length).toBeLessThan(300);
			const reading = await read();
			if (reading.kind !== 'batch') throw new Error('The batch is gone.');
			const kept = new Set(reading.answers.map(({ item }) => item));
			const told = [...killed.recorded, ...other.recorded];
			expect(told.filter((item) => !kept.has(item))).toEqual([]);
			expect(await answer(299, 'after')).toMatchObject({ kind: 'recorded' });
		}, 60_000);
	});

	it('made by a newer version is refused and left as it is', async () => {
		await backend.execute(place, 'UPDATE salvor_schema SET version = 99');
		expect(await openLedger({ place })).toMatchObject({
			ok: false,
			failure: {
				code: 'ledger-unavailable',
				disposition: 'did-not-happen',
				message: expect.stringContaining('newer version of this package'),
				remedy: expect.stringContaining('Update the package'),
			},
		});
	});
});

function batch(items: readonly number[], batchId = 'b'): OpeningBatch {
	return {
		batchId,
		instanceId: 'n8n',
		executionId: '41',
		workflowId: 'w1',
		nodeName: 'MCP Tool Call',
		parkedAt: PARKED_AT,
		openedAt: PARKED_AT,
		items,
	};
}

function valueOf<T>(result: Result<T>): T {
	if (result.ok) return result.value;
	throw new Error(JSON.stringify(result.failure));
}
