import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { batchToSettle } from '../../src/n8n/secondRun';
import { tellModel } from '../shared/tellModel';
import { callItems } from './callItems';
import { settleAgain } from './settleAgain';

/** One call of an AI Agent's tool (P28). */
export async function callForAgent(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const waited = batchToSettle(context);
	return await tellModel(context, async () => {
		if (waited !== undefined) return await settleAgain(context, waited);
		refuseAwait(context);
		return await callItems(context);
	});
}

/** Operation Await would wait for a park that a model wrote. */
function refuseAwait(context: IExecuteFunctions): void {
	if (context.getNodeParameter('operation', 0) !== 'await') return;
	throw new NodeOperationError(context.getNode(), 'Operation cannot be Await in an AI Agent', {
		description: 'Choose Call; the agent waits by itself when the tool asks for it.',
	});
}
