import type { IExecuteFunctions } from 'n8n-workflow';

import { startWorkflow } from '../../src/n8n/startWorkflow';
import { notifications } from '../../src/park/notification';
import type { ParkedBatch } from '../../src/park/parkedBatch';
import { readOnParkWorkflow } from './onParkWorkflow';

/**
 * Runs the workflow of On Park Workflow with the items that wait, before the wait begins. Gives what went wrong with it,
 * for people to read: the park holds in any case.
 */
export async function notifyParked(
	context: IExecuteFunctions,
	batch: ParkedBatch,
): Promise<string | undefined> {
	const problem = await startChosen(context, batch);
	if (problem === undefined) return undefined;
	const warning = `The workflow of On Park Workflow failed, so maybe nobody was told: ${problem}`;
	context.logger.warn(`${context.getNode().name}: ${warning}`);
	return warning;
}

async function startChosen(
	context: IExecuteFunctions,
	batch: ParkedBatch,
): Promise<string | undefined> {
	let id: string | undefined;
	try {
		id = readOnParkWorkflow(context);
	} catch (error) {
		return `the option cannot be read: ${error instanceof Error ? error.message : String(error)}`;
	}
	if (id === undefined) return undefined;
	if (id === '') return 'no workflow is chosen.';
	// It would park again, and run itself again.
	if (id === batch.workflowId) return 'it is this workflow itself; choose another one.';
	const start = await startWorkflow(
		context,
		id,
		notifications(batch, {
			workflowName: context.getWorkflow().name ?? '',
			nodeName: context.getNode().name,
		}),
	);
	return start.kind === 'failed' ? start.problem : undefined;
}
