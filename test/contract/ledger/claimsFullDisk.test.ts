import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimKey, StandingClaim } from '../../../src/call/claimStore';
import type { Ledger } from '../../../src/ledger/ledger';
import { openSqliteLedger } from '../../../src/ledger/sqliteLedger';
import type { Result } from '../../../src/outcome/failure';
import { smallDisk, type SmallDisk } from '../../support/smallDisk';

const canMount = process.platform === 'linux' && process.getuid?.() === 0;
const AT = new Date('2026-11-02T09:00:00.000Z');
const LARGE = 'x'.repeat(100_000);
const KEY: ClaimKey = { serverName: 'Payments', tool: 'pay', value: 'inv-7' };
const CLAIM = {
	claimId: 'c1',
	key: KEY,
	argumentsHash: 'h',
	holder: {
		instanceId: 'n8n',
		workflowId: 'w',
		executionId: '1',
		nodeName: 'Call',
		runIndex: 0,
		item: 0,
	},
	claimedAt: AT,
};
const LOST = {
	code: 'connection-lost',
	disposition: 'in-doubt',
	stage: 'call',
	message: LARGE,
} as const;
const DECISION = { who: 'ops@example.com', at: AT, why: LARGE };

interface Case {
	readonly name: string;
	/** What stands before. */
	readonly before: (ledger: Ledger) => Promise<unknown>;
	readonly change: (ledger: Ledger) => Promise<Result<unknown>>;
	/** What stands before and while the disk is full. */
	readonly stays: StandingClaim['state'] | undefined;
	/** What stands when the same change was made with space again. */
	readonly then: StandingClaim['state'] | undefined;
}

const claimed = (ledger: Ledger) => ledger.claim(CLAIM);
const doubted = async (ledger: Ledger) => {
	await claimed(ledger);
	await ledger.doubt({ claimId: 'c1', at: AT });
};

const CASES: readonly Case[] = [
	{
		name: 'a claim is not made: nothing is sent, and the key stays free (K4)',
		before: () => Promise.resolve(),
		change: (ledger) => ledger.claim({ ...CLAIM, argumentsHash: LARGE }),
		stays: undefined,
		then: 'in-flight',
	},
	{
		name: 'a claim that cannot be settled stays in flight (K5)',
		before: claimed,
		change: (ledger) =>
			ledger.settle({
				claimId: 'c1',
				outcome: { kind: 'completed', result: { content: [{ type: 'text', text: LARGE }] } },
				at: AT,
			}),
		stays: 'in-flight',
		then: 'settled',
	},
	{
		name: 'a doubt that cannot be recorded leaves the key taken (K9)',
		before: claimed,
		change: (ledger) => ledger.doubt({ claimId: 'c1', failure: LOST, at: AT }),
		stays: 'in-flight',
		then: 'in-doubt',
	},
	{
		name: 'Resolve changes nothing (K9)',
		before: doubted,
		change: (ledger) =>
			ledger.resolve({ claimId: 'c1', output: { content: [] }, decision: DECISION }),
		stays: 'in-doubt',
		then: 'settled',
	},
	{
		name: 'Release frees nothing that it cannot keep a record of (K9)',
		before: doubted,
		change: (ledger) => ledger.release({ claimId: 'c1', decision: DECISION }),
		stays: 'in-doubt',
		then: undefined,
	},
];

describe.runIf(canMount)('claims in a SQLite ledger whose disk is full', () => {
	let disk: SmallDisk | undefined;
	let ledger: Ledger;

	beforeEach(async (context) => {
		disk = smallDisk();
		if (!disk) {
			context.skip('no disk can be mounted here');
			return;
		}
		ledger = valueOf(await openSqliteLedger(join(disk.folder, 'ledger.sqlite')));
	});
	afterEach(async () => {
		if (!disk) return;
		await ledger.close();
		disk.remove();
	});

	it.each(CASES)('$name; with space it is made', async ({ before, change, stays, then }) => {
		await before(ledger);
		disk?.fill();
		expect(await change(ledger)).toMatchObject({
			ok: false,
			failure: {
				code: 'ledger-unavailable',
				disposition: 'did-not-happen',
				message: expect.stringContaining('the disk is full'),
			},
		});
		expect(await state()).toBe(stays);

		disk?.free();
		expect(await change(ledger)).toMatchObject({ ok: true });
		expect(await state()).toBe(then);
	});

	const state = async () => valueOf(await ledger.readClaim(KEY))?.state;
});

function valueOf<T>(result: Result<T>): T {
	if (result.ok) return result.value;
	throw new Error(JSON.stringify(result.failure));
}
