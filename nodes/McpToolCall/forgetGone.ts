import type { IExecuteFunctions } from 'n8n-workflow';

import type { Ledger } from '../../src/ledger/ledger';

const AT_ONCE = 20;
/** n8n loads all data of an execution to tell that it is there. */
const SPENT_MS = 1_000;

/**
 * Forgets what the ledger holds for executions that n8n has no more: deleted by hand, or pruned. One that waits, runs or
 * is still stored keeps its answers, and so does any whose check fails. Never rejects; the ledger sees to it that this
 * is seldom.
 */
export async function forgetGone(context: IExecuteFunctions, ledger: Ledger): Promise<void> {
	try {
		const deadline = performance.now() + SPENT_MS;
		const own = context.getExecutionId();
		const instanceId = context.getInstanceId();
		const due = await ledger.takeChecks({ instanceId, now: new Date(), limit: AT_ONCE });
		for (const { batchId, executionId } of due.ok ? due.value : []) {
			if (performance.now() > deadline) return;
			if (executionId === own || !(await isGone(context, executionId))) continue;
			const forgotten = await ledger.forget(batchId);
			if (!forgotten.ok) return;
		}
	} catch (error) {
		const problem = error instanceof Error ? error.message : String(error);
		context.logger.debug(`Answers of executions that are gone could not be forgotten: ${problem}`);
	}
}

/** False when n8n cannot tell. Not to be asked of an execution that has not waited yet: n8n may have no data of it. */
async function isGone(context: IExecuteFunctions, executionId: string): Promise<boolean> {
	try {
		return (await context.getExecutionDataById(executionId)) === undefined;
	} catch {
		return false;
	}
}
