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

const NODES = [
	['Salvor MCP Tool Call', toolCall],
	['Salvor MCP Tool Picker', toolPicker],
	['Salvor Call Ledger', callLedger],
] as const;

it.each(NODES)('the page on nodes names each field of %s, and no other', (node, properties) => {
	const named = tableUnder(page, node).map(([name]) => name?.replaceAll('**', ''));
	expect(named.toSorted()).toEqual(fieldsOf(properties).toSorted());
});

const numbers = NODES.flatMap(([node, properties]) =>
	properties
		.flatMap((property) =>
			property.type === 'collection' ? (property.options ?? []).filter(isField) : [property],
		)
		.flatMap(({ displayName: field, type, typeOptions: bounds, default: unlessTold }) =>
			type === 'number' ? [{ node, field, bounds, unlessTold }] : [],
		),
);
function isField(
	option: INodeProperties | INodePropertyOptions | INodePropertyCollection,
): option is INodeProperties {
	return 'type' in option;
}

it.each(numbers)(
	'the page on nodes states the bounds of $field of $node, and what it is unless told otherwise',
	({ node, field, bounds, unlessTold }) => {
		const [, cell = ''] = tableUnder(page, node).find(([name]) => name === `**${field}**`) ?? [];
		const least = String(bounds?.minValue);
		if (bounds?.maxValue === undefined)
			expect(cell).toMatch(new RegExp(`(from|least) ${least}\\b`));
		else expect(cell).toContain(`from ${least} to ${String(bounds.maxValue)}`);
		if (unlessTold !== 0) expect(cell).toContain(`(${JSON.stringify(unlessTold)})`);
	},
);
