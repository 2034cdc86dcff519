import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isPlainObject } from '../json/plainObject';

/**
 * How a node comes to run once more after its wait. n8n itself only forwards what was stored before the wait, which
 * cannot know the answers that came until a timer ended it. So a second entry of the node stands behind the first on
 * n8n's execution stack, which is data that n8n does not offer to nodes; where that is not as expected nothing is
 * changed, and the caller is told.
 */

/** In the metadata of the second entry: the id of the batch that it settles. */
const MARKER = 'salvorSettles';

/** The batch that this run is there to settle; undefined in a run that may call. */
export function batchToSettle(context: IExecuteFunctions): string | undefined {
	const { metadata } = context.getExecuteData();
	const marker = isPlainObject(metadata) ? metadata[MARKER] : undefined;
	return typeof marker === 'string' ? marker : undefined;
}

/**
 * Puts the second entry where n8n takes it up right after the wait, and leaves the first with nothing to forward: n8n
 * then leaves the first out of the run data, so that the node has one run as always. The second does not read its data,
 * which are the items as they wait: n8n's Retry with another version of the workflow disables both entries and forwards
 * them. False when nothing was changed.
 */
export function queueSecondRun(
	context: IExecuteFunctions,
	batchId: string,
	unsettled: readonly INodeExecutionData[],
): boolean {
	const first = context.getExecuteData();
	const stack = stackOf(context);
	const main = first.data['main'];
	if (stack === undefined || !Array.isArray(main) || !isPlainObject(first.node)) return false;
	stack.unshift({
		...first,
		// n8n disables the first entry's node on resume.
		node: { ...first.node },
		data: { ...first.data, main: [[...unsettled]] },
		metadata: { ...first.metadata, [MARKER]: batchId },
	});
	first.data = { ...first.data, main: [] };
	// Else n8n would make an item where there is none.
	first.node = { ...first.node, alwaysOutputData: false };
	return true;
}

function stackOf(context: IExecuteFunctions): unknown[] | undefined {
	const data: unknown = 'runExecutionData' in context ? context.runExecutionData : undefined;
	const execution = isPlainObject(data) ? data['executionData'] : undefined;
	const stack = isPlainObject(execution) ? execution['nodeExecutionStack'] : undefined;
	return Array.isArray(stack) ? (stack as unknown[]) : undefined;
}
