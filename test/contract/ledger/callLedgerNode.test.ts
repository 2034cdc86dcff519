import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runOperations } from '../../../nodes/CallLedger/runOperations';
import { openLedger } from '../../../nodes/shared/openLedger';
import type { ClaimKey } from '../../../src/call/claimStore';
import type { Ledger } from '../../../src/ledger/ledger';
import type { LedgerPlace } from '../../../src/ledger/ledgerPlace';
import type { Result } from '../../../src/outcome/failure';
import { findPostgres, postgresBackend, sqliteBackend } from '../../support/ledgerBackends';

/** The node Call Ledger on a ledger of either kind, with the host's side as far as it is asked. */
const postgres = await findPostgres();
const suites = [
	{ name: 'SQLite', make: sqliteBackend, address: '' },
	'address' in postgres
		? {
				name: 'Postgres',
				make: () => postgresBackend(postgres.address),
				address: postgres.address,
			}
		: { name: `Postgres (skipped: ${postgres.reason})`, make: undefined, address: '' },
];

const PARKED_AT = new Date('2026-11-02T09:00:00.123Z');

describe.each(suites)('the node Call Ledger on $name', ({ make, address }) => {
	if (!make) {
		it.skip('is not tested here', () => undefined);
		return;
	}
	const backend = make();
	const before = process.env['SALVOR_LEDGER'];
	let ledger: Ledger;

	const settingOf = (place: LedgerPlace): string =>
		place.kind === 'sqlite'
			? `sqlite:${place.file}`
			: `${address}?schema=${encodeURIComponent(place.schema)}`;
	beforeEach(async () => {
		process.env['SALVOR_LEDGER'] = settingOf(await backend.fresh());
		ledger = valueOf(await openLedger());
	});
	afterEach(async () => {
		await ledger.close();
		if (before === undefined) delete process.env['SALVOR_LEDGER'];
		else process.env['SALVOR_LEDGER'] = before;
	});
	afterAll(() => backend.dispose());

	const park = async (instanceId: string, executionId: string) =>
		valueOf(
			await ledger.openBatch({
				batchId: `${instanceId} ${executionId}`,
				instanceId,
				executionId,
				workflowId: 'w1',
				nodeName: 'Ask',
				parkedAt: PARKED_AT,
				openedAt: PARKED_AT,
				items: [0],
			}),
		);

	/** A call in doubt, of execution 41. */
	const doubted = async (key: ClaimKey) => {
		const claimId = randomUUID();
		const holder = {
			instanceId: 'A',
			workflowId: 'w1',
			executionId: '41',
			nodeName: 'Pay',
			runIndex: 0,
			item: 3,
		};
		const claimedAt = PARKED_AT;
		valueOf(await ledger.claim({ claimId, key, argumentsHash: 'abc', holder, claimedAt }));
		valueOf(await ledger.doubt({ claimId, at: claimedAt }));
	};

	describe('asked to decide about a key', () => {
		const decide = async (given: object) =>
			(await run('A', { operation: 'release', ...DECISION, ...given })).entries;

		it.each<readonly [string, ClaimKey]>([
			['a blank key', { serverName: 'bank', tool: 'pay', value: ' ' }],
			['blanks around it', { serverName: ' bank ', tool: ' pay', value: 'INV-1 ' }],
			['a blank server and tool', { serverName: ' ', tool: ' ', value: '\t' }],
			['a server without a name', { serverName: '', tool: 'pay', value: 'INV-1' }],
		])('takes it word for word: %s (K2, K9)', async (_case, key) => {
			await doubted(key);
			expect(await decide(namesOf(key))).toMatchObject([
				{ operation: 'release', state: 'released', ...namesOf(key) },
			]);
			expect(valueOf(await ledger.readClaim(key))).toBeUndefined();
		});

		it('refuses what no key has: an empty one, a tool without a name, a value that is no text', async () => {
			const asked = { serverName: 'bank', tool: 'pay', key: 'INV-1' };
			const refused: readonly (readonly [object, string])[] = [
				[{ ...asked, key: '' }, 'Key is empty'],
				[{ ...asked, tool: '' }, 'Tool is empty'],
				[{ ...asked, serverName: {} }, 'Server Name must be a text'],
				[{ ...asked, key: true }, 'Key must be a text'],
				[{ ...asked, decidedBy: ' ' }, 'Decided By is empty'],
				[{ ...asked, reason: ' ' }, 'Reason is empty'],
			];
			for (const [given, message] of refused) {
				expect(await decide(given)).toMatchObject([{ error: { message } }]);
			}
		});
	});

	it('resolve records no result that nobody gave, and an empty one where it is given', async () => {
		const key: ClaimKey = { serverName: 'bank', tool: 'pay', value: 'P-2' };
		const asked = { operation: 'resolve', ...DECISION, ...namesOf(key) };
		await doubted(key);
		for (const given of [{}, { output: '' }, { output: ' \n' }]) {
			expect((await run('A', { ...asked, ...given })).entries).toMatchObject([
				{ error: { code: 'arguments-invalid', message: 'Output is empty' } },
			]);
		}
		expect(valueOf(await ledger.readClaim(key))).toMatchObject({ state: 'in-doubt' });
		expect((await run('A', { ...asked, output: '{}' })).entries).toMatchObject([
			{ operation: 'resolve', state: 'settled', output: {} },
		]);
	});

	it.each(['resolve', 'release'])(
		'%s of a settled call says that nothing was changed, and not that its tool did not run',
		async (operation) => {
			const key: ClaimKey = { serverName: 'bank', tool: 'pay', value: 'P-1' };
			const asked = { ...DECISION, ...namesOf(key), output: '{"status":"paid"}' };
			await doubted(key);
			await run('A', { operation: 'resolve', ...asked });
			const { entries } = await run('A', { operation, ...asked });
			expect(entries).toMatchObject([
				{
					error: { message: expect.stringContaining('is settled') },
					details: {
						description:
							'Later calls with this key copy what it gave.\nCode: arguments-invalid. Nothing was changed.',
					},
				},
			]);
		},
	);

	describe('keeps who, when and why', () => {
		const key: ClaimKey = { serverName: 'bank', tool: 'pay', value: 'INV-1' };
		const list = async (parameters: object) =>
			(await run('A', { operation: 'list', ...parameters })).entries;

		it('lists what was released, with who, when and why, also after the key was used again (K9)', async () => {
			await doubted(key);
			const [done] = (await run('A', { operation: 'release', ...DECISION, ...namesOf(key) }))
				.entries;
			await doubted(key);
			const released = {
				state: 'released',
				...namesOf(key),
				executionId: '41',
				workflowId: 'w1',
				nodeName: 'Pay',
				item: 3,
				since: PARKED_AT.toISOString(),
				changedAt: PARKED_AT.toISOString(),
				reason: 'Its execution ended before the call was answered',
				decision: done?.['decision'],
			};
			expect(done).toEqual({ operation: 'release', ...released });
			expect(done).toMatchObject({
				decision: {
					who: DECISION.decidedBy,
					at: expect.stringMatching(/Z$/),
					why: DECISION.reason,
				},
			});
			expect(await list({ states: ['released'] })).toEqual([released]);
			expect(await list({ states: ['in-doubt'] })).toMatchObject([{ state: 'in-doubt' }]);
		});

		it('lists within the limit: calls first, then releases, then what waits', async () => {
			await doubted(key);
			await run('A', { operation: 'release', ...DECISION, ...namesOf(key) });
			await doubted(key);
			await park('A', '12');
			const states = ['parked', 'released', 'in-doubt'];
			const listed = async (limit: number) =>
				(await list({ states, limit })).map(({ state }) => state);
			expect(await listed(9)).toEqual(['in-doubt', 'released', 'parked']);
			expect(await listed(2)).toEqual(['in-doubt', 'released']);
			expect(await listed(1)).toEqual(['in-doubt']);
		});

		it('puts them into the item of an answer and of a purge, where they may be left out', async () => {
			const at = expect.stringMatching(/Z$/) as unknown;
			const { decidedBy: who, reason: why } = DECISION;
			for (const asked of [
				{ ...ANSWER, executionId: '12' },
				{ operation: 'purge', olderThanDays: 30 },
			]) {
				const decisionOf = async (given: object) =>
					(await run('A', { ...asked, ...given })).entries[0]?.['decision'];
				expect(await decisionOf(DECISION)).toEqual({ who, at, why });
				expect(await decisionOf({ reason: why })).toEqual({ at, why });
				expect(await decisionOf({ decidedBy: ' ', reason: '' })).toEqual({ at });
			}
		});

		it('does nothing when who or why is no text', async () => {
			const asked = { ...ANSWER, executionId: '12', decidedBy: {} };
			const { entries, posted } = await run('A', asked);
			expect(entries).toMatchObject([{ error: { message: 'Decided By must be a text' } }]);
			expect(posted).toEqual([]);
		});
	});

	describe('shared by several n8n', () => {
		beforeEach(async () => {
			await park('A', '12');
			await park('A', '13');
			await park('B', '12');
			await park('B', '14');
		});

		it('lists the parked runs of its own n8n alone, since each counts its executions by itself', async () => {
			const { entries } = await run('B', { operation: 'list', states: ['parked'] });
			expect(entries).toEqual(
				['12', '14'].map((executionId) => ({
					state: 'parked',
					instanceId: 'B',
					executionId,
					workflowId: 'w1',
					nodeName: 'Ask',
					items: 1,
					remaining: 1,
					unanswered: [0],
					since: PARKED_AT.toISOString(),
				})),
			);
		});

		it('answers its own execution, whatever waits under the same number elsewhere', async () => {
			const { entries, posted } = await run('B', { ...ANSWER, executionId: '12' });
			expect(entries).toMatchObject([{ operation: 'answer', executionId: '12' }]);
			expect(posted).toEqual(['http://127.0.0.1:5678/webhook-waiting/12?signature=t12&item=0']);
		});

		it('refuses to answer when the run that waits is of another n8n: its own under this number is another one', async () => {
			const { entries, posted } = await run('B', { ...ANSWER, executionId: '13' });
			expect(entries).toMatchObject([
				{
					error: {
						code: 'arguments-invalid',
						disposition: 'did-not-happen',
						message:
							'Execution 13 waits in another n8n that shares the ledger, and this n8n has none that waits under this number',
					},
				},
			]);
			expect(posted).toEqual([]);
		});

		it('answers a run that the ledger does not know yet', async () => {
			const { posted } = await run('B', { ...ANSWER, executionId: '15' });
			expect(posted).toEqual(['http://127.0.0.1:5678/webhook-waiting/15?signature=t15&item=0']);
		});
	});
});

