export type ClaimSql = ReturnType<typeof claimSql>;

const COLUMNS = `claim_id, claim_key, arguments_hash, holder, claimed_at, changed_at, state,
	failure, outcome, answer, answered_at, decision`;

/** The statements on claims, for both databases. `schema` is empty, or quoted with its dot. */
export function claimSql(schema: string) {
	const claim = `${schema}salvor_claim`;
	const release = `${schema}salvor_release`;
	const old = `state = 'settled' AND changed_at < $1
		AND ($3 = 'forget' OR answer IS NOT NULL OR outcome NOT LIKE '{"kind":"parked"%')`;
	const takenForGone = `(state = 'in-doubt' AND failure IS NULL)`;
	return {
		/** One statement takes the key, or finds it taken and gives no row (K4). */
		claim: `
			INSERT INTO ${claim}
				(key_digest, claim_id, claim_key, arguments_hash, holder, claimed_at, changed_at, state)
			VALUES ($1, $2, $3, $4, $5, $6, $6, 'in-flight')
			ON CONFLICT (key_digest) DO NOTHING
			RETURNING claim_id
		`,

		readByKey: `SELECT ${COLUMNS} FROM ${claim} WHERE key_digest = $1`,

		readById: `SELECT ${COLUMNS} FROM ${claim} WHERE claim_id = $1`,

		beat: `
			UPDATE ${claim} SET changed_at = $2 WHERE claim_id = $1 AND state = 'in-flight'
			RETURNING claim_id
		`,

		settle: `
			UPDATE ${claim} SET state = 'settled', outcome = $2, changed_at = $3, decision = $4
			WHERE claim_id = $1 AND state IN ('in-flight', 'in-doubt')
			RETURNING claim_id
		`,

		/** Only an operator settles what is in doubt by a word of theirs (K9). */
		resolve: `
			UPDATE ${claim} SET state = 'settled', outcome = $2, changed_at = $3, decision = $4
			WHERE claim_id = $1 AND state = 'in-doubt'
			RETURNING claim_id
		`,

		/** A holder that was taken for gone adds the failure that it knows. */
		doubt: `
			UPDATE ${claim} SET state = 'in-doubt', failure = CAST($2 AS text), changed_at = $3
			WHERE claim_id = $1
				AND (state = 'in-flight' OR (${takenForGone} AND CAST($2 AS text) IS NOT NULL))
			RETURNING claim_id
		`,

		withdraw: `
			DELETE FROM ${claim} WHERE claim_id = $1 AND (state = 'in-flight' OR ${takenForGone})
			RETURNING claim_id
		`,

		remove: `
			DELETE FROM ${claim} WHERE claim_id = $1 AND state = 'in-doubt'
			RETURNING claim_id
		`,

		keepRelease: `
			INSERT INTO ${release} (claim_id, claim, decision, released_at) VALUES ($1, $2, $3, $4)
		`,

		list: `
			SELECT ${COLUMNS} FROM ${claim} WHERE state IN ($2, $3, $4)
			ORDER BY changed_at, claim_id LIMIT $1
		`,

		listReleases: `
			SELECT claim, decision FROM ${release} ORDER BY released_at DESC, claim_id LIMIT $1
		`,

		/** The claim's own copy of an answer outlives its batch; the first one stands. */
		answer: `
			UPDATE ${claim} SET answer = $1, answered_at = $2, changed_at = $2
			WHERE answer IS NULL AND claim_id IN (
				SELECT claim_id FROM ${schema}salvor_claim_item WHERE batch_id = $3 AND item = $4
			)
		`,

		linkItem: `
			INSERT INTO ${schema}salvor_claim_item (batch_id, item, claim_id) VALUES ($1, $2, $3)
			ON CONFLICT DO NOTHING
		`,

		/** What is in flight or in doubt is never forgotten; what parked without an answer is kept for `$3 = 'keep'`. */
		purgeClaims: `
			DELETE FROM ${claim} WHERE claim_id IN (
				SELECT claim_id FROM ${claim} WHERE ${old} LIMIT $2
			) AND ${old}
			RETURNING claim_id
		`,

		purgeReleases: `
			DELETE FROM ${release} WHERE claim_id IN (
				SELECT claim_id FROM ${release} WHERE released_at < $1 LIMIT $2
			)
			RETURNING claim_id
		`,

		rememberTools: `
			INSERT INTO ${schema}salvor_tools (server_digest, tools, remembered_at) VALUES ($1, $2, $3)
			ON CONFLICT (server_digest)
				DO UPDATE SET tools = excluded.tools, remembered_at = excluded.remembered_at
		`,

		recallTools: `
			SELECT tools, remembered_at FROM ${schema}salvor_tools WHERE server_digest = $1
		`,
	};
}
