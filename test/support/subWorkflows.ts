import type { CredentialReference, N8nRest } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { lookBack } from './manyParks';
import { relayEach } from './parkRuns';
import { items, setFields, workflow } from './workflow';
import type { NodeSpec } from './workflow';
import type { RelayCall } from './parkRuns';

/** Starts with what the parent sends. */
const childTrigger = (): NodeSpec => ({
	name: 'Start',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
});

/** Stores and publishes a workflow that calls for each item it is sent, and says `done` with each output; gives its id. */
export async function createChild(rest: N8nRest, credential: CredentialReference): Promise<string> {
	const spec = workflow([
		childTrigger(),
		relayEach(credential),
		setFields({ done: '{{ JSON.stringify($json.output) }}' }),
	]);
	const { id } = await rest.createWorkflow(spec);
	await rest.activate(id);
	return id;
}

/** A parent's nodes behind its trigger: an item for each call, the child, and a look back to the items. */
export function parentNodes(
	childId: string,
	calls: readonly RelayCall[],
	mode: 'once' | 'each' = 'once',
): readonly NodeSpec[] {
	const before = items(
		calls.map((call, x) => ({ x: `x${String(x)}`, call })),
		'Before',
	);
	const child: NodeSpec = {
		name: 'Child',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			source: 'database',
			workflowId: { __rl: true, mode: 'id', value: childId },
			workflowInputs: { mappingMode: 'defineBelow', value: {}, matchingColumns: [], schema: [] },
			mode,
			options: { waitForSubWorkflow: true },
		},
	};
	return [before, child, lookBack()];
}

/** The ids of a workflow's executions that wait, once there are as many as are expected; the oldest first. */
export async function waitingRuns(
	rest: N8nRest,
	workflowId: string,
	count: number,
): Promise<readonly string[]> {
	return await until(
		async () => {
			const listed = await rest.listExecutions(workflowId);
			const waiting = listed.filter(({ status }) => status === 'waiting').map(({ id }) => id);
			return waiting.length === count ? waiting.toReversed() : undefined;
		},
		60_000,
		() => `The workflow ${workflowId} has not ${String(count)} waiting executions`,
	);
}
