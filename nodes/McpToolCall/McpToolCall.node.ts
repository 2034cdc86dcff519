import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { isAgentTool } from '../../src/n8n/agentTool';
import { batchToSettle } from '../../src/n8n/secondRun';
import { byConnection, byOAuth2 } from '../shared/authentication';
import { searchTools } from '../shared/searchTools';
import { testConnection } from '../shared/testConnection';
import { answer } from './answer';
import { awaitItems } from './awaitItems';
import { callForAgent } from './callForAgent';
import { callItems } from './callItems';
import { mapArguments } from './mapArguments';
import { properties } from './properties';
import { refuseOldHost } from './refuseOldHost';
import { settleAgain } from './settleAgain';

export class McpToolCall implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Salvor MCP Tool Call',
		name: 'mcpToolCall',
		icon: { light: 'file:mcpToolCall.svg', dark: 'file:mcpToolCall.dark.svg' },
		group: ['transform'],
		version: 1,
		// $parameter gives a resource locator's value, not the locator.
		subtitle: '={{ $parameter["tool"] || "call" }}',
		description:
			'Call a tool of an MCP server, and wait when the tool asks for a person, a signal or a date',
		defaults: { name: 'Call MCP Tool' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [
			{
				name: 'mcpConnectionApi',
				required: true,
				testedBy: 'testMcpConnection',
				// Not by the operation that shows it: n8n asks with the parameters as they were sent, which may lack it.
				displayOptions: { show: byConnection, hide: { operation: ['await'] } },
			},
			{
				name: 'mcpConnectionOAuth2Api',
				required: true,
				displayOptions: { show: byOAuth2, hide: { operation: ['await'] } },
			},
		],
		// The editor shows this in place of the output while the node waits.
		waitingNodeTooltip:
			'={{ `The tool asked the execution to wait. <a href="${$execution.resumeUrl}" target="_blank">Open its page</a> to see for what, and to answer if it asks for an answer.` }}',
		// Both methods of the address that ends the wait. With an empty responseData n8n sends what webhook() answers.
		webhooks: [
			{
				name: 'default',
				httpMethod: 'GET',
				responseMode: 'onReceived',
				responseData: '',
				path: '',
				isFullPath: true,
				restartWebhook: true,
			},
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: '',
				isFullPath: true,
				restartWebhook: true,
			},
		],
		properties,
	};

	methods = {
		credentialTest: { testMcpConnection: testConnection },
		listSearch: { searchTools },
		resourceMapping: { mapArguments },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const refused = refuseOldHost(this);
		if (refused !== undefined) return refused;
		if (isAgentTool(this)) return await callForAgent(this);
		const waited = batchToSettle(this);
		if (waited !== undefined) return await settleAgain(this, waited);
		return this.getNodeParameter('operation', 0) === 'await'
			? await awaitItems(this)
			: await callItems(this);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await answer(this);
	}
}
