import { createConnection } from 'node:net';
import { Client } from 'pg';

const POSTGRES = { host: '127.0.0.1', port: 5432 };
const REDIS = { host: '127.0.0.1', port: 6379 };
const TIMEOUT_MS = 3_000;

/** What an n8n in queue mode keeps its data in: both on this machine, both shared with others. */
export interface QueueBackends {
	/** A user who may create databases without a password. */
	readonly user: string;
}

/** A database and a Redis prefix that nobody else has. */
export interface QueuePlace {
	/** Makes an n8n use them, as main and as worker. */
	readonly env: NodeJS.ProcessEnv;
	/** Asks n8n's database. */
	readonly query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
	/** Drops the database and removes the keys; gives how many keys there were. */
	readonly dispose: () => Promise<number>;
}

/** Postgres and Redis when both answer here, or why the tests are skipped, said aloud. */
export async function findQueueBackends(): Promise<QueueBackends | { readonly reason: string }> {
	try {
		const user = await findUser();
		await redis('PING');
		return { user };
	} catch (error) {
		const reason = String(error);
		console.warn(`\n*** SKIPPED: queue mode is not tested: ${reason} ***\n`);
		return { reason };
	}
}

async function findUser(): Promise<string> {
	const reasons: string[] = [];
	for (const user of ['root', 'postgres']) {
		try {
			await query(user, 'postgres', 'SELECT 1');
			return user;
		} catch (error) {
			reasons.push(`as ${user}: ${String(error)}`);
		}
	}
	throw new Error(
		`no Postgres at ${POSTGRES.host}:${String(POSTGRES.port)} (${reasons.join('; ')})`,
	);
}

export async function createQueuePlace({ user }: QueueBackends): Promise<QueuePlace> {
	const name = `salvor_queue_${String(process.pid)}_${Math.random().toString(36).slice(2, 8)}`;
	await query(user, 'postgres', `CREATE DATABASE ${name}`);
	return {
		env: {
			EXECUTIONS_MODE: 'queue',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: POSTGRES.host,
			DB_POSTGRESDB_PORT: String(POSTGRES.port),
			DB_POSTGRESDB_DATABASE: name,
			DB_POSTGRESDB_USER: user,
			QUEUE_BULL_REDIS_HOST: REDIS.host,
			QUEUE_BULL_REDIS_PORT: String(REDIS.port),
			QUEUE_BULL_PREFIX: name,
			// The channels by which main and workers talk to each other.
			N8N_REDIS_KEY_PREFIX: name,
		},
		query: async (sql) => await query(user, name, sql),
		dispose: async () => {
			await query(user, 'postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
			return Number(await redis(`EVAL "${REMOVE_KEYS}" 0 *${name}*`));
		},
	};
}

const REMOVE_KEYS =
	"local keys = redis.call('KEYS', ARGV[1]) for _, key in ipairs(keys) do redis.call('DEL', key) end return #keys";

async function query(user: string, database: string, sql: string) {
	const client = new Client({
		...POSTGRES,
		user,
		database,
		connectionTimeoutMillis: TIMEOUT_MS,
	});
	await client.connect();
	try {
		return (await client.query<Record<string, unknown>>(sql)).rows;
	} finally {
		await client.end();
	}
}

/** Sends one command whose answer is one line, and gives that line without its mark. */
async function redis(command: string): Promise<string> {
	return await new Promise((resolve, reject) => {
		const socket = createConnection(REDIS);
		let answer = '';
		socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('it does not answer')));
		socket.once('error', (error) => {
			reject(new Error(`no Redis at ${REDIS.host}:${String(REDIS.port)} (${error.message})`));
		});
		socket.on('data', (chunk) => {
			answer += chunk.toString('utf8');
			if (!answer.endsWith('\r\n')) return;
			socket.destroy();
			if (answer.startsWith('-')) reject(new Error(answer.trim()));
			else resolve(answer.trim().slice(1));
		});
		socket.once('connect', () => socket.write(`${command}\r\n`));
	});
}
