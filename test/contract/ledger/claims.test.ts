import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Holder, NewClaim, RecordedOutcome } from '../../../src/call/claimStore';
import type { Ledger } from '../../../src/ledger/ledger';
import type { LedgerPlace } from '../../../src/ledger/ledgerPlace';
import { openLedger } from '../../../src/ledger/openLedger';
import type { Failure, Result } from '../../../src/outcome/failure';
import { findPostgres, postgresBackend, sqliteBackend } from '../../support/ledgerBackends';
import { ledgerProcesses } from '../../support/ledgerProcesses';

/** One suite for every backend: what holds on one holds on the other (K12). */
const postgres = await findPostgres();
const suites = [
	{ name: 'SQLite', make: sqliteBackend },
	'address' in postgres
		? { name: 'Postgres', make: () => postgresBackend(postgres.address) }
		: { name: `Postgres (skipped: ${postgres.reason})`, make: undefined },
];

const HOLDER: Holder = {
	instanceId: 'n8n',
	workflowId: 'w1',
	executionId: '41',
	nodeName: 'Call MCP Tool',
	runIndex: 0,
	item: 2,
};
const CLAIMED_AT = new Date('2026-11-02T09:00:00.123Z');
const LATER = new Date('2026-11-02T09:00:10.456Z');
const PAID: RecordedOutcome = {
	kind: 'completed',
	result: { content: [], structuredContent: { paid: true } },
};
const LOST: Failure = {
	code: 'connection-lost',
	disposition: 'in-doubt',
	stage: 'call',
	message: 'The connection was lost',
};
const DECISION = { who: 'ops@example.com', at: LATER, why: 'Looked up at the bank' };

let processes: Awaited<ReturnType<typeof ledgerProcesses>>;
beforeAll(async () => {
	processes = await ledgerProcesses();
});
afterAll(() => processes.dispose());

