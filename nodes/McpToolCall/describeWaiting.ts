import type { ParkedBatch } from '../../src/park/parkedBatch';

/** The waiting items as JSON (R9); names as on the wire of `_meta.salvor`. */
export function describeWaiting(batch: ParkedBatch): Readonly<Record<string, unknown>> {
	const { item, tool, serverName, park, schemaWarning } = batch.parked;
	return {
		status: 'waiting',
		items: [
			{
				item,
				tool,
				...(serverName === undefined ? {} : { server_name: serverName }),
				kind: park.kind,
				...(park.kind === 'sleep'
					? { sleep_until: park.until }
					: { reason: park.reason, input_schema: park.inputSchema }),
				parked_at: batch.parkedAt,
				deadline: null,
				...(schemaWarning === undefined ? {} : { warning: schemaWarning }),
			},
		],
	};
}
