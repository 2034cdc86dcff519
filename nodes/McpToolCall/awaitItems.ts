import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { openJournal } from '../../src/n8n/journal';
import { toNodeError } from '../../src/n8n/items';
import { openLedger } from '../shared/openLedger';
import { carriedPark } from './carriedPark';
import { finishRun } from './finishRun';
import { readLimit } from './readLimit';
import type { Settled } from './settled';

/** Waits for the items that came in with an open park; all others pass through as they are (P25, P27). Calls nothing. */
export async function awaitItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const limit = readLimit(context);
	const ledger = await openLedger();
	if (!ledger.ok) throw toNodeError(context.getNode(), ledger.failure);
	const settled = context.getInputData().map(
		(item): Settled =>
			carriedPark(item) ?? {
				kind: 'completed',
				json: item.json,
				...(item.binary === undefined ? {} : { binary: item.binary }),
			},
	);
	return await finishRun(context, openJournal(context), settled, 'wait', limit);
}
