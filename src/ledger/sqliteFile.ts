import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { succeed, type Result } from '../outcome/failure';
import { isBusy, NO_WAL, REPLACED, sqliteTrouble } from './sqliteTrouble';
import { unavailable } from './unavailable';

/** How long SQLite may block this process while another one writes; then others get their turn. */
const BLOCKING_MS = 50;
/** How long a call waits for other processes in all. */
const PATIENCE_MS = 10_000;

/** An open SQLite file whose failures are values. */
export interface SqliteFile {
	/** One statement, or several that only read. */
	readonly run: <T>(work: (db: DatabaseSync) => T) => Promise<Result<T>>;
	/** All of `work` or nothing, while no other process writes. */
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
		db.exec(`PRAGMA busy_timeout = ${BLOCKING_MS}`);
		const mode = await whenFree(() => db.prepare('PRAGMA journal_mode = WAL').get());
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
	const run: SqliteFile['run'] = async (work) => {
		try {
			if (identityOf(file) !== identity) return unavailable(place, REPLACED);
			return succeed(await whenFree(() => work(db)));
		} catch (error) {
			return unavailable(place, sqliteTrouble(error));
		}
	};
	return {
		run,
		transaction: (work) => run(() => inTransaction(db, work)),
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

/** Repeats work that found the file held, without blocking this process in between. */
async function whenFree<T>(work: () => T): Promise<T> {
	const deadline = performance.now() + PATIENCE_MS;
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
