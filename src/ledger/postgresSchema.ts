import { claimSchema } from './claimSchema';

/** The statements that make a ledger in a schema, given quoted. */
export interface PostgresSchema {
	/** One entry a version, oldest first; an entry never changes once released. */
	readonly migrations: readonly string[];
	/** Holds back other processes that open a ledger until the transaction ends. */
	readonly lock: string;
	/** One row with `found`: whether the version table is there. Takes its name. */
	readonly hasVersion: string;
	readonly versionTable: string;
	readonly createVersion: string;
	readonly readVersion: string;
	readonly writeVersion: string;
}

export function postgresSchema(schema: string): PostgresSchema {
	const versionTable = `${schema}.salvor_schema`;
	return {
		migrations: [
			`
			CREATE TABLE ${schema}.salvor_batch (
				batch_id text PRIMARY KEY,
				execution_id text NOT NULL,
				workflow_id text NOT NULL,
				node_name text NOT NULL,
				parked_at timestamptz NOT NULL,
				leased_until timestamptz
			);
			CREATE INDEX salvor_batch_parked_at ON ${schema}.salvor_batch (parked_at);
			CREATE TABLE ${schema}.salvor_item (
				batch_id text NOT NULL REFERENCES ${schema}.salvor_batch ON DELETE CASCADE,
				item integer NOT NULL,
				answer text,
				answered_at timestamptz,
				PRIMARY KEY (batch_id, item),
				CHECK ((answer IS NULL) = (answered_at IS NULL))
			);
			CREATE INDEX salvor_item_waiting ON ${schema}.salvor_item (batch_id)
				WHERE answered_at IS NULL;
			`,
			// The trigger keeps a batch closed for a process too that began on version 1 and knows no closing.
			`
			ALTER TABLE ${schema}.salvor_batch
				ADD COLUMN closed_at timestamptz,
				ADD COLUMN instance_id text,
				ADD COLUMN check_at timestamptz;
			CREATE INDEX salvor_batch_check_at ON ${schema}.salvor_batch (instance_id, check_at)
				WHERE check_at IS NOT NULL;
			CREATE FUNCTION ${schema}.salvor_item_closed() RETURNS trigger LANGUAGE plpgsql AS $salvor$
			BEGIN
				IF EXISTS (
					SELECT FROM ${schema}.salvor_batch
					WHERE batch_id = OLD.batch_id AND closed_at IS NOT NULL
				) THEN
					RETURN NULL;
				END IF;
				RETURN NEW;
			END
			$salvor$;
			CREATE TRIGGER salvor_item_closed BEFORE UPDATE OF answered_at ON ${schema}.salvor_item
				FOR EACH ROW EXECUTE FUNCTION ${schema}.salvor_item_closed();
			`,
			claimSchema(`${schema}.`),
		],
		// The number stands for "a ledger is being prepared in this database".
		lock: 'SELECT pg_advisory_xact_lock(7310871429951)',
		hasVersion: 'SELECT to_regclass($1) IS NOT NULL AS found',
		versionTable,
		createVersion: `
			CREATE TABLE ${versionTable} (
				single integer PRIMARY KEY CHECK (single = 1),
				version integer NOT NULL
			);
			INSERT INTO ${versionTable} VALUES (1, 0);
		`,
		readVersion: `SELECT version FROM ${versionTable}`,
		writeVersion: `UPDATE ${versionTable} SET version = $1`,
	};
}
