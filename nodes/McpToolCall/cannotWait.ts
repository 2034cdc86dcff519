import type { IExecuteFunctions } from 'n8n-workflow';

import type { ParkedCall } from './settled';

const WARNING =
	'The tool asked to wait, and nothing waits for it: this agent runs its tools by itself, and only AI Agent version 3 or newer can wait.';

/** A parked call in a run that n8n cannot let wait: the park goes out as data and says so, in the log too. */
export function cannotWait(context: IExecuteFunctions, parked: ParkedCall): ParkedCall {
	context.logger.warn(`${context.getNode().name}: ${WARNING}`);
	const { warnings } = parked.call;
	const before: readonly unknown[] = Array.isArray(warnings) ? warnings : [];
	return { ...parked, call: { ...parked.call, warnings: [...before, WARNING] } };
}
