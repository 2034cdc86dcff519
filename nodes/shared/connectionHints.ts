import type { IExecuteFunctions } from 'n8n-workflow';

import { asHtml } from '../../src/n8n/asHtml';
import type { OpenedConnection } from './openConnection';

/** Shows what the policy says about tools that are not there (E8). */
export function addConnectionHints(
	context: IExecuteFunctions,
	{ unoffered, serverName }: OpenedConnection,
): void {
	if (unoffered.length === 0) return;
	context.addExecutionHints({
		message: asHtml(
			`Tool Policies of the connection names tools that ${serverName} does not offer: ${unoffered.join(', ')}`,
		),
		type: 'warning',
		location: 'outputPane',
	});
}
