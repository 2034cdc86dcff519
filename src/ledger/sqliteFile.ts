import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { succeed, type Result } from '../outcome/failure';
import { isBusy, NO_WAL, REPLACED, sqliteTrouble } from './sqliteTrouble';
import { unavailable } from './unavailable';

/** How long a call waits for other processes, and for the calls before it. */
const PATIENCE_MS = 10_000;

/** An open SQLite file whose failures are values. */
export interface SqliteFile {
	/** One statement that only reads; it waits for no writer. */
	readonly read: <T>(work: (db: DatabaseSync) => T) => Promise<Result<T>>;
	/** All of `work` or nothing, while nobody else writes; one after the other. */
	readonly transaction: <T>(work: (db: DatabaseSync) => T) => Promise<Result<T>>;
	readonly close: () => void;
}

/** Opens a file, made if it is not there (for its owner only), with WAL and a flush at every commit. */
export async function openSqliteFile(file: string): Promise<Result<SqliteFile>> {
	const place = `sqlite:${file}`;
	let opened: DatabaseSync | undefined;
	try {
		// Loaded here, as some versions of Node warn when they load it.
		const { DatabaseSync } = await import('node:sqlite');
		createForOwner(file);
		const db = new DatabaseSync(file);
		opened = db;
		// SQLite must not sleep until the file is free: this is the thread that all of n8n runs on.
		db.exec('PRAGMA busy_timeout = 0');
		const mode = await whenFree(() => db.prepare('PRAGMA journal_mode = WAL').get(), patience());
		if (mode?.['journal_mode'] !== 'wal') {
			db.close();
			return unavailable(place, NO_WAL);
		}
		db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
		return succeed(guard(db, file));
	} catch (error) {
		if (opened?.isOpen) opened.close();
		return unavailable(place, sqliteTrouble(error));
	}
}

function guard(db: DatabaseSync, file: string): SqliteFile {
	const place = `sqlite:${file}`;
	const identity = identityOf(file);
	const run = async <T>(work: () => T, deadline: number): Promise<Result<T>> => {
		try {
			if (identityOf(file) !== identity) return unavailable(place, REPLACED);
			return succeed(await whenFree(work, deadline));
		} catch (error) {
			return unavailable(place, sqliteTrouble(error));
		}
	};
	/** The end of the last transaction: only one of them asks whether the file is free. */
	let last: Promise<unknown> | undefined;
	return {
		read: (work) => run(() => work(db), patience()),
		transaction: async (work) => {
			const deadline = patience();
			const before = last;
			const turn = Promise.withResolvers<undefined>();
			last = turn.promise;
			await before;
			const result = await run(() => inTransaction(db, work), deadline);
			if (last === turn.promise) last = undefined;
			// A commit blocks until the disk has it; others get their turn before the next one.
			else await nextTurn();
			turn.resolve(undefined);
			return result;
		},
		close: () => {
			if (db.isOpen) db.close();
		},
	};
}

function inTransaction<T>(db: DatabaseSync, work: (db: DatabaseSync) => T): T {
	db.exec('BEGIN IMMEDIATE');
	try {
		const value = work(db);
		db.exec('COMMIT');
		return value;
	} catch (error) {
		// A full disk ends the transaction by itself.
		if (db.isTransaction) db.exec('ROLLBACK');
		throw error;
	}
}

const patience = (): number => performance.now() + PATIENCE_MS;

/** Repeats work that found the file held, without blocking this process in between. */
async function whenFree<T>(work: () => T, deadline: number): Promise<T> {
	for (;;) {
		try {
			return work();
		} catch (error) {
			if (!isBusy(error) || performance.now() >= deadline) throw error;
		}
		await delay(2 + Math.random() * 20);
	}
}

/** Only asks about a file that is there: to open and close it would end the locks that SQLite holds on it here. */
function createForOwner(file: string): void {
	try {
		closeSync(openSync(file, 'wx', 0o600));
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
		for (const path of [file, dirname(file)]) accessSync(path, constants.R_OK | constants.W_OK);
	}
}

function identityOf(file: string): string | undefined {
	const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
	return stats && `${String(stats.dev)}:${String(stats.ino)}`;
}
