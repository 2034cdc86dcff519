import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { compareTools } from '../../../nodes/McpToolPicker/compareTools';
import { toolItem } from '../../../nodes/McpToolPicker/toolItem';
import type { ToolMemory } from '../../../nodes/McpToolPicker/toolMemory';
import type { OpenedConnection } from '../../../nodes/shared/openConnection';
import { succeed } from '../../../src/outcome/failure';
import type { DescribedTool } from '../../../src/policy/describeTool';
import { valueOf } from '../../support/connections';
import { fieldNames, fieldRows, statedRows } from './outputs/fieldNames';
import { tableUnder, textOf } from './tablesOf';

// Required: what is new about a tool has to be named here, and then on the page if it is put out.
const ALL: Required<DescribedTool> = {
	tool: { name: 'pay', inputSchema: {}, problems: [] },
	publicName: 'billing__pay',
	nameProblem: 'it is taken',
	effect: 'write',
	source: 'operator',
	granted: true,
	overclaims: [],
	keyPath: ['payment_id'],
};
const { nameProblem: _problem, keyPath: _path, ...bare } = ALL;
const FEW: DescribedTool = { ...bare, publicName: 'pay' };

it('the page on nodes names each field of a tool that Salvor MCP Tool Picker puts out, and which ones always', () => {
	const items = [ALL, FEW].map((tool) => fieldNames(toolItem(tool, 'billing')));
	expect(statedRows(tableUnder(textOf('docs/nodes.md'), 'Output of Tool Picker'))).toEqual(
		fieldRows(items),
	);
});

const opened = {
	serverName: 'billing',
	tools: [FEW],
	connection: { policy: { tools: [], unlistedTools: 'allow', useServerHints: true } },
} as unknown as OpenedConnection;

/** The fields of a comparison with what this ledger recalls. */
async function compared(recalled: Awaited<ReturnType<ToolMemory['recall']>>) {
	const context = {
		getNodeParameter: (_name: string, _item: number, otherwise: unknown) => otherwise,
		getNode: () => ({ type: 'n8n-nodes-salvor.mcpToolPicker' }),
		isToolExecution: () => false,
	} as unknown as IExecuteFunctions;
	const memory: ToolMemory = {
		recall: () => Promise.resolve(recalled),
		remember: () => Promise.resolve(succeed(undefined)),
	};
	return fieldNames(valueOf(await compareTools(context, opened, memory, 0)));
}

it('the page on the policy names each field of its report on drift', async () => {
	const items = [
		...(await compared(succeed(undefined))),
		...(await compared(succeed({ tools: [], at: new Date(0) }))),
	];
	const named = tableUnder(textOf('docs/policy.md'), 'Drift: when a server changes its tools').map(
		([name]) => name,
	);
	expect(named.toSorted()).toEqual([...new Set(items.map((name) => `\`${name}\``))].toSorted());
});
