import type { IExecuteFunctions } from 'n8n-workflow';

import { failsNode } from '../../src/n8n/agentTool';
import { toNodeError } from '../../src/n8n/items';
import { fail, type Result } from '../../src/outcome/failure';
import { unreadParameter } from './prepareItem';

/**
 * Reads what all items of a run share. A refusal ends the run, or is the failure of each item where On Error lets items
 * fail: n8n hands the input of a node that throws to its first output, as if the calls had been made.
 */
export function readForRun<T>(context: IExecuteFunctions, read: () => Result<T>): Result<T> {
	let value: Result<T>;
	try {
		value = read();
	} catch (error) {
		// eslint-disable-next-line @n8n/community-nodes/require-node-api-error -- the host's own error says most
		if (failsNode(context)) throw error;
		return fail(unreadParameter(error));
	}
	if (!value.ok && failsNode(context)) throw toNodeError(context.getNode(), value.failure);
	return value;
}
