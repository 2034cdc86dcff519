import type { IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import type { Failure } from '../outcome/failure';
import { type ErrorPlace, toNodeError } from './items';
import { forModel, isRefusal, isWithheld } from './modelText';

/** True when an AI Agent or another caller of tools runs the node as its tool. */
export const isAgentTool = (context: IExecuteFunctions): boolean =>
	context.getNode().rewireOutputLogTo === 'ai_tool' || runsInsideAgent(context);

/**
 * True when the agent runs the node by itself, as an AI Agent before version 3 and an MCP Server Trigger do. To wait then
 * would suspend the agent in the middle of its run, and the answer would reach nobody.
 */
export const runsInsideAgent = (context: IExecuteFunctions): boolean => context.isToolExecution();

/**
 * True when a failed item ends the node's run. For an AI Agent's tool always: n8n then gives the model the error's
 * sentence and nothing else, and the execution goes on, unless On Error says Stop Workflow.
 */
export const failsNode = (context: IExecuteFunctions): boolean =>
	isAgentTool(context) || !context.continueOnFail();

/** The exception that ends the run at a failed item. What it says to a model is less than what it says to a person (G5). */
export function runError(
	context: IExecuteFunctions,
	failure: Failure,
	at: ErrorPlace,
): NodeOperationError {
	if (!isAgentTool(context)) return toNodeError(context.getNode(), failure, at);
	if (isWithheld(failure)) {
		context.logger.warn(
			`The AI Agent's tool "${context.getNode().name}" refused a call: ${failure.message}`,
		);
	}
	const error = toNodeError(context.getNode(), forModel(failure), isRefusal(failure) ? {} : at);
	error.context['reason'] = failure.message;
	return error;
}
