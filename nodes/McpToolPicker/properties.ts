import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'List',
				value: 'list',
				action: 'List tools',
				description: 'Put out one item for each tool of the server',
			},
			{
				name: 'Pick',
				value: 'pick',
				action: 'Pick a tool by name',
				description: 'Put out one tool, or fail when the policy does not allow it',
			},
		],
		default: 'list',
	},
	{
		displayName: 'Tool',
		name: 'tool',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'The tool to pick, often by an expression',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a tool…',
				typeOptions: { searchListMethod: 'searchTools', searchable: true },
			},
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. get_invoice',
				hint: 'The name as the server lists it, upper and lower case included',
			},
		],
		displayOptions: { show: { operation: ['pick'] } },
	},
	{
		displayName: 'Maximum Effect',
		name: 'maximumEffect',
		type: 'options',
		options: [
			{
				name: 'Read',
				value: 'read',
				description: 'Only tools whose repeat changes nothing',
			},
			{
				name: 'Idempotent',
				value: 'idempotent',
				description: 'Also tools whose repeat with the same identity changes nothing more',
			},
			{
				name: 'Write',
				value: 'write',
				description: 'All tools',
			},
		],
		default: 'write',
		description:
			'The strongest effect a tool may have. The operator of the connection decides what each tool may do.',
	},
	{
		displayName: 'Include',
		name: 'include',
		type: 'string',
		default: '',
		placeholder: 'e.g. get_*, list_*',
		description: 'Tool names, separated by commas; * stands for any characters. Empty means all.',
	},
	{
		displayName: 'Exclude',
		name: 'exclude',
		type: 'string',
		default: '',
		placeholder: 'e.g. delete_*',
		description: 'Tool names to leave out, separated by commas; * stands for any characters',
	},
];
