import { accessSync, closeSync, constants, fsync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { succeed, type Result } from '../outcome/failure';
import { sharedFlush } from './sharedFlush';
import { isBusy, NO_WAL, REPLACED, sqliteTrouble } from './sqliteTrouble';
import { unavailable } from './unavailable';

/** How long a call waits for other processes, and for the calls before it. */
const PATIENCE_MS = 10_000;

/** An open SQLite file whose failures are values. */
export interface SqliteFile {
	/** One statement that only reads; it waits for no writer. */
	readonly read: <T>(work: (db: DatabaseSync) => T) => Promise<Result<T>>;
	/** All of `work` or nothing, while nobody else writes, one after the other. Resolves when the disk has it. */
	readonly transaction: <T>(work: (db: DatabaseSync) => T) => Promise<Result<T>>;
	readonly close: () => Promise<void>;
}

/** Resolves when the disk has all of an open file. */
export type Flush = (fd: number) => Promise<void>;

const flushFile: Flush = promisify(fsync);

/**
 * Opens a file, made if it is not there (for its owner only), with WAL. A commit is on the disk when its call
 * resolves. SQLite itself flushes the first one only, and with it what makes the WAL's name last: it would hold up
 * the thread that all of n8n runs on, for as long as a slow disk takes.
 */
export async function openSqliteFile(
	file: string,
	flush: Flush = flushFile,
): Promise<Result<SqliteFile>> {
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
		return succeed(guard(db, file, flush));
	} catch (error) {
		if (opened?.isOpen) opened.close();
		return unavailable(place, sqliteTrouble(error));
	}
}

function guard(db: DatabaseSync, file: string, flushFd: Flush): SqliteFile {
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
	let wal: { readonly flush: () => Promise<void>; readonly end: () => void } | undefined;
	/** Sees to it that what was committed is on the disk. */
	const settle = async (): Promise<void> => {
		if (wal) {
			await wal.flush();
			return;
		}
		const fd = openSync(`${file}-wal`, 'r+');
		wal = { flush: sharedFlush(() => flushFd(fd)), end: () => closeSync(fd) };
		db.exec('PRAGMA synchronous = NORMAL');
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
			// SQLite works in this thread; others get their turn before the next one.
			else await nextTurn();
			turn.resolve(undefined);
			if (!result.ok) return result;
			try {
				await settle();
				return result;
			} catch (error) {
				return unavailable(place, { ...sqliteTrouble(error), disposition: 'in-doubt' });
			}
		},
		close: async () => {
			if (!db.isOpen) return;
			db.close();
			// Not under a flush that runs: the number would soon name another file.
			await wal?.flush().then(wal.end, wal.end);
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
