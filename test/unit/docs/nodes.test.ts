import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { properties as callLedger } from '../../../nodes/CallLedger/properties';
import { properties as toolCall } from '../../../nodes/McpToolCall/properties';
import { properties as toolPicker } from '../../../nodes/McpToolPicker/properties';
import { tableUnder, textOf } from './tablesOf';

const page = textOf('docs/nodes.md');

/** The names of a node's fields as the editor shows them; options stand for themselves. */
const fieldsOf = (properties: readonly INodeProperties[]): readonly string[] => [
	...new Set(
		properties
			.filter(({ type }) => type !== 'notice')
			.flatMap(({ displayName, type, options = [] }) =>
				type === 'collection' ? options.map(nameOf) : [displayName],
			),
	),
];
const nameOf = (
	option: INodeProperties | INodePropertyOptions | INodePropertyCollection,
): string => ('displayName' in option ? option.displayName : option.name);

it.each([
	['Salvor MCP Tool Call', toolCall],
	['Salvor MCP Tool Picker', toolPicker],
	['Salvor Call Ledger', callLedger],
] as const)('the page on nodes names each field of %s, and no other', (node, properties) => {
	const named = tableUnder(page, node).map(([name]) => name?.replaceAll('**', ''));
	expect(named.toSorted()).toEqual(fieldsOf(properties).toSorted());
});
