import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isPlainObject } from '../../src/json/plainObject';

export const onParkWorkflow: INodeProperties = {
	displayName: 'On Park Workflow',
	name: 'onParkWorkflow',
	type: 'workflowSelector',
	default: '',
	description:
		'A workflow to run with the waiting items before the wait begins, so that it can tell somebody. It gets the reason and the address for the answer of each item, and starts with the trigger When Executed by Another Workflow. If it fails the items wait all the same.',
};

/** The id of the chosen workflow; empty when the option is there and nothing is chosen, undefined without the option. */
export function readOnParkWorkflow(context: IExecuteFunctions): string | undefined {
	const value: unknown = context.getNodeParameter('options.onParkWorkflow', 0, null);
	if (value === null) return undefined;
	const id = isPlainObject(value) ? value['value'] : value;
	return typeof id === 'string' || typeof id === 'number' ? String(id).trim() : '';
}
