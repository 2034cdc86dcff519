import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { succeed, type Result } from '../outcome/failure';
import { decodeAnswer, encodeAnswer } from './answerText';
import type { BatchReading, Ledger, Recording, WaitingBatch } from './ledger';
import { readBatch } from './readBatch';
import { openSqliteFile, type SqliteFile } from './sqliteFile';
import { CREATE_VERSION, MIGRATIONS, READ_VERSION, WRITE_VERSION } from './sqliteSchema';
import * as sql from './sqliteSql';
import { madeByNewer, unavailable } from './unavailable';

type Row = Readonly<Record<string, SQLOutputValue>>;

const PURGED_AT_ONCE = 200;

/** A ledger in a SQLite file; creates or migrates its schema and proves that it can be written. */
export async function openSqliteLedger(file: string): Promise<Result<Ledger>> {
	const opened = await openSqliteFile(file);
	if (!opened.ok) return opened;
	const version = await opened.value.transaction(prepare);
	if (version.ok && version.value <= MIGRATIONS.length) return succeed(ledgerOn(opened.value));
	opened.value.close();
	if (!version.ok) return version;
	return unavailable(`sqlite:${file}`, madeByNewer(version.value, MIGRATIONS.length));
}

/** Gives the version that the ledger has now; changes nothing in one that is newer than known. */
function prepare(db: DatabaseSync): number {
	db.exec(CREATE_VERSION);
	const found = number(db.prepare(READ_VERSION).get() ?? {}, 'version');
	if (found > MIGRATIONS.length) return found;
	for (const migration of MIGRATIONS.slice(found)) db.exec(migration);
	db.prepare(WRITE_VERSION).run(MIGRATIONS.length);
	const probe = randomUUID();
	db.prepare(sql.INSERT_BATCH).run(probe, '', '', '', '');
	db.prepare(sql.INSERT_ITEMS).run(probe, '[0]');
	db.prepare(sql.DELETE_BATCH).run(probe);
	return MIGRATIONS.length;
}

function ledgerOn(file: SqliteFile): Ledger {
	return {
		openBatch: ({ batchId, executionId, workflowId, nodeName, parkedAt, items }) =>
			file.transaction((db) => {
				const { changes } = db
					.prepare(sql.INSERT_BATCH)
					.run(batchId, executionId, workflowId, nodeName, parkedAt.toISOString());
				if (changes === 0) return 'opened-before';
				db.prepare(sql.INSERT_ITEMS).run(batchId, JSON.stringify(items));
				return 'opened';
			}),

		recordAnswer: async ({ batchId, item, answer, answeredAt }) => {
			const text = encodeAnswer(answer);
			if (!text.ok) return text;
			return file.transaction((db): Recording => {
				const { changes } = db
					.prepare(sql.RECORD_ANSWER)
					.run(text.value, answeredAt.toISOString(), batchId, item);
				const row = db.prepare(sql.READ_ITEM).get(batchId, item);
				if (!row) return { kind: 'unknown' };
				const remaining = number(row, 'remaining');
				if (changes === 1) return { kind: 'recorded', remaining };
				if (row['answered_at'] === null)
					return { kind: 'closed', closedAt: instant(row, 'closed_at') };
				return { kind: 'answered-before', answeredAt: instant(row, 'answered_at'), remaining };
			});
		},

		readAnswers: (batchId) => file.run((db) => readAnswers(db, batchId)),

		closeBatch: ({ batchId, closedAt }) =>
			file.transaction((db) => {
				db.prepare(sql.CLOSE_BATCH).run(closedAt.toISOString(), batchId);
				return readAnswers(db, batchId);
			}),

		claimResume: ({ batchId, now, leaseMs }) =>
			file.run((db) => {
				const until = new Date(now.getTime() + leaseMs).toISOString();
				const { changes } = db.prepare(sql.CLAIM_RESUME).run(until, batchId, now.toISOString());
				return changes === 1;
			}),

		listWaiting: ({ limit }) =>
			file.run((db) =>
				db
					.prepare(sql.LIST_WAITING)
					.all(limit)
					.map((row): WaitingBatch => ({
						batchId: text(row, 'batch_id'),
						executionId: text(row, 'execution_id'),
						workflowId: text(row, 'workflow_id'),
						nodeName: text(row, 'node_name'),
						parkedAt: instant(row, 'parked_at'),
						items: number(row, 'items'),
						remaining: number(row, 'remaining'),
					})),
			),

		purge: async ({ before }) => {
			let purged = 0;
			for (;;) {
				const part = await file.run((db) =>
					Number(db.prepare(sql.PURGE).run(before.toISOString(), PURGED_AT_ONCE).changes),
				);
				if (!part.ok) return part;
				purged += part.value;
				if (part.value < PURGED_AT_ONCE) return succeed(purged);
				// SQLite runs in this thread; others get their turn between two parts.
				await nextTurn();
			}
		},

		close: () => {
			file.close();
			return Promise.resolve();
		},
	};
}

const readAnswers = (db: DatabaseSync, batchId: string): BatchReading =>
	readBatch(
		db
			.prepare(sql.READ_BATCH)
			.all(batchId)
			.map((row) => ({
				item: row['item'] === null ? undefined : number(row, 'item'),
				closedAt: row['closed_at'] === null ? undefined : instant(row, 'closed_at'),
				answer:
					row['answer'] === null
						? undefined
						: {
								value: decodeAnswer(text(row, 'answer')),
								answeredAt: instant(row, 'answered_at'),
							},
			})),
	);

function text(row: Row, column: string): string {
	const value = row[column];
	if (typeof value !== 'string') throw new TypeError(`${column} is not a text`);
	return value;
}

function number(row: Row, column: string): number {
	const value = row[column];
	if (typeof value !== 'number') throw new TypeError(`${column} is not a number`);
	return value;
}

const instant = (row: Row, column: string): Date => new Date(text(row, column));
