import type { IExecuteFunctions } from 'n8n-workflow';

/** True when an AI Agent runs the node as its tool; `isToolExecution()` does not say so for nodes like ours. */
export const isAgentTool = (context: IExecuteFunctions): boolean =>
	context.getNode().rewireOutputLogTo === 'ai_tool';
