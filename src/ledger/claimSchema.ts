/**
 * What both databases add in version 3: claims of keyed calls, what operators released, and the tools of servers. All
 * columns are texts, instants among them: UTC and of one length, so that they compare as they follow each other. A key
 * may be of any length and hold any character, so it is found by its digest. `schema` is empty, or quoted with its dot.
 */
export const claimSchema = (schema: string): string => `
	CREATE TABLE ${schema}salvor_claim (
		key_digest text PRIMARY KEY,
		claim_id text NOT NULL UNIQUE,
		claim_key text NOT NULL,
		arguments_hash text NOT NULL,
		holder text NOT NULL,
		claimed_at text NOT NULL,
		changed_at text NOT NULL,
		state text NOT NULL CHECK (state IN ('in-flight', 'in-doubt', 'settled')),
		failure text,
		outcome text,
		answer text,
		answered_at text,
		decision text,
		CHECK ((state = 'settled') = (outcome IS NOT NULL)),
		CHECK ((answer IS NULL) = (answered_at IS NULL))
	);
	CREATE INDEX salvor_claim_state ON ${schema}salvor_claim (state, changed_at);
	CREATE TABLE ${schema}salvor_claim_item (
		batch_id text NOT NULL REFERENCES ${schema}salvor_batch ON DELETE CASCADE,
		item integer NOT NULL,
		claim_id text NOT NULL,
		PRIMARY KEY (batch_id, item)
	);
	CREATE TABLE ${schema}salvor_release (
		claim_id text PRIMARY KEY,
		claim text NOT NULL,
		decision text NOT NULL,
		released_at text NOT NULL
	);
	CREATE INDEX salvor_release_released_at ON ${schema}salvor_release (released_at);
	CREATE TABLE ${schema}salvor_tools (
		server_digest text PRIMARY KEY,
		tools text NOT NULL,
		remembered_at text NOT NULL
	);
`;
