import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Ledger } from '../../src/ledger/ledger';
import type { Result } from '../../src/outcome/failure';
import { answerable, type ParkedBatch } from '../../src/park/parkedBatch';
import { openLedger } from '../shared/openLedger';
import { forgetGone } from './forgetGone';

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
	const opened = ledger.ok ? await openBatch(context, ledger.value, batch) : ledger;
	if (!opened.ok) {
		context.logger.warn(`A parked run could not be registered: ${opened.failure.message}`);
		return batch;
	}
	// Not waited for: it must not hold up the wait.
	if (ledger.ok) void forgetGone(context, ledger.value);
	return { ...batch, registered: true };
}

/** Registers the items of a batch that wait for an answer; does nothing when that was done before. */
export async function openBatch(
	context: IExecuteFunctions | IWebhookFunctions,
	ledger: Ledger,
	batch: ParkedBatch,
): Promise<Result<unknown>> {
	const { batchId, executionId, workflowId } = batch;
	// Its age counts from its wait, not from its calls: operation Await may begin long after them.
	const now = new Date();
	const claims = batch.parked.flatMap(({ item, park, claimId }) =>
		claimId === undefined || park.kind === 'sleep' ? [] : [{ item, claimId }],
	);
	return await ledger.openBatch({
		batchId,
		instanceId: context.getInstanceId(),
		executionId,
		workflowId,
		nodeName: context.getNode().name,
		parkedAt: now,
		openedAt: now,
		items: answerable(batch),
		...(claims.length === 0 ? {} : { claims }),
	});
}
