import type { ICredentialTestRequest, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { oauthProperties } from './oauthProperties';
import { policyProperties } from './policyProperties';
import { serverProperties } from './serverProperties';
import { requestProperties } from './transportProperties';

export class McpConnectionOAuth2Api implements ICredentialType {
	name = 'mcpConnectionOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Salvor MCP Connection OAuth2 API';

	documentationUrl =
		'https://github.com/n8n-nodes-salvor/n8n-nodes-salvor/blob/main/docs/connection.md';

	icon: Icon = { light: 'file:mcpConnection.svg', dark: 'file:mcpConnection.dark.svg' };

	properties: INodeProperties[] = [
		...oauthProperties,
		...requestProperties,
		...serverProperties,
		...policyProperties,
	];

	/** n8n tests credentials that extend its own OAuth2 one by a request only, never by a node's method. */
	test: ICredentialTestRequest = {
		request: {
			method: 'POST',
			url: '={{ $credentials.serverUrl }}',
			headers: { accept: 'application/json, text/event-stream' },
			body: {
				jsonrpc: '2.0',
				id: 1,
				method: 'initialize',
				params: {
					protocolVersion: '2025-11-25',
					capabilities: {},
					clientInfo: { name: 'n8n-nodes-salvor', version: '0.1.0' },
				},
			},
			json: true,
		},
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message: 'The server refused the access token. Connect the credential again.',
				},
			},
		],
	};
}
