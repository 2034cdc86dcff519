import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CallFacts } from '../../src/call/callRecord';
import type { PlainObject } from '../../src/json/plainObject';
import { failsNode, isAgentTool, runError } from '../../src/n8n/agentTool';
import { asHtml } from '../../src/n8n/asHtml';
import { operationDescription } from '../../src/n8n/failureText';
import { toFailedItem, toItem } from '../../src/n8n/items';
import { takingTurns } from '../../src/n8n/takingTurns';
import { fail, type Result, succeed } from '../../src/outcome/failure';
import { indexByName, indexByPublicName } from '../../src/policy/describeTool';
import { addConnectionHints } from '../shared/connectionHints';
import type { NodeCredential } from '../shared/nodeCredential';
import { openByCredential } from '../shared/openByCredential';
import { openConnection, type OpenedConnection } from '../shared/openConnection';
import { pooledOpener } from '../shared/pooledOpener';
import { compareTools } from './compareTools';
import { applyLimits, readLimits, readText, refusalOf } from './limits';
import { denied, unlisted, unread } from './refusals';
import { toolItem } from './toolItem';
import { type ToolMemory, toolMemory } from './toolMemory';

/** One listing for all items with the same credential; each input item gives its tools, paired with it. */
export async function pickItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const signal = context.getExecutionCancelSignal();
	// A listing of a moment ago would hide what was changed since, and to look is what the node is for.
	const opener = pooledOpener(context, 'anew');
	const open = async (credential: Result<NodeCredential>): Promise<Result<Opened>> => {
		const opened = credential.ok
			? await openConnection(credential.value, { opener, signal })
			: credential;
		if (!opened.ok) return opened;
		await opened.value.session.close();
		addConnectionHints(context, opened.value);
		return succeed({ ...opened.value, memory: toolMemory(opened.value) });
	};
	const connections = await openByCredential(context, context.getInputData().length, open);
	const items: INodeExecutionData[] = [];
	for (const [item, opened] of connections.entries()) {
		items.push(...(await pickItem(context, opened, item)));
	}
	addFirstTimeHints(context, items);
	return [items];
}

/** A first comparison compares nothing, and remembers although nobody asked for it: once for each server (G4). */
function addFirstTimeHints(context: IExecuteFunctions, items: readonly INodeExecutionData[]): void {
	const first = items.flatMap(({ json: { comparedWith, serverName } }) =>
		comparedWith === 'nothing' && typeof serverName === 'string' ? [serverName] : [],
	);
	for (const serverName of new Set(first)) {
		const message = `The ledger knew no tools of ${serverName} yet, so nothing was compared. The present ones are remembered for the next comparison, also while Remember is off.`;
		context.addExecutionHints({ message: asHtml(message), type: 'info', location: 'outputPane' });
	}
}

/** A connection, and what the ledger knows of its tools. */
type Opened = OpenedConnection & { readonly memory: ToolMemory };

async function pickItem(
	context: IExecuteFunctions,
	opened: Result<Opened>,
	item: number,
): Promise<readonly INodeExecutionData[]> {
	let name = '';
	let picked: Result<readonly PlainObject[]>;
	try {
		name = readName(context, item);
		picked = opened.ok ? await pick(context, opened.value, name, item) : opened;
	} catch (error) {
		// eslint-disable-next-line @n8n/community-nodes/require-node-api-error -- the host's own error says most
		if (failsNode(context)) throw error;
		picked = fail(unread(error instanceof Error ? error.message : String(error)));
	}
	if (picked.ok) return picked.value.map((json) => toItem(json, item));
	const { failure } = picked;
	if (failsNode(context)) {
		throw runError(context, failure, { item, describe: operationDescription });
	}
	return [toFailedItem(failure, factsOf(opened, name), item, operationDescription(failure))];
}

async function pick(
	context: IExecuteFunctions,
	opened: Opened,
	name: string,
	item: number,
): Promise<Result<readonly PlainObject[]>> {
	const operation = readOperation(context, item);
	if (operation === 'compare') {
		const report = await compareTools(context, opened, opened.memory, item);
		return report.ok ? succeed([report.value]) : report;
	}
	const { tools, serverName } = opened;
	const read = readLimits(context, item);
	if (!read.ok) return read;
	const limits = read.value;
	const allowed = applyLimits(tools, limits);
	if (operation === 'list') {
		// What a model may not call, it does not get to see (G1).
		const shown = isAgentTool(context) ? allowed.filter(({ granted }) => granted) : allowed;
		const giveTurn = takingTurns();
		const listed: PlainObject[] = [];
		for (const described of shown) {
			listed.push(toolItem(described, serverName));
			await giveTurn();
		}
		return succeed(listed);
	}
	const described = indexByPublicName(tools).get(name);
	if (described === undefined) {
		return fail(unlisted(name, serverName, indexByName(tools).get(name)?.publicName));
	}
	const problem = refusalOf(described, allowed.includes(described), limits);
	if (problem !== undefined) return fail(denied(problem));
	return succeed([toolItem(described, serverName)]);
}

type Operation = 'list' | 'pick' | 'compare';

function readOperation(context: IExecuteFunctions, item: number): Operation {
	const operation = context.getNodeParameter('operation', item);
	return operation === 'list' || operation === 'compare' ? operation : 'pick';
}

/** The tool that an item wants to pick; none when it lists or compares. */
const readName = (context: IExecuteFunctions, item: number): string =>
	readOperation(context, item) === 'pick'
		? readText(context.getNodeParameter('tool', item, '', { extractValue: true }))
		: '';

/** What is known about the tool that was not picked. */
function factsOf(opened: Result<OpenedConnection>, name: string): CallFacts {
	const tools = opened.ok ? opened.value.tools : [];
	const { effect, source } = tools.find(({ publicName }) => publicName === name) ?? {
		effect: 'write',
		source: 'default',
	};
	return {
		tool: name,
		serverName: opened.ok ? opened.value.serverName : '',
		decided: { effect, source },
		attempts: 0,
		warnings: [],
	};
}
