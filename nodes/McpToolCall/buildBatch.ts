import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isAgentTool } from '../../src/n8n/agentTool';
import type { BatchLimit, LeavingItem, ParkedBatch, ParkedItem } from '../../src/park/parkedBatch';
import { schemaSharing } from '../../src/park/sharedSchemas';
import { callerSeesItems } from '../../src/n8n/callerSeesItems';
import { addressOf, resumeUrlOf } from '../../src/n8n/resumeUrl';
import { waitingItem } from '../../src/park/waitingItem';
import type { ParkedCall } from './settled';

/**
 * A run's items, those that wait among them, as they are stored. `items` has one entry per input item. A limit counts for
 * those that await an answer; where all sleep there is none (P26).
 */
export function buildBatch(
	context: IExecuteFunctions,
	parkedCalls: ReadonlyMap<number, ParkedCall>,
	items: readonly INodeExecutionData[],
	given?: BatchLimit,
): ParkedBatch {
	const share = schemaSharing();
	const waiting = new Map(
		[...parkedCalls].map(([item, call]) => [item, { ...call, park: share(call.park) }]),
	);
	const awaitsAnswer = [...waiting.values()].some(({ park }) => park.kind !== 'sleep');
	const limit = awaitsAnswer ? given : undefined;
	// The address lets whoever has it answer: not for the one who may only have asked.
	const url = callerSeesItems(context) ? undefined : resumeUrlOf(context);
	return {
		version: limit === undefined ? 1 : 2,
		batchId: randomUUID(),
		executionId: context.getExecutionId(),
		workflowId: context.getWorkflow().id ?? '',
		parked: [...waiting].map(([item, parked]) => toParkedItem(item, parked)),
		items: items.map((leaving, item) => {
			const parked = waiting.get(item);
			if (parked === undefined) return toLeaving(leaving);
			const deadline = parked.park.kind === 'sleep' ? undefined : limit?.deadline;
			const of = { item, several: items.length > 1, parkId: parked.parkId };
			const json = waitingItem({
				...parked,
				...(url === undefined ? {} : { resumeUrl: addressOf(url, of) }),
				...(deadline === undefined ? {} : { deadline }),
			});
			return { ...toLeaving(leaving), json };
		}),
		...(isAgentTool(context) ? { leavesAs: 'toolAnswer' } : {}),
		...(limit === undefined ? {} : { limit }),
	};
}

function toParkedItem(
	item: number,
	{ call, park, parkedAt, parkId, claimId, schemaWarning }: ParkedCall,
): ParkedItem {
	const { tool, serverName } = call;
	return {
		item,
		tool: String(tool),
		...(typeof serverName === 'string' ? { serverName } : {}),
		parkedAt,
		...(parkId === undefined ? {} : { parkId }),
		...(claimId === undefined ? {} : { claimId }),
		park,
		...(schemaWarning === undefined ? {} : { schemaWarning }),
	};
}

const toLeaving = ({ json, binary }: INodeExecutionData): LeavingItem => ({
	json,
	...(binary === undefined ? {} : { binary: { ...binary } }),
});
