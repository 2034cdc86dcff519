import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isAgentTool } from '../../src/n8n/agentTool';
import { callerSeesItems } from '../../src/n8n/callerSeesItems';
import { itemUrl, resumeUrlOf } from '../../src/n8n/resumeUrl';
import type { LeavingItem, ParkedBatch, ParkedItem } from '../../src/park/parkedBatch';
import { waitingItem } from '../../src/park/waitingItem';
import type { ParkedCall } from './settled';

/** A run's items, those that wait among them, as they are stored. `items` has one entry per input item. */
export function buildBatch(
	context: IExecuteFunctions,
	waiting: ReadonlyMap<number, ParkedCall>,
	items: readonly INodeExecutionData[],
): ParkedBatch {
	// The address lets whoever has it answer: not for the one who may only have asked.
	const url = callerSeesItems(context) ? undefined : resumeUrlOf(context);
	const several = items.length > 1;
	return {
		version: 1,
		batchId: randomUUID(),
		executionId: context.getExecutionId(),
		workflowId: context.getWorkflow().id ?? '',
		parked: [...waiting].map(([item, parked]) => toParkedItem(item, parked)),
		items: items.map((leaving, item) => {
			const parked = waiting.get(item);
			if (parked === undefined) return toLeaving(leaving);
			const resumeUrl = url !== undefined && several ? itemUrl(url, item) : url;
			const address = resumeUrl === undefined ? {} : { resumeUrl };
			return { ...toLeaving(leaving), json: waitingItem({ ...parked, ...address }) };
		}),
		...(isAgentTool(context) ? { leavesAs: 'toolAnswer' } : {}),
	};
}

function toParkedItem(
	item: number,
	{ call, park, parkedAt, schemaWarning }: ParkedCall,
): ParkedItem {
	const { tool, serverName } = call;
	return {
		item,
		tool: String(tool),
		...(typeof serverName === 'string' ? { serverName } : {}),
		parkedAt,
		park,
		...(schemaWarning === undefined ? {} : { schemaWarning }),
	};
}

const toLeaving = ({ json, binary }: INodeExecutionData): LeavingItem => ({
	json,
	...(binary === undefined ? {} : { binary: { ...binary } }),
});
