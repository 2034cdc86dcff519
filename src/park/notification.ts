import type { PlainObject } from '../json/plainObject';
import type { ParkedBatch, ParkedItem } from './parkedBatch';

/** What the execution that parks is called. */
export interface ParkedWhere {
	readonly workflowName: string;
	readonly nodeName: string;
	/** Where a parked item is answered; the item itself shows it only where nobody but the workflow's people see it. */
	readonly addressOf: (parked: ParkedItem) => string;
}

/**
 * What the workflow of On Park Workflow gets: one object for each item that waits, flat and with its own address, so that
 * a mail or a chat message can be made of it without another look.
 */
export const notifications = (
	batch: ParkedBatch,
	{ workflowName, nodeName, addressOf }: ParkedWhere,
): readonly PlainObject[] =>
	batch.parked.map((parked) => ({
		...describe(parked),
		...(batch.limit === undefined || parked.park.kind === 'sleep'
			? {}
			: { deadline: batch.limit.deadline }),
		resumeUrl: addressOf(parked),
		executionId: batch.executionId,
		workflowId: batch.workflowId,
		workflowName,
		nodeName,
	}));

function describe({ item, tool, serverName, parkedAt, park }: ParkedItem): PlainObject {
	return {
		item,
		tool,
		...(serverName === undefined ? {} : { serverName }),
		...park,
		parkedAt,
	};
}
