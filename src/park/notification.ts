import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import type { ParkedBatch, ParkedItem } from './parkedBatch';

/** What the execution that parks is called. */
export interface ParkedWhere {
	readonly workflowName: string;
	readonly nodeName: string;
}

/**
 * What the workflow of On Park Workflow gets: one object for each item that waits, flat and with its own address, so that
 * a mail or a chat message can be made of it without another look.
 */
export const notifications = (
	batch: ParkedBatch,
	{ workflowName, nodeName }: ParkedWhere,
): readonly PlainObject[] =>
	batch.parked.map((parked) => {
		const { resumeUrl, deadline } = parkShown(batch, parked.item);
		return {
			...describe(parked),
			...(deadline === undefined ? {} : { deadline }),
			resumeUrl,
			executionId: batch.executionId,
			workflowId: batch.workflowId,
			workflowName,
			nodeName,
		};
	});

function describe({ item, tool, serverName, parkedAt, park }: ParkedItem): PlainObject {
	return {
		item,
		tool,
		...(serverName === undefined ? {} : { serverName }),
		...park,
		parkedAt,
	};
}

/** What a waiting item shows of its park: its address, and its deadline if it has one. */
export function parkShown({ items }: ParkedBatch, item: number): PlainObject {
	const call = own(items[item]?.json ?? {}, 'call');
	const park = isPlainObject(call) ? own(call, 'park') : undefined;
	return isPlainObject(park) ? park : {};
}
