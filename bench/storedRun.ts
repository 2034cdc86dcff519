import { setTimeout as pause } from 'node:timers/promises';
import type { Execution } from '../scripts/host/executionData.ts';
import type { N8nRest } from '../scripts/host/n8nRest.ts';
import { manualTrigger, workflow } from '../test/support/workflow.ts';
import type { NodeSpec } from '../test/support/workflow.ts';

/** Before the first look, as n8n answers a look with the thread that the execution needs. */
const FIRST_LOOK_MS = 150;
const PATIENCE_MS = 300_000;

/** Stores a manual trigger with the nodes behind it; each call of the result runs them once, to success. */
export async function storeRun(
	rest: N8nRest,
	nodes: readonly NodeSpec[],
): Promise<() => Promise<Execution>> {
	const trigger = manualTrigger();
	const { id } = await rest.createWorkflow(workflow([trigger, ...nodes]));
	return async () => {
		const execution = await rest.runManually(id, { trigger: trigger.name });
		await pause(FIRST_LOOK_MS);
		return await rest.waitForExecution(execution, ['success'], PATIENCE_MS);
	};
}
