import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Execution } from '../../scripts/host/executionData';
import type { Json } from '../../scripts/host/json';
import type { Ledger } from '../../src/ledger/ledger';
import { openSqliteLedger } from '../../src/ledger/sqliteLedger';
import type { Result } from '../../src/outcome/failure';
import { host, httpConnection, jsonOf, runUntil } from '../support/host';
import { callEach, manyItems } from '../support/manyParks';
import { answers, suspends } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { callLedgerType, items, manualTrigger, workflow } from '../support/workflow';
import type { NodeSpec } from '../support/workflow';

const MINUTE_MS = 60_000;

let parkServer: ParkServer;
let ledger: Ledger;

beforeAll(async () => {
	parkServer = await startParkServer();
	// The same file that n8n's processes use.
	const file = path.join(host().userFolder, '.n8n', 'salvor-ledger.sqlite');
	ledger = valueOf(await openSqliteLedger(file));
});
afterAll(async () => {
	await Promise.all([parkServer.stop(), ledger.close()]);
});

const ledgerNode = (parameters: Json, settings: Json = {}): NodeSpec => ({
	name: 'Ledger',
	type: callLedgerType,
	parameters,
	settings,
});

/** Runs the node once, on one empty item or on those given. */
async function run(
	parameters: Json,
	status: 'success' | 'error' = 'success',
	settings: Json = {},
): Promise<Execution> {
	const spec = workflow([manualTrigger(), items([{}]), ledgerNode(parameters, settings)]);
	return await runUntil(host().rest, spec, [status]);
}

const DECISION = { decidedBy: 'ops@example.com', reason: 'Looked up at the bank' };

/** A claim of a server of this test's own, in flight or in doubt. */
async function claimed(
	state: 'in-flight' | 'in-doubt',
	claimedAt = new Date(),
): Promise<{ readonly serverName: string; readonly tool: string; readonly key: string }> {
	const claimId = randomUUID();
	const serverName = `bank-${claimId}`;
	const holder = {
		instanceId: 'another',
		workflowId: 'w1',
		executionId: '41',
		nodeName: 'Pay',
		runIndex: 0,
		item: 3,
	};
	const key = { serverName, tool: 'pay', value: 'INV-1' };
	valueOf(await ledger.claim({ claimId, key, argumentsHash: 'abc', holder, claimedAt }));
	if (state === 'in-doubt') {
		const failure = {
			code: 'connection-lost',
			disposition: 'in-doubt',
			message: 'The connection was lost after the call was sent',
		} as const;
		valueOf(await ledger.doubt({ claimId, failure, at: claimedAt }));
	}
	return { serverName, tool: 'pay', key: 'INV-1' };
}

const standing = async ({ serverName, tool, key }: Awaited<ReturnType<typeof claimed>>) =>
	valueOf(await ledger.readClaim({ serverName, tool, value: key }));

async function listed(states: readonly string[]): Promise<readonly Json[]> {
	return jsonOf(await run({ operation: 'list', states, returnAll: true }), 'Ledger');
}

test('list: a call in doubt says what was called, by whom, since when and why (K9)', async () => {
	const claim = await claimed('in-doubt');
	const entries = await listed(['in-doubt']);
	expect(entries.filter(({ serverName }) => serverName === claim.serverName)).toEqual([
		{
			state: 'in-doubt',
			...claim,
			executionId: '41',
			workflowId: 'w1',
			nodeName: 'Pay',
			item: 3,
			since: expect.stringMatching(/Z$/),
			changedAt: expect.stringMatching(/Z$/),
			reason: 'The connection was lost after the call was sent',
			code: 'connection-lost',
		},
	]);
	expect((await listed(['in-flight', 'settled'])).map((entry) => entry.serverName)).not.toContain(
		claim.serverName,
	);
});

test('list: a call that its process left in flight over a minute ago is in doubt; a live one is not (K9)', async () => {
	const left = await claimed('in-flight', new Date(Date.now() - 2 * MINUTE_MS));
	const live = await claimed('in-flight');
	const states = Object.fromEntries(
		(await listed(['in-doubt', 'in-flight'])).map(({ serverName, state }) => [serverName, state]),
	);
	expect(states).toMatchObject({ [left.serverName]: 'in-doubt', [live.serverName]: 'in-flight' });
});

test('resolve: the output is recorded with who, when and why; a second decision is refused (K9)', async () => {
	const claim = await claimed('in-doubt');
	const parameters = { operation: 'resolve', ...claim, ...DECISION, output: '{"status":"paid"}' };
	const [done] = jsonOf(await run(parameters), 'Ledger');
	expect(done).toMatchObject({
		operation: 'resolve',
		...claim,
		state: 'settled',
		output: { status: 'paid' },
		decision: { who: DECISION.decidedBy, why: DECISION.reason, at: expect.stringMatching(/Z$/) },
	});
	expect(await standing(claim)).toMatchObject({
		state: 'settled',
		resolvedBy: { who: DECISION.decidedBy, why: DECISION.reason },
	});
	const again = await run(parameters, 'error');
	expect(again.error?.message).toContain('is settled, so there is nothing to decide');
});

