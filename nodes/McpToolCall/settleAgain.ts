import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failsNode, runError } from '../../src/n8n/agentTool';
import { toFailedWait, toNodeError } from '../../src/n8n/items';
import { batchOfRun, park, toItems } from '../../src/n8n/parking';
import { sleepInNode } from '../../src/n8n/sleepInNode';
import { isPlainObject } from '../../src/json/plainObject';
import type { Failure } from '../../src/outcome/failure';
import { endsAt, type ParkedBatch } from '../../src/park/parkedBatch';
import { settleBatch } from '../../src/park/settleBatch';
import { openLedger } from '../shared/openLedger';
import { type Ending, endWait } from './endWait';
import { expiryFailures } from './expiryFailures';
import { failWaits } from './failWaits';

/** n8n's timers may be early by some milliseconds; so much is waited out instead of parking anew. */
const EARLY_TIMER_MS = 2_000;

/**
 * The run that follows a wait which a timer may have ended (P26): puts out all items with the answers that were recorded,
 * or parks again for what n8n ended too soon. Calls no server (I1). Retry On Fail may repeat it; it then does the same.
 */
export async function settleAgain(
	context: IExecuteFunctions,
	batchId: string,
): Promise<INodeExecutionData[][]> {
	const batch = batchOfRun(context, batchId);
	if (batch === undefined) {
		if (failsNode(context)) throw toNodeError(context.getNode(), NOTHING_STORED);
		return [failWaits(context, NOTHING_STORED)];
	}
	let ending = await endWait(context, batch);
	const remainingMs = (endsAt(batch)?.getTime() ?? Infinity) - Date.now();
	if (ending.kind === 'early' && remainingMs < EARLY_TIMER_MS) {
		await sleepInNode(new Date(Date.now() + remainingMs), context.getExecutionCancelSignal());
		ending = await endWait(context, batch);
	}
	if (ending.kind === 'over') return [putOut(context, batch, ending)];
	// n8n's Retry of an execution that was stopped: nobody was told of this execution's address, so nothing waits here.
	if (batch.executionId !== context.getExecutionId()) return [await asItWaits(context, batch)];
	switch (ending.kind) {
		case 'early':
			return await park(context, batch);
		case 'unreadable':
			return await park(context, batch, ending.tryAt);
	}
}

/** The items with the answers that are known; whatever still waits leaves with its park, for a following Await. */
async function asItWaits(
	context: IExecuteFunctions,
	batch: ParkedBatch,
): Promise<INodeExecutionData[]> {
	const ledger = await openLedger();
	const reading = ledger.ok ? await ledger.value.readAnswers(batch.batchId) : ledger;
	if (!reading.ok) context.logger.warn(`Answers could not be read: ${reading.failure.message}`);
	const answers = reading.ok && reading.value.kind === 'batch' ? reading.value.answers : [];
	const { limit: _limit, ...unlimited } = batch;
	return toItems(settleBatch(unlimited, answers, new Date()));
}

const NOTHING_STORED: Failure = {
	code: 'unclassified',
	disposition: 'landed',
	message: 'The wait is over, but n8n no longer holds what waited',
	remedy: 'The calls were made and are not repeated; look up at the server what they did.',
};

function putOut(
	context: IExecuteFunctions,
	batch: ParkedBatch,
	{ answers, at, lost }: Extract<Ending, { readonly kind: 'over' }>,
): INodeExecutionData[] {
	const leaving = toItems(settleBatch(batch, answers, at));
	const failures = expiryFailures(batch, answers, { at, lost });
	const [first] = failures;
	if (first !== undefined && failsNode(context)) {
		const [item, failure] = first;
		throw runError(context, failure, { item });
	}
	const failed = new Map(failures);
	return leaving.map((entry, item) => {
		const failure = failed.get(item);
		if (failure === undefined) return entry;
		const { call } = entry.json;
		return toFailedWait(failure, isPlainObject(call) ? call : {}, item);
	});
}
