import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/**
 * When each of the two credentials is asked for. Undefined stands for parameters without a value, from a workflow that is
 * older than this parameter or as n8n was sent them.
 */
export const byConnection = {
	authentication: ['connection', undefined],
};
export const byOAuth2 = { authentication: ['oAuth2'] };

/** The parameter that chooses the credential. The editor does not show it: there the credential chosen from a list decides it. */
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
