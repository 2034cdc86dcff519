import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { runsInsideAgent } from '../../src/n8n/agentTool';
import { shortenMiddle } from '../../src/n8n/modelText';
import { batchToSettle } from '../../src/n8n/secondRun';
import { callItems } from './callItems';
import { settleAgain } from './settleAgain';

/**
 * One call of an AI Agent's tool (P28). A failure reaches the model as one short sentence: n8n hands it the message of
 * what is thrown. An agent that runs its tools by itself would add the description, and try again what may have happened
 * (P20), so it gets the sentence as an item.
 */
export async function callForAgent(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const waited = batchToSettle(context);
	try {
		if (waited !== undefined) return await settleAgain(context, waited);
		refuseAwait(context);
		return await callItems(context);
	} catch (error) {
		const message = shortenMiddle(error instanceof Error ? error.message : String(error));
		if (runsInsideAgent(context)) return [[{ json: { error: message } }]];
		if (error instanceof Error) error.message = message;
		// eslint-disable-next-line @n8n/community-nodes/require-node-api-error -- an error of ours or of n8n
		throw error;
	}
}

/** Operation Await would wait for a park that a model wrote. */
function refuseAwait(context: IExecuteFunctions): void {
	if (context.getNodeParameter('operation', 0) !== 'await') return;
	throw new NodeOperationError(context.getNode(), 'Operation cannot be Await in an AI Agent', {
		description: 'Choose Call; the agent waits by itself when the tool asks for it.',
	});
}
