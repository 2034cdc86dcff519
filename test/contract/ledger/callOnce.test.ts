import { randomUUID } from 'node:crypto';

import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { sha256 } from '../../../nodes/shared/sha256';
import type { Retrying } from '../../../src/call/attempts';
import type { CallOutcome } from '../../../src/call/callOutcome';
import { callTool } from '../../../src/call/callTool';
import type { Claims } from '../../../src/call/claims';
import type { ClaimKey, Holder, StandingClaim } from '../../../src/call/claimStore';
import type { CheckedCall } from '../../../src/call/checkCall';
import type { Ledger } from '../../../src/ledger/ledger';
import { openLedger } from '../../../src/ledger/openLedger';
import { fail, type Result } from '../../../src/outcome/failure';
import type { Effect } from '../../../src/policy/effect';
import { sqliteBackend } from '../../support/ledgerBackends';
import {
	broken,
	errorResult,
	hangs,
	type Scripted,
	scriptedSession,
	textResult,
} from '../../support/scriptedSession';
import { retryingOn, virtualClock } from '../../support/virtualClock';

const backend = sqliteBackend();
afterAll(backend.dispose);

let ledger: Ledger;
/** Claims whose holders this test says to be at work. */
let held: Set<string>;

beforeEach(async () => {
	ledger = valueOf(await openLedger({ place: await backend.fresh() }));
	held = new Set();
	return () => ledger.close();
});

function valueOf<T>(result: Result<T>): T {
	if (!result.ok) throw new Error(result.failure.message);
	return result.value;
}

const KEY: ClaimKey = { serverName: 'Payments', tool: 'pay', value: 'inv-7' };
/** The fields of the node Call Ledger, in its own words. */
const SETTLE =
	'Then settle the key with the node Salvor Call Ledger (Server Name "Payments", Tool "pay", Key "inv-7"): Resolve records what the call gave, Release says that it did not happen.';
const holder = (executionId: string): Holder => ({
	instanceId: 'n8n',
	workflowId: 'w',
	executionId,
	nodeName: 'Call',
	runIndex: 0,
	item: 0,
});

interface Run {
	readonly effect?: Effect;
	readonly args?: Readonly<Record<string, unknown>>;
	readonly execution?: string;
	readonly store?: Partial<Claims['store']>;
	readonly signal?: AbortSignal;
	readonly retrying?: Partial<Retrying>;
}

/** Makes a keyed call over a session that answers as told; gives what came of it and what was sent. */
async function pay(script: readonly Scripted[], run: Run = {}) {
	const { effect = 'write', args = { invoice: 'inv-7', amount: 5 }, execution = '1' } = run;
	const session = scriptedSession(...script);
	const checked: CheckedCall = {
		facts: {
			tool: 'pay',
			serverName: 'Payments',
			decided: { effect, source: 'operator' },
			attempts: 0,
			idempotencyKey: 'pay:inv-7',
			warnings: [],
		},
		tool: { name: 'pay', inputSchema: {}, problems: [] },
		idempotencyKey: { key: 'pay:inv-7', value: 'inv-7' },
		arguments: args,
	};
	const outcome = await callTool(
		{
			session,
			serverName: 'Payments',
			tools: new Map(),
			unoffered: { idle: [], broken: [] },
			checkArguments: () => [],
			sha256,
			retrying: retryingOn(virtualClock(), run.retrying),
			claims: {
				store: { ...ledger, ...run.store },
				newClaimId: randomUUID,
				hold: (claimId) => {
					held.add(claimId);
					return () => {
						held.delete(claimId);
					};
				},
				isGone: ({ claimId }) => Promise.resolve(!held.has(claimId)),
				now: () => new Date(),
			},
			...(run.signal === undefined ? {} : { signal: run.signal }),
		},
		checked,
		() => holder(execution),
	);
	return { outcome, sent: session.sent.length };
}

const standing = async (): Promise<StandingClaim | undefined> =>
	valueOf(await ledger.readClaim(KEY));
const decision = { who: 'Ada', at: new Date('2026-11-02T09:00:00.000Z'), why: 'Seen in the bank' };

