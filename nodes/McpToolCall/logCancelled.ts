import type { IExecuteFunctions } from 'n8n-workflow';

import type { CallOutcome } from '../../src/call/callOutcome';

/**
 * n8n keeps nothing of a run that somebody stops, so only its log can say that a call which may have changed something is
 * in doubt (U45).
 */
export function logCancelled(context: IExecuteFunctions, outcome: CallOutcome): void {
	if (outcome.kind !== 'failed' || outcome.facts.decided.effect === 'read') return;
	const { code, disposition, message, remedy = '' } = outcome.failure;
	if (code !== 'cancelled' || disposition !== 'in-doubt') return;
	const run = `${context.getNode().name}, execution ${context.getExecutionId()}`;
	context.logger.warn(`${run}: ${message} ${remedy}`.trimEnd());
}
