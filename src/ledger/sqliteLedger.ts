import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { succeed, type Result } from '../outcome/failure';
import { text, type Row } from './claimRow';
import { claimSteps, type Steps } from './claimSteps';
import { claimSql } from './claimSql';
import { claimStoreOn } from './claimStoreOn';
import { decodeJson, encodeJson } from './jsonText';
import type { BatchReading, DueCheck, Ledger, Recording, WaitingBatch } from './ledger';
import { firstCheckAt } from './firstCheckAt';
import { readBatch } from './readBatch';
import { openSqliteFile, type Flush, type SqliteFile } from './sqliteFile';
import { CREATE_VERSION, MIGRATIONS, READ_VERSION, WRITE_VERSION } from './sqliteSchema';
import * as sql from './sqliteSql';
import { madeByNewer, unavailable } from './unavailable';

const CLAIM_SQL = claimSql('');
const CLAIMS = claimSteps(CLAIM_SQL);

/** A part of a purge that took longer is followed by a smaller one, as it blocks this thread. */
const PURGING_MS = 20;

/** A ledger in a SQLite file; creates or migrates its schema and proves that it can be written. */
export async function openSqliteLedger(file: string, flush?: Flush): Promise<Result<Ledger>> {
	const opened = await openSqliteFile(file, flush);
	if (!opened.ok) return opened;
	const version = await opened.value.transaction(prepare);
	if (version.ok && version.value <= MIGRATIONS.length) return succeed(ledgerOn(opened.value));
	await opened.value.close();
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
	db.prepare(sql.INSERT_BATCH).run(probe, '', '', '', '', '', '');
	db.prepare(sql.INSERT_ITEMS).run(probe, '[0]');
	db.prepare(sql.FORGET).run(probe);
	return MIGRATIONS.length;
}

function ledgerOn(file: SqliteFile): Ledger {
	return {
		...claimStoreOn(CLAIM_SQL, (steps) => file.transaction((db) => take(db, steps))),

		openBatch: ({ items, claims = [], ...batch }) =>
			file.transaction((db) => {
				const { batchId, instanceId, executionId, workflowId, nodeName } = batch;
				const names = [batchId, instanceId, executionId, workflowId, nodeName];
				const instants = [batch.parkedAt, firstCheckAt(batch)].map((at) => at.toISOString());
				const { changes } = db.prepare(sql.INSERT_BATCH).run(...names, ...instants);
				take(db, CLAIMS.linkItems(batchId, claims));
				if (changes === 0) return 'opened-before';
				db.prepare(sql.INSERT_ITEMS).run(batchId, JSON.stringify(items));
				return 'opened';
			}),

		recordAnswer: async ({ batchId, item, answer, answeredAt }) => {
			const text = encodeJson(answer, 'The answer');
			if (!text.ok) return text;
			return file.transaction((db): Recording => {
				const { changes } = db
					.prepare(sql.RECORD_ANSWER)
					.run(text.value, answeredAt.toISOString(), batchId, item);
				const row = db.prepare(sql.READ_ITEM).get(batchId, item);
				if (!row) return { kind: 'unknown' };
				const remaining = number(row, 'remaining');
				if (changes === 1) {
					take(db, CLAIMS.answer(batchId, item, text.value, answeredAt));
					return { kind: 'recorded', remaining };
				}
				if (row['answered_at'] === null)
					return { kind: 'closed', closedAt: instant(row, 'closed_at') };
				return { kind: 'answered-before', answeredAt: instant(row, 'answered_at'), remaining };
			});
		},

		readAnswers: (batchId) => file.read((db) => readAnswers(db, batchId)),

		closeBatch: ({ batchId, closedAt }) =>
			file.transaction((db) => {
				db.prepare(sql.CLOSE_BATCH).run(closedAt.toISOString(), batchId);
				return readAnswers(db, batchId);
			}),

		claimResume: ({ batchId, now, leaseMs }) =>
			file.transaction((db) => {
				const until = new Date(now.getTime() + leaseMs).toISOString();
				const { changes } = db.prepare(sql.CLAIM_RESUME).run(until, batchId, now.toISOString());
				return changes === 1;
			}),

		listWaiting: ({ instanceId, executionId, limit }) =>
			file.read((db) =>
				db
					.prepare(sql.LIST_WAITING)
					.all(instanceId ?? null, executionId ?? null, limit)
					.map((row): WaitingBatch => ({
						batchId: text(row, 'batch_id'),
						instanceId: text(row, 'instance_id'),
						executionId: text(row, 'execution_id'),
						workflowId: text(row, 'workflow_id'),
						nodeName: text(row, 'node_name'),
						parkedAt: instant(row, 'parked_at'),
						items: number(row, 'items'),
						remaining: number(row, 'remaining'),
					})),
			),

		takeChecks: ({ instanceId, now, limit }) =>
			file.transaction((db) =>
				db
					.prepare(sql.TAKE_CHECKS)
					.all(instanceId, now.toISOString(), limit)
					.map((row): DueCheck => ({
						batchId: text(row, 'batch_id'),
						executionId: text(row, 'execution_id'),
					})),
			),

		forget: (batchId) =>
			file.transaction((db) => db.prepare(sql.FORGET).run(batchId).changes === 1),

		purge: async ({ before }) => {
			let purged = 0;
			let atOnce = 1;
			for (;;) {
				const limit = atOnce;
				const part = await file.transaction((db) => {
					const startedAt = performance.now();
					const { changes } = db.prepare(sql.PURGE).run(before.toISOString(), limit);
					return { forgotten: Number(changes), tookMs: performance.now() - startedAt };
				});
				if (!part.ok) return part;
				const { forgotten, tookMs } = part.value;
				purged += forgotten;
				if (forgotten < limit) return succeed(purged);
				atOnce = tookMs < PURGING_MS ? limit * 2 : Math.max(1, Math.floor(limit / 4));
				// SQLite runs in this thread; others get their turn between two parts.
				await nextTurn();
			}
		},

		close: () => file.close(),
	};
}

/** Takes one step after the other; SQLite answers at once. */
function take<T>(db: DatabaseSync, steps: Steps<T>): T {
	let step = steps.next();
	while (step.done !== true) {
		const { sql: statement, values } = step.value;
		// SQLite counts its parameters with another sign.
		step = steps.next(db.prepare(statement.replaceAll('$', '?')).all(...values));
	}
	return step.value;
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
								value: decodeJson(text(row, 'answer')),
								answeredAt: instant(row, 'answered_at'),
							},
			})),
	);

function number(row: Row, column: string): number {
	const value = row[column];
	if (typeof value !== 'number') throw new TypeError(`${column} is not a number`);
	return value;
}

const instant = (row: Row, column: string): Date => new Date(text(row, column));
