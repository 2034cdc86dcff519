import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { sleepInNode } from '../../src/n8n/sleepInNode';
import type { StoredPark } from '../../src/park/parkedBatch';
import { sleepsInsideUntil } from '../../src/park/sleepInside';

/** Waits out the sleeps that are too short to park (P29). Throws when the execution is cancelled. */
export async function waitShortSleeps(
	context: IExecuteFunctions,
	parks: readonly StoredPark[],
): Promise<void> {
	const until = sleepsInsideUntil(parks, new Date());
	if (until === undefined) return;
	// A timer may end a little early.
	while (new Date() < until) {
		if (await sleepInNode(until, context.getExecutionCancelSignal())) continue;
		throw new NodeOperationError(
			context.getNode(),
			'The execution was cancelled while an item slept',
			{ description: 'The calls of this run were made and are not repeated.' },
		);
	}
}
