import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { properties } from './properties';
import { runOperations } from './runOperations';

// eslint-disable-next-line @n8n/community-nodes/node-usable-as-tool -- a person decides what is in doubt, no model
export class CallLedger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Salvor Call Ledger',
		name: 'callLedger',
		icon: { light: 'file:callLedger.svg', dark: 'file:callLedger.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description:
			'See which MCP tool calls are in doubt, under way, settled or parked, and decide about them',
		defaults: { name: 'Call Ledger' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this);
	}
}
