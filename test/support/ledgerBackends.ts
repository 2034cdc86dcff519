import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { LedgerPlace } from '../../src/ledger/ledgerPlace';
import { postgresSchema } from '../../src/ledger/postgresSchema';
import { CREATE_VERSION, MIGRATIONS } from '../../src/ledger/sqliteSchema';

/** A database that ledgers are tested on. */
export interface LedgerBackend {
	readonly name: string;
	/** A place where no ledger was yet. */
	readonly fresh: () => Promise<LedgerPlace>;
	/** Runs SQL on a ledger from outside. */
	readonly execute: (place: LedgerPlace, sql: string) => Promise<void>;
	/** Makes a ledger as version 1 of the schema had it. */
	readonly makeVersion1: (place: LedgerPlace) => Promise<void>;
	/** Removes every place again. */
	readonly dispose: () => Promise<void>;
}

export function sqliteBackend(): LedgerBackend {
	const folder = mkdtempSync(join(tmpdir(), 'salvor-ledger-'));
	let count = 0;
	const execute: LedgerBackend['execute'] = (place, sql) => {
		if (place.kind !== 'sqlite') throw new Error('Not a place of this backend.');
		const db = new DatabaseSync(place.file);
		db.exec(sql);
		db.close();
		return Promise.resolve();
	};
	return {
		name: 'SQLite',
		fresh: () => {
			count += 1;
			return Promise.resolve({ kind: 'sqlite', file: join(folder, `${count}.sqlite`) });
		},
		execute,
		makeVersion1: (place) => {
			const [first = ''] = MIGRATIONS;
			return execute(place, `${CREATE_VERSION}; ${first}; UPDATE salvor_schema SET version = 1`);
		},
		dispose: () => {
			rmSync(folder, { recursive: true, force: true });
			return Promise.resolve();
		},
	};
}

/** The Postgres on this machine, in schemas of its own. */
export function postgresBackend(address: string): LedgerBackend {
	const schemas: string[] = [];
	const execute = async (sql: string): Promise<void> => {
		const client = new Client({ connectionString: address });
		await client.connect();
		await client.query(sql);
		await client.end();
	};
	return {
		name: 'Postgres',
		fresh: async () => {
			const random = Math.random().toString(36).slice(2, 8);
			const schema = `salvor test ${String(process.pid)} ${random}`;
			schemas.push(schema);
			await execute(`CREATE SCHEMA "${schema}"`);
			return postgresPlace(address, schema);
		},
		execute: async (place, sql) => {
			if (place.kind !== 'postgres') throw new Error('Not a place of this backend.');
			await execute(`SET search_path = "${place.schema}"; ${sql}`);
		},
		makeVersion1: async (place) => {
			if (place.kind !== 'postgres') throw new Error('Not a place of this backend.');
			const schema = postgresSchema(`"${place.schema}"`);
			const [first = ''] = schema.migrations;
			await execute(`${schema.createVersion} ${first}`);
			await execute(schema.writeVersion.replace('$1', '1'));
		},
		dispose: async () => {
			if (schemas.length === 0) return;
			await execute(schemas.map((schema) => `DROP SCHEMA "${schema}" CASCADE;`).join(''));
		},
	};
}

export const postgresPlace = (address: string, schema: string): LedgerPlace => ({
	kind: 'postgres',
	name: 'the test Postgres',
	schema,
	connection: { connectionString: address },
});

type FoundPostgres = { readonly address: string } | { readonly reason: string };

/** The address of a Postgres that answers here for ledgers, or why there is none, said aloud. */
export async function findPostgres(): Promise<FoundPostgres> {
	const found = await lookForPostgres();
	if ('reason' in found) {
		console.warn(`\n*** SKIPPED: the ledger is not tested on Postgres: ${found.reason} ***\n`);
	}
	return found;
}

/** The address of a Postgres that answers here, or why there is none. */
export async function lookForPostgres(): Promise<FoundPostgres> {
	const reasons: string[] = [];
	for (const user of ['root', 'postgres']) {
		const address = `postgres://${user}@127.0.0.1:5432/test`;
		const client = new Client({ connectionString: address, connectionTimeoutMillis: 3_000 });
		try {
			await client.connect();
			await client.end();
			return { address };
		} catch (error) {
			reasons.push(`as ${user}: ${String(error)}`);
		}
	}
	return { reason: `no Postgres at 127.0.0.1:5432, database test (${reasons.join('; ')})` };
}
