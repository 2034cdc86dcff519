import type { INodeProperties } from 'n8n-workflow';

import { endpoint } from './transportProperties';

const byHand = { show: { useDynamicClientRegistration: [false] } };

/** Fields of n8n's own OAuth2 credential as MCP wants them; those that are not here stay as n8n has them. */
export const oauthProperties: readonly INodeProperties[] = [
	{
		displayName: 'Use Dynamic Client Registration',
		name: 'useDynamicClientRegistration',
		type: 'boolean',
		default: true,
		description:
			'Whether n8n finds the authorization server of the endpoint and registers itself there. Without it you enter addresses and client yourself.',
	},
	{
		displayName: 'Grant Type',
		name: 'grantType',
		type: 'options',
		options: [
			{
				name: 'Authorization Code with PKCE',
				value: 'pkce',
				description: 'A person signs in and agrees, as MCP asks for it',
			},
			{
				name: 'Authorization Code',
				value: 'authorizationCode',
				description: 'The same for an authorization server without PKCE',
			},
			{
				name: 'Client Credentials',
				value: 'clientCredentials',
				description: 'n8n signs in as itself',
			},
		],
		default: 'pkce',
		displayOptions: byHand,
	},
	// n8n looks for the authorization server at the field of this name.
	{ ...endpoint, name: 'serverUrl' },
	{
		displayName: 'Client Secret',
		name: 'clientSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Empty for a public client, which has none',
		displayOptions: byHand,
	},
	// The name that n8n's token requests go by.
	{
		displayName: 'Ignore SSL Issues',
		name: 'ignoreSSLIssues',
		type: 'hidden',
		default: '={{ $self["ignoreSslIssues"] }}',
	},
	{
		displayName: 'Resource URL',
		name: 'resourceUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://mcp.example.com/mcp',
		description:
			'The resource to ask the token for. Empty means the one that the server announces.',
	},
];
