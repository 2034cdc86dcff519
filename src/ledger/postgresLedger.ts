import { randomUUID } from 'node:crypto';
import { escapeIdentifier, type PoolClient } from 'pg';
import { succeed, type Result } from '../outcome/failure';
import type { Row } from './claimRow';
import { claimSteps, type Steps } from './claimSteps';
import { claimSql } from './claimSql';
import { claimStoreOn } from './claimStoreOn';
import { decodeJson, encodeJson } from './jsonText';
import type { BatchReading, DueCheck, Ledger, Recording, WaitingBatch } from './ledger';
import type { LedgerPlace } from './ledgerPlace';
import { firstCheckAt } from './firstCheckAt';
import { openPostgresPool, type PostgresPool } from './postgresPool';
import { postgresSchema } from './postgresSchema';
import { postgresSql, type PostgresSql } from './postgresSql';
import { readBatch } from './readBatch';
import { madeByNewer, unavailable } from './unavailable';

const PURGED_AT_ONCE = 200;
const LARGEST_ITEM = 2 ** 31 - 1;

interface ItemRow {
	readonly answered_at: Date | null;
	readonly closed_at: Date | null;
	readonly remaining: number;
}

interface BatchItemRow {
	readonly item: number | null;
	readonly answer: string | null;
	readonly answered_at: Date | null;
	readonly closed_at: Date | null;
}

interface CheckRow {
	readonly batch_id: string;
	readonly execution_id: string;
}

interface WaitingRow {
	readonly batch_id: string;
	readonly instance_id: string;
	readonly execution_id: string;
	readonly workflow_id: string;
	readonly node_name: string;
	readonly parked_at: Date;
	readonly items: number;
	readonly remaining: number;
}

/** A ledger in a schema of a Postgres database; creates or migrates its tables and proves that they can be written. */
export async function openPostgresLedger(
	place: Extract<LedgerPlace, { kind: 'postgres' }>,
): Promise<Result<Ledger>> {
	const pool = openPostgresPool(place);
	const schema = escapeIdentifier(place.schema);
	const sql = postgresSql(schema);
	const known = postgresSchema(schema).migrations.length;
	const version = await pool.transaction((client) => prepare(client, schema, sql));
	if (version.ok && version.value <= known) return succeed(ledgerOn(pool, schema));
	// Not waited for: a connection that hangs would hold up the answer.
	void pool.close();
	return version.ok ? unavailable(place.name, madeByNewer(version.value, known)) : version;
}

/** Gives the version that the ledger has now; changes nothing in one that is newer than known. */
async function prepare(client: PoolClient, schema: string, sql: PostgresSql): Promise<number> {
	const { migrations, ...statements } = postgresSchema(schema);
	await client.query(statements.lock);
	const { rows } = await client.query<{ readonly found: boolean }>(statements.hasVersion, [
		statements.versionTable,
	]);
	if (rows[0]?.found !== true) await client.query(statements.createVersion);
	const versions = await client.query<{ readonly version: number }>(statements.readVersion);
	const found = versions.rows[0]?.version ?? 0;
	if (found > migrations.length) return found;
	for (const migration of migrations.slice(found)) await client.query(migration);
	if (found < migrations.length) await client.query(statements.writeVersion, [migrations.length]);
	const probe = randomUUID();
	const never = new Date(0).toISOString();
	await client.query(sql.insertBatch, [probe, '', '', '', '', never, never]);
	await client.query(sql.insertItems, [probe, [0]]);
	await client.query(sql.forget, [probe]);
	return migrations.length;
}

