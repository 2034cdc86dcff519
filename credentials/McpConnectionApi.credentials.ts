import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { httpProperties, stdioProperties } from './transportProperties';
import { policyProperties } from './policyProperties';

export class McpConnectionApi implements ICredentialType {
	name = 'mcpConnectionApi';

	displayName = 'Salvor MCP Connection';

	documentationUrl =
		'https://github.com/n8n-nodes-salvor/n8n-nodes-salvor/blob/main/docs/connection.md';

	icon: Icon = { light: 'file:mcpConnection.svg', dark: 'file:mcpConnection.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Transport',
			name: 'transport',
			type: 'options',
			options: [
				{
					name: 'Streamable HTTP',
					value: 'streamableHttp',
					description: 'The server has a URL',
				},
				{
					name: 'Command (Stdio)',
					value: 'stdio',
					description: 'The server is a program that n8n starts on its own host',
				},
			],
			default: 'streamableHttp',
			description: 'How n8n reaches the MCP server',
		},
		...httpProperties,
		...stdioProperties,
		{
			displayName: 'Server Name',
			name: 'serverName',
			type: 'string',
			default: '',
			placeholder: 'e.g. billing',
			description:
				"Your own name for this server, used in results and reports. Empty means the server's own name.",
		},
		{
			displayName: 'Namespace',
			name: 'namespace',
			type: 'string',
			default: '',
			placeholder: 'e.g. billing',
			description:
				'Stands before the names of the tools, with two underscores between, so that two servers can have a tool of the same name: billing__get_invoice. Tool Policies and the server keep its own name.',
		},
		{
			displayName: 'Request Timeout',
			name: 'requestTimeout',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 30,
			description:
				'Seconds without a sign of progress after which a request is given up. Progress that the server reports starts them anew.',
		},
		{
			displayName: 'Maximum Duration',
			name: 'maxDuration',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 3600,
			description: 'Seconds after which a request is given up whatever progress it reports',
		},
		{
			displayName: 'Session',
			name: 'session',
			type: 'options',
			options: [
				{
					name: 'Shared',
					value: 'shared',
					description: 'One connection serves all executions with the same settings',
				},
				{
					name: 'Per Execution',
					value: 'perExecution',
					description: 'Each execution gets a connection of its own, for servers that keep state',
				},
			],
			default: 'shared',
			description: 'Who shares a connection',
		},
		...policyProperties,
	];
}
