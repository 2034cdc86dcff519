import type { INodeProperties } from 'n8n-workflow';

/** The parameter that names a tool: from the searchable list, or by name and expression. */
export const toolLocator = (shown: {
	readonly operation: string;
	readonly description: string;
}): INodeProperties => ({
	displayName: 'Tool',
	name: 'tool',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: shown.description,
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
			hint: 'The name as the list shows it, upper and lower case included',
		},
	],
	displayOptions: { show: { operation: [shown.operation] } },
});