describe('the first call with a key (K4, K5)', () => {
	it.each(['write', 'idempotent'] as const)('is claimed, sent and settled: %s', async (effect) => {
		const claimed: (StandingClaim | undefined)[] = [];
		const looks: Scripted = async () => {
			claimed.push(await standing());
			return textResult('paid');
		};
		const { outcome, sent } = await pay([looks], { effect });
		expect(outcome).toMatchObject({ kind: 'completed', facts: { attempts: 1, warnings: [] } });
		expect(sent).toBe(1);
		expect(claimed).toMatchObject([{ state: 'in-flight', holder: { executionId: '1' } }]);
		expect(await standing()).toMatchObject({
			state: 'settled',
			argumentsHash: sha256('{"amount":5,"invoice":"inv-7"}'),
			outcome: { kind: 'completed', result: { content: [{ text: 'paid' }] } },
		});
		expect(held.size).toBe(0);
	});

	it('sends nothing when the ledger cannot claim, and leaves no claim behind', async () => {
		const away = fail({
			code: 'ledger-unavailable',
			disposition: 'in-doubt',
			message: 'The ledger is away.',
		});
		const claimed: string[] = [];
		const claim: Ledger['claim'] = async (given) => {
			claimed.push(given.claimId);
			// It took the claim, and could not say so.
			await ledger.claim(given);
			return away;
		};
		const { outcome, sent } = await pay([textResult('paid')], { store: { claim } });
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: { code: 'ledger-unavailable', disposition: 'did-not-happen' },
		});
		expect(sent).toBe(0);
		expect(new Set(claimed).size).toBe(1);
		expect(claimed).toHaveLength(3);
		expect(await standing()).toBeUndefined();
	});

	it('gives its result all the same when it cannot be recorded, and says what that means (K5)', async () => {
		const settle: Ledger['settle'] = () =>
			Promise.resolve(
				fail({
					code: 'ledger-unavailable',
					disposition: 'did-not-happen',
					message: 'The ledger is away.',
				}),
			);
		const { outcome } = await pay([textResult('paid')], { store: { settle } });
		expect(outcome).toMatchObject({
			kind: 'completed',
			facts: { warnings: [expect.stringContaining('need reconciliation: The ledger is away.')] },
		});
		const later = await pay([textResult('paid twice')], { execution: '2' });
		expect(later).toMatchObject({
			sent: 0,
			outcome: { failure: { code: 'needs-reconciliation' } },
		});
	});
});

describe('a holder that was taken for gone while it waited for its next attempt (K9, K10)', () => {
	const busy = broken('unreachable', 'did-not-happen');
	/** Another process has found it silent. */
	const doubt = async () => {
		const claim = await standing();
		valueOf(await ledger.doubt({ claimId: claim?.claimId ?? '', at: new Date() }));
		return claim?.claimId ?? '';
	};

	it('copies what another call gave that has the key since an operator released it', async () => {
		const released: Scripted = async () => {
			valueOf(await ledger.release({ claimId: await doubt(), decision }));
			await pay([textResult('paid by the second')], { execution: '2' });
			return busy;
		};
		const { outcome, sent } = await pay([released, textResult('paid twice')]);
		expect(sent).toBe(1);
		expect(outcome).toMatchObject({
			kind: 'completed',
			result: { content: [{ text: 'paid by the second' }] },
			facts: { deduplicatedFrom: '2' },
		});
		expect(await standing()).toMatchObject({ state: 'settled', holder: { executionId: '2' } });
	});

	it.each(['released', 'in doubt'])(
		'claims its key anew when it is %s: none of its attempts happened',
		async (state) => {
			const silent: Scripted = async () => {
				const claimId = await doubt();
				if (state === 'released') valueOf(await ledger.release({ claimId, decision }));
				return busy;
			};
			const states: unknown[] = [];
			const looks: Scripted = async () => {
				states.push((await standing())?.state);
				return textResult('paid');
			};
			const { outcome, sent } = await pay([silent, looks]);
			expect(sent).toBe(2);
			expect(states).toEqual(['in-flight']);
			expect(outcome).toMatchObject({ kind: 'completed', facts: { attempts: 2, warnings: [] } });
			expect(await standing()).toMatchObject({ state: 'settled', holder: { executionId: '1' } });
		},
	);

	it('sends nothing more when one of its own attempts is in doubt too', async () => {
		const silent: Scripted = async () => {
			await doubt();
			return broken('connection-lost', 'in-doubt');
		};
		const { outcome, sent } = await pay([silent, textResult('paid')], { effect: 'idempotent' });
		expect(sent).toBe(1);
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: { code: 'needs-reconciliation', disposition: 'in-doubt' },
		});
		expect(await standing()).toMatchObject({ state: 'in-doubt' });
	});

	it('sends nothing more while the ledger cannot say whether it has its key', async () => {
		const away = fail({
			code: 'ledger-unavailable',
			disposition: 'did-not-happen',
			message: 'The ledger is away.',
		});
		const { outcome, sent } = await pay([busy, textResult('paid')], {
			store: { beat: () => Promise.resolve(away) },
		});
		expect(sent).toBe(1);
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: { code: 'ledger-unavailable', disposition: 'did-not-happen' },
		});
		expect(await standing()).toBeUndefined();
	});

	it('records what it knows when its call fails in doubt', async () => {
		const doubted: Scripted = async () => {
			await doubt();
			return broken('timed-out', 'in-doubt');
		};
		const { outcome } = await pay([doubted]);
		expect(outcome).toMatchObject({ failure: { code: 'timed-out' }, facts: { warnings: [] } });
		expect(await standing()).toMatchObject({
			state: 'in-doubt',
			failure: { code: 'timed-out', message: 'It was timed-out' },
		});
	});

	it('settles its key when its call goes well', async () => {
		const doubted: Scripted = async () => {
			await doubt();
			return textResult('paid');
		};
		expect(await pay([doubted])).toMatchObject({
			outcome: { kind: 'completed', facts: { warnings: [] } },
		});
		expect(await standing()).toMatchObject({ state: 'settled' });
	});
});