describe.each(suites)('claims on $name', ({ make }) => {
	if (!make) {
		it.skip('is not tested here', () => undefined);
		return;
	}
	const backend = make();
	const opened: Ledger[] = [];
	let place: LedgerPlace;
	let ledger: Ledger;
	beforeEach(async () => {
		place = await backend.fresh();
		ledger = valueOf(await openLedger({ place }));
		opened.push(ledger);
	});
	afterAll(async () => {
		await Promise.all(opened.map((each) => each.close()));
		await backend.dispose();
	});
	const claim = async (given: Partial<NewClaim> = {}) =>
		valueOf(await ledger.claim(claimOf(given)));
	const standing = async (value = 'INV-1') => valueOf(await ledger.readClaim(keyOf(value)));

	describe('a key (K3, K4)', () => {
		it('is taken once, and whoever comes next learns by whom', async () => {
			expect(await claim()).toEqual({ kind: 'claimed' });
			expect(await claim({ claimId: 'second', argumentsHash: 'other' })).toEqual({
				kind: 'taken',
				by: { ...claimOf(), changedAt: CLAIMED_AT, state: 'in-flight' },
			});
		});

		it('claimed again under the same id is claimed still, as long as it is in flight', async () => {
			await claim();
			expect(await claim()).toEqual({ kind: 'claimed' });
			valueOf(await ledger.settle({ claimId: 'first', outcome: PAID, at: LATER }));
			expect(await claim()).toMatchObject({ kind: 'taken', by: { state: 'settled' } });
		});

		it('is another one for another server, tool or value, wherever the borders of its parts lie', async () => {
			const keys = [
				['a', 'b', 'c'],
				['other', 'b', 'c'],
				['a', 'other', 'c'],
				['a', 'bc', ''],
				['ab', '', 'c'],
				['a', 'b', 'C'],
				['a","b', 'c', ''],
			] as const;
			for (const [serverName, tool, value] of keys) {
				const key = { serverName, tool, value };
				expect(await claim({ claimId: randomUUID(), key })).toEqual({ kind: 'claimed' });
			}
		});

		it('may be long and hold any character, and comes back as it was', async () => {
			for (const value of ['x'.repeat(100_000), '\u0000\ud800 é é', '__proto__']) {
				await claim({ claimId: randomUUID(), key: keyOf(value) });
				expect(await standing(value)).toMatchObject({ key: keyOf(value) });
			}
		});

		it('claimed 64 times at once from 4 processes has one holder', async () => {
			const job = { kind: 'claimKey', place, claim: claimOf(), calls: 16 } as const;
			const claimed = await processes.together(Array(4).fill(job));
			expect(claimed.map(Number).reduce((sum, count) => sum + count)).toBe(1);
		}, 60_000);

		it('claimed and withdrawn by 64 in turn is held by one at a time', async () => {
			const job = { kind: 'claimInTurn', place, claim: claimOf(), calls: 16 } as const;
			const turns = await processes.together(Array(4).fill(job));
			expect(turns.map(Number)).toEqual([16, 16, 16, 16]);
			expect(await standing()).toBeUndefined();
		}, 60_000);
	});

	describe('a claim in flight', () => {
		it('is beaten, and no other one is', async () => {
			await claim();
			await claim({ claimId: 'settled', key: keyOf('INV-2') });
			valueOf(await ledger.settle({ claimId: 'settled', outcome: PAID, at: LATER }));
			const claimIds = ['first', 'settled', 'absent'];
			expect(valueOf(await ledger.beat({ claimIds, at: LATER }))).toBe(1);
			expect(await standing()).toMatchObject({ state: 'in-flight', changedAt: LATER });
		});

		it('settles with its outcome in one step, verbatim (K5, K6)', async () => {
			const odd = JSON.parse('{"__proto__":{"a":1},"":[null,1e308,"\\ud800\\u0000"]}') as Record<
				string,
				unknown
			>;
			const outcomes: readonly RecordedOutcome[] = [
				PAID,
				{ kind: 'completed', result: odd },
				{ kind: 'failed', failure: { ...LOST, code: 'tool-error', disposition: 'landed' } },
				{
					kind: 'parked',
					park: { kind: 'sleep', until: '2026-12-01T00:00:00.000Z' },
					parkedAt: '2026-11-02T09:00:01.000Z',
				},
			];
			for (const [index, outcome] of outcomes.entries()) {
				const key = keyOf(String(index));
				await claim({ claimId: `c${index}`, key });
				expect(valueOf(await ledger.settle({ claimId: `c${index}`, outcome, at: LATER }))).toBe(
					true,
				);
				const settled = valueOf(await ledger.readClaim(key));
				expect(settled).toMatchObject({ state: 'settled', changedAt: LATER });
				expect(settled?.state === 'settled' && JSON.stringify(settled.outcome)).toBe(
					JSON.stringify(outcome),
				);
			}
		});

		it('whose outcome is no JSON value stays in flight, and nothing of it is written', async () => {
			await claim();
			const outcome: RecordedOutcome = { kind: 'completed', result: { content: 1n } };
			expect(await ledger.settle({ claimId: 'first', outcome, at: LATER })).toMatchObject({
				ok: false,
				failure: { disposition: 'did-not-happen', message: expect.stringContaining('outcome') },
			});
			expect(await standing()).toMatchObject({ state: 'in-flight' });
		});

		it('frees its key when its call did not happen (K10)', async () => {
			await claim();
			expect(valueOf(await ledger.withdraw('first'))).toBe(true);
			expect(await claim({ claimId: 'second' })).toEqual({ kind: 'claimed' });
			expect(valueOf(await ledger.withdraw('first'))).toBe(false);
			expect(await standing()).toMatchObject({ claimId: 'second', state: 'in-flight' });
		});

		it('becomes in doubt with the failure or without, and keeps its key (K9, K10)', async () => {
			await claim();
			expect(valueOf(await ledger.doubt({ claimId: 'first', failure: LOST, at: LATER }))).toBe(
				true,
			);
			expect(await claim({ claimId: 'second' })).toMatchObject({
				kind: 'taken',
				by: { state: 'in-doubt', failure: LOST, changedAt: LATER },
			});
			await claim({ claimId: 'gone', key: keyOf('INV-2') });
			valueOf(await ledger.doubt({ claimId: 'gone', at: LATER }));
			expect(await standing('INV-2')).not.toHaveProperty('failure');
		});
	});

	describe('a claim whose holder was taken for gone', () => {
		beforeEach(async () => {
			await claim();
			valueOf(await ledger.doubt({ claimId: 'first', at: LATER }));
		});

		it('is freed by its holder when its call did not happen (K10)', async () => {
			expect(valueOf(await ledger.withdraw('first'))).toBe(true);
			expect(await standing()).toBeUndefined();
		});

		it('gets the failure that left it in doubt from its holder, once', async () => {
			const doubt = () => ledger.doubt({ claimId: 'first', failure: LOST, at: LATER });
			expect(valueOf(await doubt())).toBe(true);
			expect(await standing()).toMatchObject({ state: 'in-doubt', failure: LOST });
			expect(valueOf(await doubt())).toBe(false);
			expect(valueOf(await ledger.doubt({ claimId: 'first', at: LATER }))).toBe(false);
			expect(await standing()).toMatchObject({ failure: LOST });
		});
	});

	describe('a claim in doubt (K9)', () => {
		beforeEach(async () => {
			await claim();
			valueOf(await ledger.doubt({ claimId: 'first', failure: LOST, at: LATER }));
		});

		it('can neither be withdrawn nor beaten', async () => {
			expect(valueOf(await ledger.withdraw('first'))).toBe(false);
			expect(valueOf(await ledger.beat({ claimIds: ['first'], at: LATER }))).toBe(0);
			expect(await standing()).toMatchObject({ state: 'in-doubt' });
		});

		it('settles when its call answers after all', async () => {
			expect(valueOf(await ledger.settle({ claimId: 'first', outcome: PAID, at: LATER }))).toBe(
				true,
			);
			expect(await standing()).toMatchObject({ state: 'settled', outcome: PAID });
		});

		it('is resolved by an operator: the output is copied from then on, with who, when and why', async () => {
			const output = { content: [], structuredContent: { paid: 'by hand' } };
			const resolving = { claimId: 'first', output, decision: DECISION };
			expect(valueOf(await ledger.resolve(resolving))).toBe(true);
			expect(await standing()).toMatchObject({
				state: 'settled',
				outcome: { kind: 'completed', result: output },
				resolvedBy: DECISION,
			});
			expect(valueOf(await ledger.resolve(resolving))).toBe(false);
		});

		it('is released by an operator: the key is free, and who, when and why are kept', async () => {
			const releasing = { claimId: 'first', decision: DECISION };
			expect(valueOf(await ledger.release(releasing))).toBe(true);
			expect(valueOf(await ledger.release(releasing))).toBe(false);
			expect(await claim({ claimId: 'second' })).toEqual({ kind: 'claimed' });
			expect(valueOf(await ledger.listReleases({ limit: 10 }))).toEqual([
				{
					claim: { ...claimOf(), changedAt: LATER, state: 'in-doubt', failure: LOST },
					releasedBy: DECISION,
				},
			]);
		});

		it('resolved and released at once by many is decided once', async () => {
			const decisions = await Promise.all(
				Array.from({ length: 10 }, (_, n) =>
					n % 2 === 0
						? ledger.release({ claimId: 'first', decision: DECISION })
						: ledger.resolve({ claimId: 'first', output: {}, decision: DECISION }),
				),
			);
			expect(decisions.filter((decided) => valueOf(decided))).toHaveLength(1);
		});
	});

	it('in flight or settled is neither resolved nor released: only what is in doubt is (K9)', async () => {
		await claim();
		const decided = async () => [
			valueOf(await ledger.resolve({ claimId: 'first', output: {}, decision: DECISION })),
			valueOf(await ledger.release({ claimId: 'first', decision: DECISION })),
		];
		expect(await decided()).toEqual([false, false]);
		valueOf(await ledger.settle({ claimId: 'first', outcome: PAID, at: LATER }));
		expect(await decided()).toEqual([false, false]);
		expect(await standing()).toMatchObject({ state: 'settled', outcome: PAID });
	});

	describe('a call that parked (K6)', () => {
		const open = async (batchId: string, claims?: readonly { item: number; claimId: string }[]) =>
			valueOf(
				await ledger.openBatch({
					...HOLDER,
					batchId,
					parkedAt: CLAIMED_AT,
					openedAt: CLAIMED_AT,
					items: [0, 1],
					...(claims === undefined ? {} : { claims }),
				}),
			);
		const answer = async (batchId: string, item: number, value: unknown) =>
			valueOf(await ledger.recordAnswer({ batchId, item, answer: value, answeredAt: LATER }));
		beforeEach(async () => {
			await claim();
			const outcome: RecordedOutcome = {
				kind: 'parked',
				park: { kind: 'person', reason: 'Pay?', inputSchema: true },
				parkedAt: CLAIMED_AT.toISOString(),
			};
			valueOf(await ledger.settle({ claimId: 'first', outcome, at: CLAIMED_AT }));
		});

		it('gets the answer of its item, which outlives the batch', async () => {
			await open('b', [{ item: 1, claimId: 'first' }]);
			await answer('b', 0, 'of another item');
			expect(await standing()).not.toHaveProperty('answer');
			await answer('b', 1, { approved: true });
			valueOf(await ledger.forget('b'));
			expect(await standing()).toMatchObject({
				changedAt: LATER,
				answer: { value: { approved: true }, answeredAt: LATER },
			});
		});

		it('keeps the first answer of two executions that wait on it', async () => {
			await open('b', [{ item: 0, claimId: 'first' }]);
			await open('c', [{ item: 0, claimId: 'first' }]);
			await answer('c', 0, 'first');
			await answer('b', 0, 'second');
			expect(await standing()).toMatchObject({ answer: { value: 'first' } });
		});

		it('is linked too when its batch was registered before', async () => {
			await open('b');
			expect(await open('b', [{ item: 0, claimId: 'first' }])).toBe('opened-before');
			await answer('b', 0, null);
			expect(await standing()).toMatchObject({ answer: { value: null } });
		});
	});

	it('are listed by state, the oldest change first', async () => {
		for (const [index, state] of ['in-flight', 'in-doubt', 'settled'].entries()) {
			const claimId = state;
			await claim({ claimId, key: keyOf(state), claimedAt: new Date(index) });
			const at = new Date(10_000 - index);
			if (state === 'in-doubt') valueOf(await ledger.doubt({ claimId, at }));
			if (state === 'settled') valueOf(await ledger.settle({ claimId, outcome: PAID, at }));
		}
		const ids = async (states: readonly ('in-flight' | 'in-doubt' | 'settled')[], limit = 10) =>
			valueOf(await ledger.listClaims({ states, limit })).map(({ claimId }) => claimId);
		expect(await ids(['in-flight', 'in-doubt', 'settled'])).toEqual([
			'in-flight',
			'settled',
			'in-doubt',
		]);
		expect(await ids(['in-doubt'])).toEqual(['in-doubt']);
		expect(await ids([])).toEqual([]);
		expect(await ids(['in-doubt', 'settled'], 1)).toEqual(['settled']);
	});

	it('that are old are purged when they are settled, and never in flight or in doubt', async () => {
		const released = { claimId: 'released', key: keyOf('released') };
		await claim(released);
		valueOf(await ledger.doubt({ claimId: 'released', at: CLAIMED_AT }));
		valueOf(
			await ledger.release({ claimId: 'released', decision: { ...DECISION, at: CLAIMED_AT } }),
		);
		await claim({ claimId: 'in-flight', key: keyOf('in-flight') });
		await claim({ claimId: 'in-doubt', key: keyOf('in-doubt') });
		valueOf(await ledger.doubt({ claimId: 'in-doubt', at: CLAIMED_AT }));
		for (let n = 0; n < 250; n += 1) {
			await claim({ claimId: `settled-${n}`, key: keyOf(String(n)) });
			const at = n === 249 ? LATER : CLAIMED_AT;
			valueOf(await ledger.settle({ claimId: `settled-${n}`, outcome: PAID, at }));
		}
		expect(valueOf(await ledger.purgeClaims({ before: LATER, parked: 'forget' }))).toBe(250);
		expect(valueOf(await ledger.purgeClaims({ before: LATER, parked: 'forget' }))).toBe(0);
		expect(valueOf(await ledger.listReleases({ limit: 10 }))).toEqual([]);
		const left = await ledger.listClaims({
			states: ['in-flight', 'in-doubt', 'settled'],
			limit: 10,
		});
		expect(valueOf(left).map(({ claimId }) => claimId)).toEqual([
			'in-doubt',
			'in-flight',
			'settled-249',
		]);
	}, 60_000);

	it('of a call that parked without an answer are kept where a purge is told so, and go where not', async () => {
		const outcome: RecordedOutcome = {
			kind: 'parked',
			park: { kind: 'person', reason: 'Pay?', inputSchema: true },
			parkedAt: CLAIMED_AT.toISOString(),
		};
		await claim();
		valueOf(await ledger.settle({ claimId: 'first', outcome, at: CLAIMED_AT }));
		expect(valueOf(await ledger.purgeClaims({ before: LATER, parked: 'keep' }))).toBe(0);
		expect(await standing()).toMatchObject({ state: 'settled', outcome });
		expect(valueOf(await ledger.purgeClaims({ before: LATER, parked: 'forget' }))).toBe(1);
	});

	it('the tools of a server are remembered until they are replaced (G4)', async () => {
		const tools = [{ name: 'pay', text: '{"a":1}' }];
		expect(valueOf(await ledger.recallTools('bank'))).toBeUndefined();
		valueOf(await ledger.rememberTools({ serverName: 'bank', tools, at: CLAIMED_AT }));
		valueOf(await ledger.rememberTools({ serverName: 'other', tools: [], at: CLAIMED_AT }));
		expect(valueOf(await ledger.recallTools('bank'))).toEqual({ tools, at: CLAIMED_AT });
		valueOf(await ledger.rememberTools({ serverName: 'bank', tools: [], at: LATER }));
		expect(valueOf(await ledger.recallTools('bank'))).toEqual({ tools: [], at: LATER });
	});

	it('find a ledger of version 1 made ready for them, its batches kept', async () => {
		place = await backend.fresh();
		await backend.makeVersion1(place);
		ledger = valueOf(await openLedger({ place }));
		opened.push(ledger);
		expect(await claim()).toEqual({ kind: 'claimed' });
	});
});

const keyOf = (value: string) => ({ serverName: 'bank', tool: 'pay', value });

const claimOf = (given: Partial<NewClaim> = {}): NewClaim => ({
	claimId: 'first',
	key: keyOf('INV-1'),
	argumentsHash: 'abc',
	holder: HOLDER,
	claimedAt: CLAIMED_AT,
	...given,
});

function valueOf<T>(result: Result<T>): T {
	if (result.ok) return result.value;
	throw new Error(JSON.stringify(result.failure));
}
