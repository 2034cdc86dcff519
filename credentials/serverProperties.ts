import type { INodeProperties } from 'n8n-workflow';

/** What holds for a connection however it is made. */
export const serverProperties: readonly INodeProperties[] = [
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
		displayName: 'Request Timeout (Seconds)',
		name: 'requestTimeout',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 30,
		description:
			'How long a request may go without a sign of progress before it is given up. Progress that the server reports starts it anew.',
	},
	{
		displayName: 'Maximum Duration (Seconds)',
		name: 'maxDuration',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 3600,
		description: 'How long a request may take whatever progress it reports',
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
];