describe('a call with a key that is settled', () => {
	it('with equal arguments, in whatever order, copies the result and names its execution (K6)', async () => {
		await pay([textResult('paid')]);
		const { outcome, sent } = await pay([textResult('paid twice')], {
			execution: '2',
			args: { amount: 5, invoice: 'inv-7' },
		});
		expect(sent).toBe(0);
		expect(outcome).toMatchObject({
			kind: 'completed',
			result: { content: [{ text: 'paid' }] },
			facts: { attempts: 0, deduplicatedFrom: '1', warnings: [] },
		});
	});

	it('with other arguments is a collision that names the first execution: neither called nor copied (K7)', async () => {
		await pay([textResult('paid')]);
		const args = { invoice: 'inv-7', amount: 6 };
		const { outcome, sent } = await pay([textResult('paid 6')], { execution: '2', args });
		expect(sent).toBe(0);
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: {
				code: 'key-collision',
				disposition: 'did-not-happen',
				message: expect.stringContaining('execution 1'),
			},
		});
		expect(outcome.facts).not.toHaveProperty('deduplicatedFrom');
	});

	it("copies a landed failure: the same tool's error fails it the same way (K6, K10)", async () => {
		const first = await pay([errorResult('no funds')]);
		const { outcome, sent } = await pay([textResult('paid')], { execution: '2' });
		expect(sent).toBe(0);
		expect(outcome).toMatchObject({ kind: 'failed', facts: { deduplicatedFrom: '1' } });
		expect(failureOf(outcome)).toEqual(failureOf(first.outcome));
		expect(outcome).toHaveProperty('result.isError', true);
	});

	it('parks on the request that the first call parked on, until that has its answer (K6)', async () => {
		const salvor = { suspend: { reason: 'Approve', input_schema: true } };
		const parks: Scripted = { ok: true, value: { content: [], _meta: { salvor } } };
		const first = await pay([parks]);
		const claimId = first.outcome.kind === 'parked' ? first.outcome.claimId : undefined;
		expect(claimId).toBeTypeOf('string');

		const second = await pay([textResult('paid')], { execution: '2' });
		expect(second.sent).toBe(0);
		expect(second.outcome).toMatchObject({
			kind: 'parked-before',
			park: { kind: 'person', reason: 'Approve', inputSchema: true },
			claimId,
			facts: { deduplicatedFrom: '1' },
		});
		expect(second.outcome).not.toHaveProperty('answer');

		await ledger.openBatch({
			...holder('1'),
			batchId: 'b',
			parkedAt: new Date(),
			openedAt: new Date(),
			items: [0],
			claims: [{ item: 0, claimId: String(claimId) }],
		});
		const answeredAt = new Date('2026-11-03T09:00:00.000Z');
		await ledger.recordAnswer({ batchId: 'b', item: 0, answer: { ok: true }, answeredAt });
		const third = await pay([textResult('paid')], { execution: '3' });
		expect(third.sent).toBe(0);
		expect(third.outcome).toMatchObject({
			kind: 'parked-before',
			answer: { value: { ok: true }, answeredAt },
			facts: { deduplicatedFrom: '1' },
		});
	});
});

