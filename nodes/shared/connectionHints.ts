import type { IExecuteFunctions } from 'n8n-workflow';

import { asHtml } from '../../src/n8n/asHtml';
import { describeUnofferedRows } from '../../src/policy/unofferedRows';
import type { OpenedConnection } from './openConnection';

/** Shows what the policy says about tools that are not there (E8). */
export function addConnectionHints(
	context: IExecuteFunctions,
	{ unoffered, serverName }: OpenedConnection,
): void {
	for (const sentence of describeUnofferedRows(unoffered, serverName))
		addWarning(context, sentence);
}

/** A warning beside the node's output. */
export function addWarning(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints({ message: asHtml(message), type: 'warning', location: 'outputPane' });
}
