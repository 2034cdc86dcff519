import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failsNode } from '../../src/n8n/agentTool';
import { openJournal } from '../../src/n8n/journal';
import { toNodeError } from '../../src/n8n/items';
import { openLedger } from '../shared/openLedger';
import { carriedPark } from './carriedPark';
import { failWaits } from './failWaits';
import { finishRun } from './finishRun';
import { readForRun } from './readForRun';
import { readLimit } from './readLimit';
import type { Settled } from './settled';

/**
 * Waits for the items that came in with an open park; all others pass through as they are (P25, P27). Calls nothing. What
 * keeps it from waiting fails those items, or ends the run.
 */
export async function awaitItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const limit = readForRun(context, () => readLimit(context));
	if (!limit.ok) return [failWaits(context, limit.failure)];
	const ledger = await openLedger();
	if (!ledger.ok) {
		if (failsNode(context)) throw toNodeError(context.getNode(), ledger.failure);
		return [failWaits(context, ledger.failure)];
	}
	const settled = context.getInputData().map(
		(item): Settled =>
			carriedPark(item) ?? {
				kind: 'completed',
				json: item.json,
				...(item.binary === undefined ? {} : { binary: item.binary }),
			},
	);
	return await finishRun(context, openJournal(context), settled, 'wait', limit.value);
}