const failureOf = (outcome: CallOutcome) =>
	outcome.kind === 'failed' ? outcome.failure : undefined;

describe('a call with a key that another call has in flight', () => {
	const claimAs = (claimId: string, executionId: string) =>
		ledger.claim({
			claimId,
			key: KEY,
			argumentsHash: 'h',
			holder: holder(executionId),
			claimedAt: new Date(),
		});

	it('is not sent while the holder lives, and names it (K8)', async () => {
		await claimAs('other', '41');
		held.add('other');
		const { outcome, sent } = await pay([textResult('paid')]);
		expect(sent).toBe(0);
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: {
				code: 'call-in-flight',
				disposition: 'did-not-happen',
				message: expect.stringContaining('execution 41'),
			},
			facts: { attempts: 3 },
		});
		expect(await standing()).toMatchObject({ claimId: 'other', state: 'in-flight' });
	});

	it('waits for it by its attempts, and then copies what it gave', async () => {
		let release: (result: Result<Record<string, unknown>>) => void = () => undefined;
		const first = pay([() => new Promise((resolve) => (release = resolve))]);
		while ((await standing()) === undefined) await new Promise(setImmediate);
		const second = pay([textResult('paid twice')], {
			execution: '2',
			retrying: {
				delay: async () => {
					release(textResult('paid'));
					await first;
					return true;
				},
			},
		});
		expect(await second).toMatchObject({
			sent: 0,
			outcome: {
				kind: 'completed',
				result: { content: [{ text: 'paid' }] },
				facts: {
					attempts: 1,
					deduplicatedFrom: '1',
					failedAttempts: [{ number: 1, code: 'call-in-flight' }],
				},
			},
		});
	});

	it('finds the holder gone: the key is in doubt from then on, and nothing is sent (K9)', async () => {
		await claimAs('crashed', '41');
		for (const execution of ['2', '3']) {
			const { outcome, sent } = await pay([textResult('paid')], { execution });
			expect(sent).toBe(0);
			expect(outcome).toMatchObject({
				kind: 'failed',
				failure: {
					code: 'needs-reconciliation',
					disposition: 'in-doubt',
					message: expect.stringMatching(/"pay:inv-7".*execution 41/),
					remedy: `Look up at the server whether it happened. ${SETTLE}`,
				},
				facts: { attempts: 1 },
			});
			expect(await standing()).toMatchObject({ claimId: 'crashed', state: 'in-doubt' });
		}
	});

	it('is the only one of 20 at once that is sent (K4)', async () => {
		const results = await Promise.all(
			Array.from({ length: 20 }, (_, execution) =>
				pay([textResult('paid')], { execution: String(execution), retrying: { maxAttempts: 20 } }),
			),
		);
		expect(results.reduce((sum, { sent }) => sum + sent, 0)).toBe(1);
		expect(results.map(({ outcome }) => outcome.kind)).toEqual(results.map(() => 'completed'));
	});
});

