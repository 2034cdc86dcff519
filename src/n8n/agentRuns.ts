import type { IExecuteFunctions } from 'n8n-workflow';

import { isPlainObject, type PlainObject } from '../json/plainObject';

/**
 * What n8n's run data lacks while an AI Agent's tool is parked. Both functions reach for data that n8n does not offer to
 * nodes; where it is not as expected they change nothing, and the park holds but for the case they are there for.
 */

type RunData = Record<string, unknown[] | undefined>;

/**
 * Gives every agent that waits for its tool an empty run. A restarted n8n takes an agent that began and has no run for a
 * crash, writes an error into the execution, and refuses every answer from then on.
 */
export function keepAgentAlive(context: IExecuteFunctions): void {
	const data = executionDataOf(context);
	const runData = runDataOf(data);
	const { executionData } = data;
	if (runData === undefined || !isPlainObject(executionData)) return;
	const stack = executionData['nodeExecutionStack'];
	for (const entry of Array.isArray(stack) ? (stack as unknown[]) : []) {
		if (!isPlainObject(entry) || !isPlainObject(entry['metadata'])) continue;
		const { node } = entry;
		if (entry['metadata']['nodeWasResumed'] !== true || !isPlainObject(node)) continue;
		runData[String(node['name'])] ??= [emptyRun()];
	}
}

/**
 * n8n drops the node's last run when a timer ends the wait. While a second call of the same turn is still to come, that
 * is the call's own run, with its arguments; so an empty one is put behind it.
 */
export function keepPendingCalls(context: IExecuteFunctions): void {
	const { runIndex } = context.getExecuteData();
	const runs = runDataOf(executionDataOf(context))?.[context.getNode().name];
	if (runs !== undefined && runIndex !== undefined && runs.length > runIndex + 1) {
		runs.push(emptyRun());
	}
}

const emptyRun = () => ({ startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [] });

function executionDataOf(context: IExecuteFunctions): PlainObject {
	const data = 'runExecutionData' in context ? context.runExecutionData : undefined;
	return isPlainObject(data) ? data : {};
}

function runDataOf({ resultData }: PlainObject): RunData | undefined {
	const runData = isPlainObject(resultData) ? resultData['runData'] : undefined;
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- n8n's runs by the name of their node
	return isPlainObject(runData) ? (runData as RunData) : undefined;
}
