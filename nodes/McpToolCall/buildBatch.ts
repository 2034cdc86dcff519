import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isAgentTool } from '../../src/n8n/agentTool';
import { itemUrl, parkUrl, resumeUrlOf } from '../../src/n8n/resumeUrl';
import type { LeavingItem, ParkedBatch, ParkedItem } from '../../src/park/parkedBatch';
import { schemaSharing } from '../../src/park/sharedSchemas';
import { waitingItem } from '../../src/park/waitingItem';
import type { ParkedCall } from './settled';

/** A run's items, those that wait among them, as they are stored. `items` has one entry per input item. */
export function buildBatch(
	context: IExecuteFunctions,
	parkedCalls: ReadonlyMap<number, ParkedCall>,
	items: readonly INodeExecutionData[],
): ParkedBatch {
	const share = schemaSharing();
	const waiting = new Map(
		[...parkedCalls].map(([item, call]) => [item, { ...call, park: share(call.park) }]),
	);
	const url = resumeUrlOf(context);
	const urlOf = ({ parkId }: ParkedCall, item: number): string => {
		const address = items.length > 1 ? itemUrl(url, item) : url;
		return parkId === undefined ? address : parkUrl(address, parkId);
	};
	return {
		version: 1,
		batchId: randomUUID(),
		executionId: context.getExecutionId(),
		workflowId: context.getWorkflow().id ?? '',
		parked: [...waiting].map(([item, parked]) => toParkedItem(item, parked)),
		items: items.map((leaving, item) => {
			const parked = waiting.get(item);
			if (parked === undefined) return toLeaving(leaving);
			return {
				...toLeaving(leaving),
				json: waitingItem({ ...parked, resumeUrl: urlOf(parked, item) }),
			};
		}),
		...(isAgentTool(context) ? { leavesAs: 'toolAnswer' } : {}),
	};
}

function toParkedItem(
	item: number,
	{ call, park, parkedAt, parkId, schemaWarning }: ParkedCall,
): ParkedItem {
	const { tool, serverName } = call;
	return {
		item,
		tool: String(tool),
		...(typeof serverName === 'string' ? { serverName } : {}),
		parkedAt,
		...(parkId === undefined ? {} : { parkId }),
		park,
		...(schemaWarning === undefined ? {} : { schemaWarning }),
	};
}

const toLeaving = ({ json, binary }: INodeExecutionData): LeavingItem => ({
	json,
	...(binary === undefined ? {} : { binary: { ...binary } }),
});
