import { Pool, type PoolClient } from 'pg';
import { succeed, type Result } from '../outcome/failure';
import type { LedgerPlace } from './ledgerPlace';
import { isConnectionLoss, postgresTrouble } from './postgresTrouble';
import { unavailable } from './unavailable';

const CONNECTIONS = 4;
const CONNECT_MS = 10_000;
/** The database ends what takes longer; the client gives up a little later. */
const STATEMENT_MS = 15_000;
const SILENCE_MS = 20_000;
/** After this long, a broken connection is told rather than replaced. */
const REPLACING_MS = 5_000;

/**
 * Limits stand in the transaction, as a pooler in between passes no session settings on. Read
 * Committed is stated because the counting of answers relies on it.
 */
const BEGIN = `
	BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
	SET LOCAL statement_timeout = ${STATEMENT_MS};
	SET LOCAL idle_in_transaction_session_timeout = ${STATEMENT_MS};
	SET LOCAL datestyle = 'ISO';
`;

type PostgresPlace = Extract<LedgerPlace, { kind: 'postgres' }>;

/** Connections to one Postgres whose failures are values; it reconnects by itself. */
export interface PostgresPool {
	/** All of `work` or nothing. */
	readonly transaction: <T>(work: (client: PoolClient) => Promise<T>) => Promise<Result<T>>;
	readonly close: () => Promise<void>;
}

export function openPostgresPool({ name, connection }: PostgresPlace): PostgresPool {
	const pool = new Pool({
		...connection,
		max: CONNECTIONS,
		connectionTimeoutMillis: CONNECT_MS,
		query_timeout: SILENCE_MS,
		idleTimeoutMillis: 30_000,
		keepAlive: true,
		allowExitOnIdle: true,
		application_name: 'salvor-ledger',
	});
	// A connection that breaks also fails the statement on it; without a listener it ends the process.
	pool.on('error', ignore);
	pool.on('connect', (client) => client.on('error', ignore));
	let ended: Promise<void> | undefined;

	return {
		transaction: async (work) => {
			let committing = false;
			let client: PoolClient | undefined;
			try {
				client = await begin(pool);
				const value = await work(client);
				committing = true;
				await client.query('COMMIT');
				client.release();
				return succeed(value);
			} catch (error) {
				const lost = isConnectionLoss(error);
				if (client) await giveBack(client, lost);
				const trouble = postgresTrouble(error);
				return unavailable(
					name,
					committing && lost ? { ...trouble, disposition: 'in-doubt' } : trouble,
				);
			}
		},
		close: () => (ended ??= pool.end()),
	};
}

/** A connection with an open transaction. One that broke while it lay idle is replaced. */
async function begin(pool: Pool): Promise<PoolClient> {
	const deadline = performance.now() + REPLACING_MS;
	for (let left = CONNECTIONS; ; left -= 1) {
		const client = await pool.connect();
		try {
			await client.query(BEGIN);
			return client;
		} catch (error) {
			client.release(true);
			if (left === 0 || performance.now() > deadline || !isConnectionLoss(error)) throw error;
		}
	}
}

async function giveBack(client: PoolClient, lost: boolean): Promise<void> {
	if (lost) {
		client.release(true);
		return;
	}
	const rolledBack = await client.query('ROLLBACK').then(
		() => true,
		() => false,
	);
	client.release(!rolledBack);
}

function ignore(): void {
	// Said by the statement that fails.
}
