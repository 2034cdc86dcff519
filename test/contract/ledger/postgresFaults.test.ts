import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createServer, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import type { NewClaim } from '../../../src/call/claimStore';
import type { Ledger } from '../../../src/ledger/ledger';
import type { LedgerPlace } from '../../../src/ledger/ledgerPlace';
import { openLedger } from '../../../src/ledger/openLedger';
import { readLedgerSettings } from '../../../src/ledger/ledgerSettings';
import type { Failure, Result } from '../../../src/outcome/failure';
import {
	findPostgres,
	postgresBackend,
	postgresPlace,
	type LedgerBackend,
} from '../../support/ledgerBackends';
import { postgresProxy, type PostgresProxy } from '../../support/postgresProxy';

const SECRET = 'correct-horse';
const CLAIM: NewClaim = {
	claimId: 'first',
	key: { serverName: 'bank', tool: 'pay', value: 'INV-1' },
	argumentsHash: 'abc',
	holder: {
		instanceId: 'n8n',
		workflowId: 'w',
		executionId: '1',
		nodeName: 'n',
		runIndex: 0,
		item: 0,
	},
	claimedAt: new Date(0),
};
const postgres = await findPostgres();
const address = 'address' in postgres ? postgres.address : '';

describe.runIf(address !== '')('a ledger on Postgres', () => {
	let backend: LedgerBackend;
	let proxy: PostgresProxy;
	let place: LedgerPlace;
	let through: LedgerPlace;
	const opened: Ledger[] = [];

	beforeAll(() => {
		backend = postgresBackend(address);
	});
	beforeEach(async () => {
		proxy = await postgresProxy();
		place = await backend.fresh();
		if (place.kind !== 'postgres') throw new Error('Not a Postgres place.');
		through = postgresPlace(address.replace('5432', String(proxy.port)), place.schema);
	});
	afterEach(async () => {
		await proxy.close();
		await Promise.all(opened.splice(0).map((ledger) => ledger.close()));
	});
	afterAll(() => backend.dispose());

	const open = async (at: LedgerPlace): Promise<Ledger> => {
		const result = await openLedger({ place: at });
		if (!result.ok) throw new Error(JSON.stringify(result.failure));
		opened.push(result.value);
		return result.value;
	};

	it('that is gone amid use gives failures, and works on when it is back', async () => {
		const ledger = await open(through);
		await openBatch(ledger);
		await answer(ledger, 0, 'before');
		proxy.cut();
		const storm = await Promise.all([1, 1, 1, 1, 1, 1].map((item) => answer(ledger, item, 'x')));
		for (const result of storm) {
			expect(failureOf(result)).toMatchObject({
				code: 'ledger-unavailable',
				disposition: 'did-not-happen',
				message: expect.stringContaining('cannot be reached'),
			});
		}

		proxy.mend();
		expect(await answer(ledger, 1, 'after')).toMatchObject({
			value: { kind: 'recorded', remaining: 0 },
		});
		expect(await ledger.readAnswers('b')).toMatchObject({
			value: { answers: [{ answer: 'before' }, { answer: 'after' }], unanswered: [] },
		});
	});

	it('works on at once when its idle connections broke in the meantime', async () => {
		const ledger = await open(through);
		await openBatch(ledger);
		await Promise.all([0, 1].map((item) => answer(ledger, item, 'x')));
		proxy.cut();
		proxy.mend();
		expect(await ledger.readAnswers('b')).toMatchObject({ value: { unanswered: [] } });
	});

	it('whose connection breaks while an answer is committed says that this is in doubt', async () => {
		const ledger = await open(through);
		await openBatch(ledger);
		proxy.cutAfterCommit();
		expect(failureOf(await answer(ledger, 0, 'x'))).toMatchObject({
			code: 'ledger-unavailable',
			disposition: 'in-doubt',
		});
		proxy.mend();
		expect(await ledger.readAnswers('b')).toMatchObject({
			value: { answers: [{ item: 0, answer: 'x' }], unanswered: [1] },
		});
		expect(await answer(ledger, 0, 'y')).toMatchObject({ value: { kind: 'answered-before' } });
	});

	it('that is gone when a key is claimed has not given it, and gives it when it is back (K4)', async () => {
		const ledger = await open(through);
		proxy.cut();
		expect(failureOf(await ledger.claim(CLAIM))).toMatchObject({
			code: 'ledger-unavailable',
			disposition: 'did-not-happen',
		});
		proxy.mend();
		expect(await ledger.claim({ ...CLAIM, claimId: 'second' })).toMatchObject({
			value: { kind: 'claimed' },
		});
	});

	it('whose connection breaks while a claim is committed says so, and tells the claimant again that it holds the key (K4)', async () => {
		const ledger = await open(through);
		proxy.cutAfterCommit();
		expect(failureOf(await ledger.claim(CLAIM))).toMatchObject({ disposition: 'in-doubt' });
		proxy.mend();
		expect(await ledger.claim({ ...CLAIM, claimId: 'second' })).toMatchObject({
			value: { kind: 'taken', by: { claimId: 'first' } },
		});
		expect(await ledger.claim(CLAIM)).toMatchObject({ value: { kind: 'claimed' } });
	});

	it('that falls silent amid use gives failures in bounded time, however many answers come, and works on after it', async () => {
		const ledger = await open(through);
		await openBatch(ledger);
		await Promise.all([0, 1, 2, 3].map(() => ledger.readAnswers('b')));
		proxy.fallSilent();
		const startedAt = performance.now();
		const results = await Promise.all(
			Array.from({ length: 50 }, (_, n) => answer(ledger, n % 2, 'x')),
		);
		expect(performance.now() - startedAt).toBeLessThan(30_000);
		for (const result of results) {
			expect(failureOf(result)).toMatchObject({
				code: 'ledger-unavailable',
				disposition: 'did-not-happen',
			});
		}
		proxy.mend();
		expect(await answer(ledger, 0, 'after')).toMatchObject({ value: { kind: 'recorded' } });
	}, 90_000);

	it('that accepts connections and never answers is refused in bounded time', async () => {
		proxy.fallSilent();
		const startedAt = performance.now();
		expect(failureOf(await openLedger({ place: through })).code).toBe('ledger-unavailable');
		expect(performance.now() - startedAt).toBeLessThan(20_000);
	}, 60_000);

	it('takes 200 answers that come at once over its few connections, each once', async () => {
		const ledger = await open(through);
		const items = Array.from({ length: 100 }, (_, item) => item);
		await openBatch(ledger, items);
		const results = await Promise.all(
			[...items, ...items].map((item) => answer(ledger, item, 'x')),
		);
		const kinds = results.map((result) => (result.ok ? result.value.kind : result.failure.message));
		expect(kinds.toSorted()).toEqual([
			...items.map(() => 'answered-before'),
			...items.map(() => 'recorded'),
		]);
	}, 60_000);

	it('whose batch another session holds locked tells so in bounded time, and other batches go on', async () => {
		if (place.kind !== 'postgres') throw new Error('Not a Postgres place.');
		const ledger = await open(through);
		await openBatch(ledger);
		await openBatch(ledger, [0], 'other');
		const holder = new Client({ connectionString: address });
		await holder.connect();
		await holder.query(
			`BEGIN; SELECT FROM "${place.schema}".salvor_batch WHERE batch_id = 'b' FOR UPDATE`,
		);
		const held = answer(ledger, 0, 'x');
		expect(await answer(ledger, 0, 'x', 'other')).toMatchObject({ value: { kind: 'recorded' } });
		expect(await ledger.readAnswers('b')).toMatchObject({ value: { unanswered: [0, 1] } });
		expect(failureOf(await held)).toMatchObject({ disposition: 'did-not-happen' });
		await holder.query('ROLLBACK');
		await holder.end();
		expect(await answer(ledger, 0, 'x')).toMatchObject({ value: { kind: 'recorded' } });
	}, 60_000);

	it('that cannot be reached when it is opened is refused, and can be opened later', async () => {
		proxy.cut();
		const result = await openLedger({ place: through });
		expect(failureOf(result).message).toBe('The ledger at the test Postgres cannot be reached.');
		proxy.mend();
		await open(through);
	});

	it.each([
		['a database that is not there', '/absent', 'there is no such database'],
		['a schema that is not there', '/test?schema=absent', 'there is no such schema'],
	])('refuses %s', async (_, path, problem) => {
		const failure = await refusal(address.replace('/test', path));
		expect(failure.message).toContain(problem);
		expect(failure.remedy).toContain('SALVOR_LEDGER');
	});

	it('refuses a user that may not write, and says what the user lacks', async () => {
		if (place.kind !== 'postgres') throw new Error('Not a Postgres place.');
		const user = `salvor_test_${String(process.pid)}`;
		await backend.execute(place, `CREATE ROLE ${user} LOGIN`);
		try {
			const failure = await refusal(
				`${address.replace(/\/\/\w+@/, `//${user}@`)}?schema=${encodeURIComponent(place.schema)}`,
			);
			expect(failure.message).toContain('lacks the right');
		} finally {
			await backend.execute(place, `DROP ROLE ${user}`);
		}
	});
});

