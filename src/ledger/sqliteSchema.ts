import { claimSchema } from './claimSchema';

/** One entry a version, oldest first; an entry never changes once released. */
export const MIGRATIONS: readonly string[] = [
	`
	CREATE TABLE salvor_batch (
		batch_id TEXT PRIMARY KEY,
		execution_id TEXT NOT NULL,
		workflow_id TEXT NOT NULL,
		node_name TEXT NOT NULL,
		parked_at TEXT NOT NULL,
		leased_until TEXT
	) STRICT;
	CREATE INDEX salvor_batch_parked_at ON salvor_batch (parked_at);
	CREATE TABLE salvor_item (
		batch_id TEXT NOT NULL REFERENCES salvor_batch ON DELETE CASCADE,
		item INTEGER NOT NULL,
		answer TEXT,
		answered_at TEXT,
		PRIMARY KEY (batch_id, item),
		CHECK ((answer IS NULL) = (answered_at IS NULL))
	) STRICT;
	CREATE INDEX salvor_item_waiting ON salvor_item (batch_id) WHERE answered_at IS NULL;
	`,
	// The trigger keeps a batch closed for a process too that began on version 1 and knows no closing.
	`
	ALTER TABLE salvor_batch ADD COLUMN closed_at TEXT;
	ALTER TABLE salvor_batch ADD COLUMN instance_id TEXT;
	ALTER TABLE salvor_batch ADD COLUMN check_at TEXT;
	CREATE INDEX salvor_batch_check_at ON salvor_batch (instance_id, check_at)
		WHERE check_at IS NOT NULL;
	CREATE TRIGGER salvor_item_closed BEFORE UPDATE OF answered_at ON salvor_item
	WHEN (SELECT closed_at FROM salvor_batch WHERE batch_id = OLD.batch_id) IS NOT NULL
	BEGIN
		SELECT RAISE(IGNORE);
	END;
	`,
	claimSchema(''),
];

export const CREATE_VERSION = `
	CREATE TABLE IF NOT EXISTS salvor_schema (
		single INTEGER PRIMARY KEY CHECK (single = 1),
		version INTEGER NOT NULL
	) STRICT;
	INSERT INTO salvor_schema VALUES (1, 0) ON CONFLICT DO NOTHING;
`;
export const READ_VERSION = 'SELECT version FROM salvor_schema';
export const WRITE_VERSION = 'UPDATE salvor_schema SET version = ?';
