import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { sleepInNode } from '../../src/n8n/sleepInNode';
import type { StoredPark } from '../../src/park/parkedBatch';

/** n8n looks for due executions once a minute, so a shorter sleep is waited out inside the node (P29). */
const LONGEST_SLEEP_IN_NODE_MS = 65_000;

/** Returns once every sleeper is either awake or has so long to go that it parks. Throws when the execution is cancelled. */
export async function waitShortSleeps(
	context: IExecuteFunctions,
	parks: readonly StoredPark[],
): Promise<void> {
	const instants = parks.flatMap((park) => (park.kind === 'sleep' ? [new Date(park.until)] : []));
	for (;;) {
		const next = instants.find(isShortFrom(new Date()));
		if (next === undefined) return;
		if (await sleepInNode(next, context.getExecutionCancelSignal())) continue;
		throw new NodeOperationError(
			context.getNode(),
			'The execution was cancelled while an item slept',
			{ description: 'The calls of this run were made and are not repeated.' },
		);
	}
}

const isShortFrom = (now: Date) => (until: Date) => {
	const remainingMs = until.getTime() - now.getTime();
	return remainingMs > 0 && remainingMs < LONGEST_SLEEP_IN_NODE_MS;
};
