export type PostgresSql = ReturnType<typeof postgresSql>;

/** The statements of a ledger in a schema, given quoted. */
export function postgresSql(schema: string) {
	const batch = `${schema}.salvor_batch`;
	const item = `${schema}.salvor_item`;
	const answeredSince = `EXISTS (
		SELECT FROM ${item} AS item
		WHERE item.batch_id = batch.batch_id AND answered_at >= $1
	)`;
	return {
		insertBatch: `
			INSERT INTO ${batch}
				(batch_id, instance_id, execution_id, workflow_id, node_name, parked_at, check_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT DO NOTHING
		`,

		insertItems: `
			INSERT INTO ${item} (batch_id, item)
			SELECT $1, unnest($2::integer[])
			ON CONFLICT DO NOTHING
		`,

		/** Two answers to one batch go one after the other, so that each counts the other (R10). */
		lockBatch: `SELECT FROM ${batch} WHERE batch_id = $1 FOR UPDATE`,

		/** Changes nothing when the item is answered, or when its batch is closed: a trigger sees to that. */
		recordAnswer: `
			UPDATE ${item} SET answer = $1, answered_at = $2
			WHERE batch_id = $3 AND item = $4 AND answered_at IS NULL
		`,

		readItem: `
			SELECT
				answered_at,
				closed_at,
				(
					SELECT count(*)::integer FROM ${item} AS other
					WHERE other.batch_id = this.batch_id AND other.answered_at IS NULL
				) AS remaining
			FROM ${item} AS this JOIN ${batch} USING (batch_id)
			WHERE batch_id = $1 AND item = $2
		`,

		/** No row for an unknown batch, one row without item for a batch without items. */
		readBatch: `
			SELECT item, answer, answered_at, closed_at
			FROM ${batch} LEFT JOIN ${item} USING (batch_id)
			WHERE batch_id = $1
			ORDER BY item
		`,

		/** Waits for an answer that is just being recorded, and holds back the next one. */
		closeBatch: `
			UPDATE ${batch} SET closed_at = coalesce(closed_at, $1) WHERE batch_id = $2
		`,

		claimResume: `
			UPDATE ${batch} SET leased_until = $1
			WHERE batch_id = $2 AND (leased_until IS NULL OR leased_until <= $3)
		`,

		/** Takes the instance and the execution, null for any, and how many at most. */
		listWaiting: `
			SELECT batch_id, coalesce(instance_id, '') AS instance_id, execution_id, workflow_id, node_name, parked_at,
				(
					SELECT count(*)::integer FROM ${item} AS item
					WHERE item.batch_id = batch.batch_id
				) AS items,
				(
					SELECT count(*)::integer FROM ${item} AS item
					WHERE item.batch_id = batch.batch_id AND answered_at IS NULL
				) AS remaining
			FROM ${batch} AS batch
			WHERE closed_at IS NULL
				AND batch_id IN (SELECT batch_id FROM ${item} WHERE answered_at IS NULL)
				AND ($1::text IS NULL OR instance_id = $1)
				AND ($2::text IS NULL OR execution_id = $2)
			ORDER BY parked_at, batch_id
			LIMIT $3
		`,

		/** Passes over a batch that another process just takes. */
		takeChecks: `
			UPDATE ${batch} SET check_at = $2::timestamptz
				+ greatest(interval '1 hour', $2::timestamptz - parked_at)
			WHERE batch_id IN (
				SELECT batch_id FROM ${batch} WHERE instance_id = $1 AND check_at <= $2
				ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED
			)
			RETURNING batch_id, execution_id
		`,

		/** Passes over a batch that is just being answered or purged by another process. */
		lockOld: `
			SELECT batch_id FROM ${batch} AS batch
			WHERE parked_at < $1 AND NOT ${answeredSince}
			LIMIT $2 FOR UPDATE OF batch SKIP LOCKED
		`,

		/** Asks again of those that are locked: an answer may have come before the lock. */
		purge: `
			DELETE FROM ${batch} AS batch
			WHERE batch_id = ANY($2::text[]) AND NOT ${answeredSince}
		`,

		forget: `DELETE FROM ${batch} WHERE batch_id = $1`,
	};
}
