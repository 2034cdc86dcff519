import type { INodeProperties } from 'n8n-workflow';

const http = { show: { transport: ['streamableHttp'] } };
const stdio = { show: { transport: ['stdio'] } };

export const httpProperties: INodeProperties[] = [
	{
		displayName: 'Endpoint',
		name: 'endpoint',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://mcp.example.com/mcp',
		description: 'URL of the MCP server',
		displayOptions: http,
	},
	{
		displayName: 'Bearer Token',
		name: 'bearerToken',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Sent as the Authorization header; enter the token alone, without "Bearer"',
		displayOptions: http,
	},
	{
		displayName: 'Headers',
		name: 'headers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Header' },
		placeholder: 'Add Header',
		default: {},
		description: 'Further headers of every request. Values are taken literally.',
		displayOptions: http,
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
		displayOptions: http,
	},
	{
		displayName: 'Ignore SSL Issues',
		name: 'ignoreSslIssues',
		type: 'boolean',
		default: false,
		description: 'Whether to connect even if the certificate of the server cannot be verified',
		displayOptions: http,
	},
];

export const stdioProperties: INodeProperties[] = [
	{
		displayName:
			'n8n starts the command on its own host, so the operator has to allow it: set SALVOR_STDIO_COMMANDS in the environment of n8n, for example to "npx -y @modelcontextprotocol/server-filesystem"',
		name: 'stdioNotice',
		type: 'notice',
		default: '',
		displayOptions: stdio,
	},
	{
		displayName: 'Command',
		name: 'command',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. npx',
		description: 'The program alone; arguments go into rows of their own. No shell is involved.',
		displayOptions: stdio,
	},
	{
		displayName: 'Arguments',
		name: 'arguments',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Argument' },
		placeholder: 'Add Argument',
		default: {},
		description: 'One row for each argument, taken literally: blanks and quotes are part of it',
		displayOptions: stdio,
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
		displayOptions: stdio,
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
		displayOptions: stdio,
	},
];