function ledgerOn(pool: PostgresPool, schema: string): Ledger {
	const sql = postgresSql(schema);
	const onClaims = claimSql(`${schema}.`);
	const claimsOf = claimSteps(onClaims);
	return {
		...claimStoreOn(onClaims, (steps) => pool.transaction((client) => take(client, steps))),

		openBatch: ({ items, claims = [], ...batch }) =>
			pool.transaction(async (client) => {
				const { batchId, instanceId, executionId, workflowId, nodeName } = batch;
				const names = [batchId, instanceId, executionId, workflowId, nodeName];
				const instants = [batch.parkedAt, firstCheckAt(batch)].map((at) => at.toISOString());
				const { rowCount } = await client.query(sql.insertBatch, [...names, ...instants]);
				await take(client, claimsOf.linkItems(batchId, claims));
				if (rowCount === 0) return 'opened-before';
				await client.query(sql.insertItems, [batchId, items]);
				return 'opened';
			}),

		recordAnswer: async ({ batchId, item, answer, answeredAt }) => {
			const text = encodeJson(answer, 'The answer');
			if (!text.ok) return text;
			if (!Number.isInteger(item) || item < 0 || item > LARGEST_ITEM) {
				return succeed({ kind: 'unknown' });
			}
			return pool.transaction(async (client): Promise<Recording> => {
				await client.query(sql.lockBatch, [batchId]);
				const values = [text.value, answeredAt.toISOString(), batchId, item];
				const { rowCount } = await client.query(sql.recordAnswer, values);
				const { rows } = await client.query<ItemRow>(sql.readItem, [batchId, item]);
				const row = rows[0];
				if (!row) return { kind: 'unknown' };
				const { remaining, answered_at: answered, closed_at: closedAt } = row;
				if (rowCount === 1) {
					await take(client, claimsOf.answer(batchId, item, text.value, answeredAt));
					return { kind: 'recorded', remaining };
				}
				if (answered) return { kind: 'answered-before', answeredAt: answered, remaining };
				if (closedAt) return { kind: 'closed', closedAt };
				throw new TypeError('An open item took no answer');
			});
		},

		readAnswers: (batchId) => pool.transaction((client) => readAnswers(client, sql, batchId)),

		closeBatch: ({ batchId, closedAt }) =>
			pool.transaction(async (client) => {
				await client.query(sql.closeBatch, [closedAt.toISOString(), batchId]);
				return readAnswers(client, sql, batchId);
			}),

		claimResume: ({ batchId, now, leaseMs }) =>
			pool.transaction(async (client) => {
				const until = new Date(now.getTime() + leaseMs).toISOString();
				const values = [until, batchId, now.toISOString()];
				return (await client.query(sql.claimResume, values)).rowCount === 1;
			}),

		listWaiting: ({ instanceId, executionId, limit }) =>
			pool.transaction(async (client) => {
				const values = [instanceId ?? null, executionId ?? null, limit];
				const { rows } = await client.query<WaitingRow>(sql.listWaiting, values);
				return rows.map((row): WaitingBatch => ({
					batchId: row.batch_id,
					instanceId: row.instance_id,
					executionId: row.execution_id,
					workflowId: row.workflow_id,
					nodeName: row.node_name,
					parkedAt: row.parked_at,
					items: row.items,
					remaining: row.remaining,
				}));
			}),

		takeChecks: ({ instanceId, now, limit }) =>
			pool.transaction(async (client) => {
				const values = [instanceId, now.toISOString(), limit];
				const { rows } = await client.query<CheckRow>(sql.takeChecks, values);
				return rows.map((row): DueCheck => ({
					batchId: row.batch_id,
					executionId: row.execution_id,
				}));
			}),

		forget: (batchId) =>
			pool.transaction(
				async (client) => (await client.query(sql.forget, [batchId])).rowCount === 1,
			),

		purge: async ({ before }) => {
			let purged = 0;
			for (;;) {
				const part = await pool.transaction(async (client) => {
					const instant = before.toISOString();
					const old = await client.query<Pick<CheckRow, 'batch_id'>>(sql.lockOld, [
						instant,
						PURGED_AT_ONCE,
					]);
					const ids = old.rows.map((row) => row.batch_id);
					const { rowCount } = await client.query(sql.purge, [instant, ids]);
					return { found: ids.length, forgotten: rowCount ?? 0 };
				});
				if (!part.ok) return part;
				purged += part.value.forgotten;
				if (part.value.found < PURGED_AT_ONCE) return succeed(purged);
			}
		},

		close: () => pool.close(),
	};
}

/** Takes one step after the other. */
async function take<T>(client: PoolClient, steps: Steps<T>): Promise<T> {
	let step = steps.next();
	while (step.done !== true) {
		const { sql, values } = step.value;
		const { rows } = await client.query<Row>(sql, [...values]);
		step = steps.next(rows);
	}
	return step.value;
}

async function readAnswers(
	client: PoolClient,
	sql: PostgresSql,
	batchId: string,
): Promise<BatchReading> {
	const { rows } = await client.query<BatchItemRow>(sql.readBatch, [batchId]);
	return readBatch(
		rows.map(({ item, answer, answered_at: answeredAt, closed_at: closedAt }) => ({
			item: item ?? undefined,
			closedAt: closedAt ?? undefined,
			answer:
				answer !== null && answeredAt !== null
					? { value: decodeJson(answer), answeredAt }
					: undefined,
		})),
	);
}
