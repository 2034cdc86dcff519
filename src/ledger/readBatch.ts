import type { BatchReading } from './ledger';

/** A row of a batch: an item with its answer, if any; without item for a batch that has none. */
export interface BatchRow {
	readonly item: number | undefined;
	/** The same in every row of a batch. */
	readonly closedAt: Date | undefined;
	readonly answer: { readonly value: unknown; readonly answeredAt: Date } | undefined;
}

/** The rows of one batch as what is known of it; no row, no batch. */
export function readBatch(rows: readonly BatchRow[]): BatchReading {
	const [first] = rows;
	if (!first) return { kind: 'unknown' };
	return {
		kind: 'batch',
		answers: rows.flatMap(({ item, answer }) =>
			item !== undefined && answer
				? [{ item, answer: answer.value, answeredAt: answer.answeredAt }]
				: [],
		),
		unanswered: rows.flatMap(({ item, answer }) => (item !== undefined && !answer ? [item] : [])),
		...(first.closedAt === undefined ? {} : { closedAt: first.closedAt }),
	};
}