describe('a Postgres that is none', () => {
	it('refuses an address where nothing listens, without the password (I9)', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		const { port } = await new Promise<AddressInfo>((resolve) =>
			server.once('listening', () => resolve(server.address() as AddressInfo)),
		);
		await new Promise((resolve) => server.close(resolve));
		const failure = await refusal(`postgres://ada:${SECRET}@127.0.0.1:${port}/flows`);
		expect(failure.message).toBe(
			`The ledger at postgres://ada@127.0.0.1:${port}/flows cannot be reached (ECONNREFUSED).`,
		);
		expect(JSON.stringify(failure)).not.toContain(SECRET);
	});

	it('refuses a port that no machine has', async () => {
		const result = await openLedger({
			place: {
				kind: 'postgres',
				name: 'postgres://ada@db:99999/flows',
				schema: 'public',
				connection: {
					host: '127.0.0.1',
					port: 99999,
					database: 'flows',
					user: 'ada',
					password: SECRET,
					ssl: false,
				},
			},
		});
		expect(failureOf(result).message).toContain('cannot be reached (ERR_SOCKET_BAD_PORT)');
	});

	it('refuses a certificate file that cannot be read', async () => {
		const failure = await refusal('postgres://ada@127.0.0.1/flows?sslrootcert=/absent');
		expect(failure.message).toContain('cannot be reached (ENOENT)');
	});
});

