import type { IExecuteFunctions } from 'n8n-workflow';

import type { Ledger } from '../../src/ledger/ledger';
import type { Result } from '../../src/outcome/failure';
import { answerable, type ParkedBatch } from '../../src/park/parkedBatch';
import { openLedger } from '../shared/openLedger';

/**
 * Makes a batch known to the ledger before the wait begins; gives it back, marked as registered. A failure here loses
 * nothing: the first answer does it again.
 */
export async function registerBatch(
	context: IExecuteFunctions,
	batch: ParkedBatch,
): Promise<ParkedBatch> {
	if (answerable(batch).length === 0) return batch;
	const ledger = await openLedger();
	const opened = ledger.ok ? await openBatch(ledger.value, batch, context.getNode().name) : ledger;
	if (opened.ok) return { ...batch, registered: true };
	context.logger.warn(`A parked run could not be registered: ${opened.failure.message}`);
	return batch;
}

/** Registers the items of a batch that wait for an answer; does nothing when that was done before. */
export async function openBatch(
	ledger: Ledger,
	batch: ParkedBatch,
	nodeName: string,
): Promise<Result<unknown>> {
	const items = answerable(batch);
	const parkedAt = new Date(batch.parked[0]?.parkedAt ?? 0);
	const { batchId, executionId, workflowId } = batch;
	return await ledger.openBatch({ batchId, executionId, workflowId, nodeName, parkedAt, items });
}
