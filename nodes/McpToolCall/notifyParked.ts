import type { IExecuteFunctions } from 'n8n-workflow';

import { addressOf, resumeUrlOf } from '../../src/n8n/resumeUrl';
import { startWorkflow, textOf } from '../../src/n8n/startWorkflow';
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
	const warning = await startChosen(context, batch);
	if (warning !== undefined) context.logger.warn(`${context.getNode().name}: ${warning}`);
	return warning;
}

const CHOOSE = `choose a workflow that is published and begins with "When Executed by Another Workflow"`;

async function startChosen(
	context: IExecuteFunctions,
	batch: ParkedBatch,
): Promise<string | undefined> {
	let id: string | undefined;
	try {
		id = readOnParkWorkflow(context);
	} catch (error) {
		return `Nobody was told of this wait, because On Park Workflow cannot be read: ${textOf(error)}.`;
	}
	if (id === undefined) return undefined;
	if (id === '')
		return `Nobody was told of this wait, because On Park Workflow is empty: ${CHOOSE}.`;
	// It would park again, and run itself again.
	if (id === batch.workflowId) {
		return 'Nobody was told of this wait, because On Park Workflow is this workflow itself: choose another one.';
	}
	const url = resumeUrlOf(context);
	const several = batch.items.length > 1;
	const start = await startWorkflow(
		context,
		id,
		notifications(batch, {
			workflowName: context.getWorkflow().name ?? '',
			nodeName: context.getNode().name,
			addressOf: ({ item, parkId }) => addressOf(url, { item, several, parkId }),
		}),
	);
	switch (start.kind) {
		case 'started':
			return undefined;
		case 'failed':
			return `Maybe nobody was told of this wait, because On Park Workflow failed (${start.problem}): see its execution ${start.executionId}.`;
		case 'not-started':
			return `Nobody was told of this wait, because On Park Workflow did not start (${start.problem}): ${CHOOSE}.`;
	}
}
