import type { IExecuteFunctions } from 'n8n-workflow';

import { timeoutOverSleepSeconds } from '../../src/n8n/executionTimeout';
import { type ParkedBatch, wakesAt } from '../../src/park/parkedBatch';

/** Says before it happens that n8n will cancel an execution that sleeps longer than it may run. */
export function warnOfTimeout(context: IExecuteFunctions, batch: ParkedBatch): void {
	const wakeAt = wakesAt(batch);
	const seconds = timeoutOverSleepSeconds(context, process.env);
	if (wakeAt === undefined || seconds === undefined) return;
	if (wakeAt.getTime() - Date.now() < seconds * 1000) return;
	const message = `This execution sleeps until ${wakeAt.toISOString()} and may take ${String(seconds)} seconds, sleeping included: n8n will cancel it when it wakes. Set a longer Timeout in the workflow's settings, or none.`;
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	context.logger.warn(`${context.getNode().name}: ${message}`);
}
