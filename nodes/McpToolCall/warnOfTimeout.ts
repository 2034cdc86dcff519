import type { IExecuteFunctions } from 'n8n-workflow';

import { timeoutOverSleepSeconds } from '../../src/n8n/executionTimeout';
import { endsAt, type ParkedBatch } from '../../src/park/parkedBatch';

/** Says before it happens that n8n will cancel an execution that waits longer than it may run. */
export function warnOfTimeout(context: IExecuteFunctions, batch: ParkedBatch): void {
	const wakeAt = endsAt(batch);
	const seconds = timeoutOverSleepSeconds(context, process.env);
	if (wakeAt === undefined || seconds === undefined) return;
	if (wakeAt.getTime() - Date.now() < seconds * 1000) return;
	const message = `This execution may wait until ${wakeAt.toISOString()} and may take ${String(seconds)} seconds, waiting included: n8n will cancel it when that timer ends the wait. Set a longer Timeout in the workflow's settings, or none.`;
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	context.logger.warn(`${context.getNode().name}: ${message}`);
}