test('release: the key is free, and who, when and why are kept (K9)', async () => {
	const claim = await claimed('in-doubt');
	const [done] = jsonOf(await run({ operation: 'release', ...claim, ...DECISION }), 'Ledger');
	expect(done).toMatchObject({
		operation: 'release',
		state: 'released',
		...claim,
		decision: { who: DECISION.decidedBy, why: DECISION.reason },
	});
	expect(await standing(claim)).toBeUndefined();
	const [latest] = valueOf(await ledger.listReleases({ limit: 1 }));
	expect(latest).toMatchObject({
		claim: { key: { serverName: claim.serverName } },
		releasedBy: { who: DECISION.decidedBy, why: DECISION.reason },
	});
	const releases = await listed(['released']);
	expect(releases.filter(({ serverName }) => serverName === claim.serverName)).toMatchObject([
		{ state: 'released', decision: { who: DECISION.decidedBy, why: DECISION.reason } },
	]);
});

test('a decision without a name or a reason, about a live call, or with an output that is no object is refused, and nothing changes (K9)', async () => {
	const inDoubt = await claimed('in-doubt');
	const live = await claimed('in-flight');
	const refused: readonly (readonly [Json, RegExp])[] = [
		[{ operation: 'release', ...inDoubt, ...DECISION, decidedBy: ' ' }, /Decided By is empty/],
		[{ operation: 'release', ...inDoubt, ...DECISION, reason: ' ' }, /Reason is empty/],
		[{ operation: 'resolve', ...inDoubt, ...DECISION, output: '[1]' }, /Output must be a JSON obj/],
		[{ operation: 'resolve', ...inDoubt, ...DECISION, output: '{' }, /Output is not valid JSON/],
		[{ operation: 'release', ...live, ...DECISION }, /is under way in execution 41/],
		[{ operation: 'release', ...live, ...DECISION, tool: 'Pay' }, /is not in the ledger/],
	];
	for (const [parameters, message] of refused) {
		const failed = jsonOf(
			await run(parameters, 'success', { onError: 'continueRegularOutput' }),
			'Ledger',
		);
		expect(failed).toMatchObject([
			{ error: { message: expect.stringMatching(message), code: 'arguments-invalid' } },
		]);
	}
	expect(await standing(inDoubt)).toMatchObject({ state: 'in-doubt' });
	expect(await standing(live)).toMatchObject({ state: 'in-flight' });
});

test('list and answer: a parked item is answered by execution and item, checked against its schema (R4, R6)', async () => {
	const credential = await httpConnection(host().rest, { endpoint: parkServer.endpoint });
	const schema = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };
	const spec = manyItems(
		[answers('at once'), suspends('One', schema), suspends('Two', schema)],
		[callEach(credential)],
	);
	const { id } = await runUntil(host().rest, spec, ['waiting']);
	const mine = async () =>
		(await listed(['parked'])).filter(({ executionId }) => executionId === id);
	expect(await mine()).toMatchObject([
		{ state: 'parked', items: 2, remaining: 2, unanswered: [1, 2] },
	]);

	const answer = async (item: number, value: unknown, status?: 'error') =>
		await run(
			{ operation: 'answer', executionId: id, item, answer: JSON.stringify(value), ...DECISION },
			status,
		);
	const wrong = await answer(1, { yes: 'maybe' }, 'error');
	expect(wrong.error?.message).toContain(`item 1 of execution ${id} was not taken`);
	expect(wrong.error?.message).toContain('yes');
	expect((await answer(0, { yes: true }, 'error')).error?.message).toContain('was not taken');
	expect(jsonOf(await answer(2, { yes: false }), 'Ledger')).toMatchObject([
		{ operation: 'answer', executionId: id, item: 2, status: 'recorded', remaining: 1 },
	]);
	expect(await mine()).toMatchObject([{ unanswered: [1] }]);
	expect(jsonOf(await answer(1, { yes: true }), 'Ledger')).toMatchObject([
		{ status: 'resumed', decision: { who: DECISION.decidedBy, why: DECISION.reason } },
	]);
	const done = await host().rest.waitForExecution(id, ['success']);
	expect(jsonOf(done, 'Call').map(({ output }) => output)).toEqual([
		expect.anything(),
		{ yes: true },
		{ yes: false },
	]);
	const late = await answer(1, { yes: true }, 'error');
	expect(late.error?.message).toContain('was not taken');
});

test('answer: an execution that is not there is refused, and no address is told (I9)', async () => {
	for (const executionId of ['99999999', '../1', '1?x=']) {
		const parameters = { operation: 'answer', executionId, item: 0, answer: '{}' };
		const { error } = await run(parameters, 'error');
		expect(error?.message).toContain('is not there, or does not wait');
		expect(JSON.stringify(error)).not.toContain('signature');
	}
});

test('purge: settled calls that are old are forgotten and counted; in doubt they stay', async () => {
	const old = new Date(Date.now() - 100 * 24 * 60 * MINUTE_MS);
	const [settled, inDoubt] = [await claimed('in-doubt', old), await claimed('in-doubt', old)];
	const claim = await standing(settled);
	const outcome = { kind: 'completed', result: { content: [] } } as const;
	valueOf(await ledger.settle({ claimId: claim?.claimId ?? '', outcome, at: old }));
	const [done] = jsonOf(await run({ operation: 'purge', olderThanDays: 99 }), 'Ledger');
	expect(done).toMatchObject({ operation: 'purge', forgotten: 1 });
	expect(await standing(settled)).toBeUndefined();
	expect(await standing(inDoubt)).toMatchObject({ state: 'in-doubt' });
	const refused = await run({ operation: 'purge', olderThanDays: 0 }, 'error');
	expect(refused.error?.message).toContain('Older Than (Days) must be a number');
});

function valueOf<T>(result: Result<T>): T {
	if (result.ok) return result.value;
	throw new Error(JSON.stringify(result.failure));
}
