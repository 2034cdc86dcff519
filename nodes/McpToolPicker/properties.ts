import type { INodeProperties } from 'n8n-workflow';

import { authentication } from '../shared/authentication';
import { toolLocator } from '../shared/toolLocator';

export const properties: INodeProperties[] = [
	authentication(),
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Compare',
				value: 'compare',
				action: 'Compare tools with what they were',
				description: 'Put out one report of what was added, removed and changed',
			},
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
	toolLocator({
		operation: 'pick',
		description: 'The tool to pick, often by an expression',
	}),
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
		displayOptions: { hide: { operation: ['compare'] } },
	},
	{
		displayName: 'Include',
		name: 'include',
		type: 'string',
		default: '',
		placeholder: 'e.g. get_*, list_*',
		description: 'Tool names, separated by commas; * stands for any characters. Empty means all.',
		displayOptions: { hide: { operation: ['compare'] } },
	},
	{
		displayName: 'Exclude',
		name: 'exclude',
		type: 'string',
		default: '',
		placeholder: 'e.g. delete_*',
		description: 'Tool names to leave out, separated by commas; * stands for any characters',
		displayOptions: { hide: { operation: ['compare'] } },
	},
	{
		displayName: 'Baseline',
		name: 'baseline',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Given Here',
				value: 'given',
				description: 'A stored fingerprint set, such as what the operation List put out',
			},
			{
				name: 'What the Ledger Remembers',
				value: 'ledger',
				description:
					"The tools that the ledger remembers under the server's name. Where it knows none, the present ones are remembered.",
			},
		],
		default: 'ledger',
		description: 'What to compare the tools with',
		displayOptions: { show: { operation: ['compare'] } },
	},
	{
		displayName: 'Baseline Tools',
		name: 'baselineTools',
		type: 'json',
		typeOptions: { rows: 6 },
		default: '',
		required: true,
		description:
			'The tools as they were: what the operation List put out, as an array of { "tool", "fingerprint", … }, or an object with the fingerprint of each tool under its name',
		displayOptions: { show: { operation: ['compare'], baseline: ['given'] } },
	},
	{
		displayName: 'Remember',
		name: 'remember',
		type: 'boolean',
		default: false,
		description:
			'Whether to accept the present tools: the ledger remembers them, in place of those before, for the next comparison',
		displayOptions: { show: { operation: ['compare'] } },
	},
];