/** Through the settings, so that the place's name is the one that operators see. */
async function refusal(ledgerAddress: string): Promise<Failure> {
	const settings = readLedgerSettings({
		environment: { SALVOR_LEDGER: ledgerAddress },
		platform: 'linux',
		workingFolder: '/',
		readFile: () => '',
	});
	if (!settings.ok) throw new Error(settings.failure.message);
	const failure = failureOf(await openLedger(settings.value));
	expect(failure).toMatchObject({ code: 'ledger-unavailable', disposition: 'did-not-happen' });
	return failure;
}

function failureOf(result: Result<unknown>): Failure {
	if (result.ok) throw new Error('It did not fail.');
	return result.failure;
}

async function openBatch(
	ledger: Ledger,
	items: readonly number[] = [0, 1],
	batchId = 'b',
): Promise<void> {
	const result = await ledger.openBatch({
		batchId,
		instanceId: 'n8n',
		executionId: '1',
		workflowId: 'w',
		nodeName: 'n',
		parkedAt: new Date(),
		openedAt: new Date(),
		items,
	});
	if (!result.ok) throw new Error(JSON.stringify(result.failure));
}

const answer = (ledger: Ledger, item: number, value: unknown, batchId = 'b') =>
	ledger.recordAnswer({ batchId, item, answer: value, answeredAt: new Date() });
