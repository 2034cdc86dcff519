import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { httpProperties, stdioProperties } from './transportProperties';
import { policyProperties } from './policyProperties';
import { serverProperties } from './serverProperties';

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
		...serverProperties,
		...policyProperties,
	];
}