/** A key as the node's parameters and its items name it. */
const namesOf = ({ serverName, tool, value }: ClaimKey) => ({ serverName, tool, key: value });

const DECISION = { decidedBy: 'ops@example.com', reason: 'Looked up at the bank' };

const ANSWER = { operation: 'answer', item: 0, answer: '{"yes":true}' };

/** Runs the node once in an n8n that has every execution and takes every answer; a failure is an item. */
async function run(instanceId: string, parameters: Readonly<Record<string, unknown>>) {
	const posted: string[] = [];
	const context = {
		getInstanceId: () => instanceId,
		getInputData: () => [{ json: {} }],
		getNodeParameter: (name: string, _item: number, otherwise: unknown) =>
			parameters[name] ?? otherwise,
		continueOnFail: () => true,
		evaluateExpression: () => 'http://127.0.0.1:5678/webhook-waiting/99?signature=t99',
		getExecutionDataById: (id: string) => Promise.resolve({ resumeToken: `t${id}` }),
		helpers: {
			httpRequest: ({ url }: { readonly url: string }) => {
				posted.push(url);
				return Promise.resolve({ statusCode: 200, body: { status: 'resumed' } });
			},
		},
	};
	const [items = []] = await runOperations(context as unknown as IExecuteFunctions);
	return { entries: items.map(({ json }) => json), posted };
}

function valueOf<T>(result: Result<T>): T {
	if (result.ok) return result.value;
	throw new Error(JSON.stringify(result.failure));
}
