import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isAgentTool } from '../../src/n8n/agentTool';
import { toFailedItem, toItem, toNodeError } from '../../src/n8n/items';
import { fail, type Failure, type Result, succeed } from '../../src/outcome/failure';
import type { DescribedTool } from '../../src/policy/describeTool';
import { type Effect, isWithin } from '../../src/policy/effect';
import { filterByName, readNames } from '../../src/policy/nameFilter';
import { addConnectionHints } from '../shared/connectionHints';
import { openConnection, type OpenedConnection } from '../shared/openConnection';
import { toolItem } from './toolItem';

/** One listing for all items of the run; each input item gives its tools, paired with it. */
export async function pickItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const credential = await context.getCredentials('mcpConnectionApi');
	const opened = await openConnection(credential, context.getExecutionCancelSignal());
	if (opened.ok) {
		addConnectionHints(context, opened.value);
		await opened.value.session.close();
	}
	const items = context.getInputData().flatMap((_, item) => {
		const picked = opened.ok ? pick(context, opened.value, item) : opened;
		if (picked.ok) return picked.value.map((json) => toItem(json, item));
		if (!context.continueOnFail()) {
			throw toNodeError(context.getNode(), picked.failure, { item });
		}
		return [failedItem(picked.failure, item)];
	});
	return [items];
}

function pick(
	context: IExecuteFunctions,
	{ tools, serverName }: OpenedConnection,
	item: number,
): Result<readonly ReturnType<typeof toolItem>[]> {
	const limits = readLimits(context, item);
	const allowed = applyLimits(tools, limits);
	if (context.getNodeParameter('operation', item) === 'list') {
		// What a model may not call, it does not get to see (G1).
		const shown = isAgentTool(context) ? allowed.filter(({ granted }) => granted) : allowed;
		return succeed(shown.map((described) => toolItem(described, serverName)));
	}
	const name = readText(context.getNodeParameter('tool', item, '', { extractValue: true }));
	const described = tools.find(({ tool }) => tool.name === name);
	if (described === undefined) return fail(unlisted(name, serverName));
	const problem = refusalOf(described, allowed.includes(described), limits);
	if (problem !== undefined) return fail(denied(problem));
	return succeed([toolItem(described, serverName)]);
}

const readText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

interface Limits {
	readonly maximumEffect: Effect;
	readonly include: readonly string[];
	readonly exclude: readonly string[];
}

function readLimits(context: IExecuteFunctions, item: number): Limits {
	const maximumEffect = context.getNodeParameter('maximumEffect', item, 'write');
	return {
		maximumEffect:
			maximumEffect === 'read' || maximumEffect === 'idempotent' ? maximumEffect : 'write',
		include: readNames(readText(context.getNodeParameter('include', item, ''))),
		exclude: readNames(readText(context.getNodeParameter('exclude', item, ''))),
	};
}

const applyLimits = (tools: readonly DescribedTool[], limits: Limits): readonly DescribedTool[] =>
	filterByName(tools, ({ tool }) => tool.name, limits).filter(({ effect }) =>
		isWithin(effect, limits.maximumEffect),
	);

/** Why a listed tool may not be picked, if it may not. */
function refusalOf(
	{ tool, effect, source, granted }: DescribedTool,
	withinLimits: boolean,
	limits: Limits,
): string | undefined {
	if (!granted) return `the connection's policy does not allow \`${tool.name}\``;
	if (!isWithin(effect, limits.maximumEffect)) {
		return `\`${tool.name}\` is ${effect} (${source}), which is more than Maximum Effect ${limits.maximumEffect}`;
	}
	return withinLimits ? undefined : `\`${tool.name}\` is left out by Include or Exclude`;
}

const denied = (problem: string): Failure => ({
	code: 'policy-denied',
	disposition: 'did-not-happen',
	message: `The tool cannot be picked: ${problem}`,
	remedy: 'Pick another tool, or change the limits of this node or the policy of the connection.',
});

const unlisted = (name: string, serverName: string): Failure => ({
	code: 'tool-unknown',
	disposition: 'did-not-happen',
	message:
		name === '' ? 'Tool is empty' : `The server "${serverName}" does not list a tool \`${name}\``,
	remedy: 'Pick a tool from the list; names match exactly, upper and lower case included.',
});

const failedItem = (failure: Failure, item: number): INodeExecutionData =>
	toFailedItem(
		failure,
		{
			tool: '',
			serverName: '',
			decided: { effect: 'write', source: 'default' },
			attempts: 0,
			warnings: [],
		},
		item,
	);
