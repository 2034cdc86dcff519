import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { runsInsideAgent } from '../../src/n8n/agentTool';
import { shortenMiddle } from '../../src/n8n/modelText';
import { sayAgain } from '../../src/n8n/sayAgain';

/**
 * One run of an AI Agent's tool. A failure reaches the model as one short sentence: n8n hands it the message of what is
 * thrown. An agent that runs its tools by itself would add the description, and try again what may have happened (P20), so
 * it gets the sentence as an item.
 */
export async function tellModel(
	context: IExecuteFunctions,
	run: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
	try {
		return await run();
	} catch (error) {
		const said = shortenMiddle(error instanceof Error ? error.message : String(error));
		const message = sayAgain(context, said);
		if (runsInsideAgent(context)) return [[{ json: { error: message } }]];
		if (error instanceof Error) error.message = message;
		// eslint-disable-next-line @n8n/community-nodes/require-node-api-error -- an error of ours or of n8n
		throw error;
	}
}
