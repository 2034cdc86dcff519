import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { isAgentTool } from '../../src/n8n/agentTool';
import { byConnection, byOAuth2 } from '../shared/authentication';
import { searchTools } from '../shared/searchTools';
import { tellModel } from '../shared/tellModel';
import { testConnection } from '../shared/testConnection';
import { pickItems } from './pickItems';
import { properties } from './properties';

export class McpToolPicker implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Salvor MCP Tool Picker',
		name: 'mcpToolPicker',
		icon: { light: 'file:mcpToolPicker.svg', dark: 'file:mcpToolPicker.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description: 'List the tools of an MCP server, pick one, or compare them with what they were',
		defaults: { name: 'Pick MCP Tool' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [
			{
				name: 'mcpConnectionApi',
				required: true,
				testedBy: 'testMcpConnection',
				displayOptions: { show: byConnection },
			},
			{
				name: 'mcpConnectionOAuth2Api',
				required: true,
				displayOptions: { show: byOAuth2 },
			},
		],
		properties,
	};

	methods = {
		credentialTest: { testMcpConnection: testConnection },
		listSearch: { searchTools },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return isAgentTool(this) ? await tellModel(this, () => pickItems(this)) : await pickItems(this);
	}
}