describe('a keyed call that fails', () => {
	it('frees its key when it did not happen, after all its attempts (K10)', async () => {
		const refused = broken('unreachable', 'did-not-happen');
		const first = await pay([refused]);
		expect(first).toMatchObject({ sent: 3, outcome: { failure: { code: 'unreachable' } } });
		expect(await standing()).toBeUndefined();
		expect(await pay([textResult('paid')])).toMatchObject({ sent: 1 });
	});

	it('keeps one claim over its attempts', async () => {
		const ids = new Set<string>();
		const refused: Scripted = async () => {
			ids.add((await standing())?.claimId ?? 'none');
			return broken('rate-limited', 'did-not-happen');
		};
		const { outcome } = await pay([refused, refused, textResult('paid')]);
		expect(outcome).toMatchObject({ kind: 'completed', facts: { attempts: 3 } });
		expect([...ids]).toEqual([(await standing())?.claimId]);
	});

	it('keeps its key when it is in doubt, says how to settle it, and is not sent again (K9, K10)', async () => {
		const first = await pay([broken('connection-lost', 'in-doubt', { remedy: 'Look.' })]);
		expect(first.outcome).toMatchObject({
			failure: {
				code: 'connection-lost',
				disposition: 'in-doubt',
				remedy: `Look. ${SETTLE}`,
			},
		});
		expect(await standing()).toMatchObject({
			state: 'in-doubt',
			failure: { code: 'connection-lost' },
		});
		const second = await pay([textResult('paid twice')], { execution: '2' });
		expect(second).toMatchObject({
			sent: 0,
			outcome: { failure: { code: 'needs-reconciliation' } },
		});
	});

	it('an idempotent one in doubt is sent again with its key, and completes', async () => {
		const lost = broken('connection-lost', 'in-doubt');
		const { outcome, sent } = await pay([lost, textResult('paid')], { effect: 'idempotent' });
		expect(sent).toBe(2);
		expect(outcome).toMatchObject({ kind: 'completed', facts: { attempts: 2 } });
		expect(await standing()).toMatchObject({ state: 'settled' });
	});

	it('a refused second attempt does NOT clear an in-doubt first: the key stays in doubt', async () => {
		const lost = broken('connection-lost', 'in-doubt');
		const refused = broken('unauthorized', 'did-not-happen');
		const { outcome } = await pay([lost, refused], { effect: 'idempotent' });
		expect(outcome).toMatchObject({
			failure: { code: 'connection-lost', disposition: 'in-doubt' },
		});
		expect(await standing()).toMatchObject({ state: 'in-doubt' });
	});

	it('a cancel after it was sent keeps the key in doubt (K9)', async () => {
		const cancel = new AbortController();
		const running = pay([hangs], { signal: cancel.signal });
		while ((await standing()) === undefined) await new Promise(setImmediate);
		cancel.abort();
		expect((await running).outcome).toMatchObject({ failure: { code: 'cancelled' } });
		expect(await standing()).toMatchObject({ state: 'in-doubt' });
	});
});

describe('after an operator settled a key in doubt (K9)', () => {
	const inDoubt = async () => {
		await pay([broken('timed-out', 'in-doubt')]);
		return (await standing())?.claimId ?? '';
	};

	it('Resolve: later calls copy the recorded output, and say who recorded it and why', async () => {
		const output = { content: [{ type: 'text', text: 'paid, says the bank' }] };
		await ledger.resolve({ claimId: await inDoubt(), output, decision });
		const { outcome, sent } = await pay([textResult('paid twice')], { execution: '2' });
		expect(sent).toBe(0);
		expect(outcome).toMatchObject({
			kind: 'completed',
			result: output,
			facts: {
				deduplicatedFrom: '1',
				warnings: [
					'The output was recorded by Ada on 2026-11-02T09:00:00.000Z, as the call itself was in doubt: Seen in the bank',
				],
			},
		});
	});

	it('Release: the next call runs', async () => {
		await ledger.release({ claimId: await inDoubt(), decision });
		const { outcome, sent } = await pay([textResult('paid')], { execution: '2' });
		expect(sent).toBe(1);
		expect(outcome).toMatchObject({ kind: 'completed' });
		expect(outcome.facts).not.toHaveProperty('deduplicatedFrom');
	});
});

describe('another operation (K3)', () => {
	it.each<[string, ClaimKey]>([
		['another server', { ...KEY, serverName: 'Payments of the branch' }],
		['another tool', { ...KEY, tool: 'refund' }],
		['another value', { ...KEY, value: 'inv-8' }],
	])('is one with %s: its key in flight holds up nobody here', async (_, key) => {
		await ledger.claim({
			claimId: 'other',
			key,
			argumentsHash: 'h',
			holder: holder('41'),
			claimedAt: new Date(),
		});
		expect(await pay([textResult('paid')])).toMatchObject({ sent: 1 });
	});
});
