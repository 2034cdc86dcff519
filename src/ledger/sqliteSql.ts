/** Instants are UTC texts of one length, so that they compare as they follow each other. */

export const INSERT_BATCH = `
	INSERT INTO salvor_batch
		(batch_id, instance_id, execution_id, workflow_id, node_name, parked_at, check_at)
	VALUES (?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT DO NOTHING
`;

/** Takes the batch and its items as a JSON array. */
export const INSERT_ITEMS = `
	INSERT INTO salvor_item (batch_id, item)
	SELECT ?, value FROM json_each(?)
	WHERE true
	ON CONFLICT DO NOTHING
`;

/** Changes nothing when the item is answered, or when its batch is closed: a trigger sees to that. */
export const RECORD_ANSWER = `
	UPDATE salvor_item SET answer = ?, answered_at = ?
	WHERE batch_id = ? AND item = ? AND answered_at IS NULL
`;

export const READ_ITEM = `
	SELECT
		answered_at,
		closed_at,
		(
			SELECT count(*) FROM salvor_item AS other
			WHERE other.batch_id = salvor_item.batch_id AND other.answered_at IS NULL
		) AS remaining
	FROM salvor_item JOIN salvor_batch USING (batch_id)
	WHERE batch_id = ? AND item = ?
`;

/** No row for an unknown batch, one row without item for a batch without items. */
export const READ_BATCH = `
	SELECT item, answer, answered_at, closed_at
	FROM salvor_batch LEFT JOIN salvor_item USING (batch_id)
	WHERE batch_id = ?
	ORDER BY item
`;

/** Takes the instant and the batch. */
export const CLOSE_BATCH = `
	UPDATE salvor_batch SET closed_at = ? WHERE batch_id = ? AND closed_at IS NULL
`;

/** Takes the lease's end, the batch and now. */
export const CLAIM_RESUME = `
	UPDATE salvor_batch SET leased_until = ?
	WHERE batch_id = ? AND (leased_until IS NULL OR leased_until <= ?)
`;

/** Takes the instance and the execution, NULL for any, and how many at most. */
export const LIST_WAITING = `
	SELECT batch_id, coalesce(instance_id, '') AS instance_id, execution_id, workflow_id, node_name, parked_at,
		(SELECT count(*) FROM salvor_item WHERE batch_id = batch.batch_id) AS items,
		(
			SELECT count(*) FROM salvor_item
			WHERE batch_id = batch.batch_id AND answered_at IS NULL
		) AS remaining
	FROM salvor_batch AS batch
	WHERE closed_at IS NULL
		AND batch_id IN (SELECT batch_id FROM salvor_item WHERE answered_at IS NULL)
		AND (?1 IS NULL OR instance_id = ?1)
		AND (?2 IS NULL OR execution_id = ?2)
	ORDER BY parked_at, batch_id
	LIMIT ?3
`;

/** Takes the instance, now and how many at most. An hour is a 24th of a Julian day. */
export const TAKE_CHECKS = `
	UPDATE salvor_batch SET check_at = strftime(
		'%Y-%m-%dT%H:%M:%fZ',
		julianday(?2) + max(1.0 / 24, julianday(?2) - julianday(parked_at))
	)
	WHERE batch_id IN (
		SELECT batch_id FROM salvor_batch WHERE instance_id = ?1 AND check_at <= ?2
		ORDER BY check_at LIMIT ?3
	)
	RETURNING batch_id, execution_id
`;

export const FORGET = 'DELETE FROM salvor_batch WHERE batch_id = ?';

/** Takes the instant and how many at most. */
export const PURGE = `
	DELETE FROM salvor_batch
	WHERE batch_id IN (
		SELECT batch_id FROM salvor_batch AS batch
		WHERE parked_at < ?1 AND NOT EXISTS (
			SELECT 1 FROM salvor_item WHERE batch_id = batch.batch_id AND answered_at >= ?1
		)
		LIMIT ?2
	)
`;
