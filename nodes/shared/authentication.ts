import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** The parameter that chooses the credential. Workflows from before it was there have none, and the first is meant. */
export const authentication = (displayOptions?: IDisplayOptions): INodeProperties => ({
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Connection',
			value: 'connection',
			description: 'A bearer token, headers, nothing at all, or a command that n8n starts',
		},
		{
			name: 'OAuth2',
			value: 'oAuth2',
			description: 'An authorization server gives the access token',
		},
	],
	default: 'connection',
	description: 'How n8n is let in by the MCP server',
	...(displayOptions === undefined ? {} : { displayOptions }),
});
