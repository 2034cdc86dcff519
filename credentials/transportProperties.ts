import type { INodeProperties } from 'n8n-workflow';

export const endpoint: INodeProperties = {
	displayName: 'Endpoint',
	name: 'endpoint',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://mcp.example.com/mcp',
	description: 'URL of the MCP server',
};

const bearerToken: INodeProperties = {
	displayName: 'Bearer Token',
	name: 'bearerToken',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description: 'Sent as the Authorization header; enter the token alone, without "Bearer"',
};

/** What every request over HTTP has beside its authorization. */
export const requestProperties: readonly INodeProperties[] = [
	{
		displayName: 'Headers',
		name: 'headers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Header' },
		placeholder: 'Add Header',
		default: {},
		description: 'Further headers of every request. Values are taken literally.',
		options: [
			{
				displayName: 'Header',
				name: 'header',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. X-API-Key',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						typeOptions: { password: true },
						default: '',
					},
				],
			},
		],
	},
	{
		displayName: 'CA Certificate',
		name: 'caCertificate',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: '-----BEGIN CERTIFICATE-----',
		description: 'Certificate authority to trust in addition, as PEM text',
	},
	{
		displayName: 'Ignore SSL Issues',
		name: 'ignoreSslIssues',
		type: 'boolean',
		default: false,
		description: 'Whether to connect even if the certificate of the server cannot be verified',
	},
];

const programProperties: readonly INodeProperties[] = [
	{
		displayName:
			'n8n starts the command on its own host, so the operator has to allow it: set SALVOR_STDIO_COMMANDS in the environment of n8n, for example to npx -y @modelcontextprotocol/server-filesystem',
		name: 'stdioNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Command',
		name: 'command',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. npx',
		description: 'The program alone; arguments go into rows of their own. No shell is involved.',
	},
	{
		displayName: 'Arguments',
		name: 'arguments',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Argument' },
		placeholder: 'Add Argument',
		default: {},
		description: 'One row for each argument, taken literally: blanks and quotes are part of it',
		options: [
			{
				displayName: 'Argument',
				name: 'argument',
				values: [
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. -y',
					},
				],
			},
		],
	},
	{
		displayName: 'Environment',
		name: 'environment',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
		placeholder: 'Add Variable',
		default: {},
		description:
			'One row for each variable of the program. It also gets PATH, home, locale, proxy, certificate and similar variables of n8n, but none of its settings.',
		options: [
			{
				displayName: 'Variable',
				name: 'variable',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. API_KEY',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						typeOptions: { password: true },
						default: '',
					},
				],
			},
		],
	},
	{
		displayName: 'Working Directory',
		name: 'workingDirectory',
		type: 'string',
		default: '',
		placeholder: 'e.g. /data/files',
		description: 'Where the program runs. Empty means the directory of n8n.',
	},
];

const shownFor =
	(transport: string) =>
	(property: INodeProperties): INodeProperties => ({
		...property,
		displayOptions: { show: { transport: [transport] } },
	});

export const httpProperties: readonly INodeProperties[] = [
	endpoint,
	bearerToken,
	...requestProperties,
].map(shownFor('streamableHttp'));

export const stdioProperties: readonly INodeProperties[] = programProperties.map(shownFor('stdio'));
