import type { IExecuteFunctions } from 'n8n-workflow';

import type { Holder } from '../../src/call/claimStore';
import { runIndexOf } from '../../src/n8n/runIndex';

/** Who calls for each item of this run, as claims name it (K4). n8n is asked once, and only where a call has a key. */
export function holders(context: IExecuteFunctions): (item: number) => Holder {
	let run: Omit<Holder, 'item'> | undefined;
	return (item) => {
		run ??= {
			instanceId: context.getInstanceId(),
			workflowId: context.getWorkflow().id ?? '',
			executionId: context.getExecutionId(),
			nodeName: context.getNode().name,
			runIndex: runIndexOf(context),
		};
		return { ...run, item };
	};
}
