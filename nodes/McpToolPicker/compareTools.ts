import type { IExecuteFunctions } from 'n8n-workflow';

import type { PlainObject } from '../../src/json/plainObject';
import { isAgentTool } from '../../src/n8n/agentTool';
import { fail, type Result, succeed } from '../../src/outcome/failure';
import { indexByName } from '../../src/policy/describeTool';
import { type Baseline, findDrift, NO_DRIFT } from '../../src/policy/drift';
import { fingerprintText } from '../../src/policy/fingerprint';
import { isGranted } from '../../src/policy/grant';
import { baselineOf, readBaseline } from '../../src/policy/readBaseline';
import type { OpenedConnection } from '../shared/openConnection';
import { sha256 } from '../shared/sha256';
import { unusableBaseline } from './refusals';
import type { ToolMemory } from './toolMemory';

/** What an item's tools are compared with. */
type Compared =
	| { readonly kind: 'given'; readonly baseline: Baseline }
	| { readonly kind: 'ledger'; readonly baseline: Baseline; readonly at: Date }
	/** The ledger knows no tools of the server yet. */
	| { readonly kind: 'nothing' };

/**
 * The drift report of one item: the server's whole listing against what it was (G4). With Remember the present tools are
 * the ledger's from now on; so they are where it knew none.
 */
export async function compareTools(
	context: IExecuteFunctions,
	opened: OpenedConnection,
	memory: ToolMemory,
	item: number,
): Promise<Result<PlainObject>> {
	const compared = await readCompared(context, memory, item);
	if (!compared.ok) return compared;
	const { value } = compared;
	const remembers =
		value.kind === 'nothing' || context.getNodeParameter('remember', item, false) === true;
	const drift = value.kind === 'nothing' ? NO_DRIFT : driftOf(context, opened, value.baseline);
	const remembering = remembers ? await memory.remember() : undefined;
	if (remembering?.ok === false) return remembering;
	return succeed({
		serverName: opened.serverName,
		comparedWith: value.kind,
		...(value.kind === 'ledger' ? { baselineAt: value.at.toISOString() } : {}),
		...drift,
		remembered: remembers,
	});
}

async function readCompared(
	context: IExecuteFunctions,
	memory: ToolMemory,
	item: number,
): Promise<Result<Compared>> {
	if (context.getNodeParameter('baseline', item, 'ledger') === 'given') {
		const baseline = readGiven(context.getNodeParameter('baselineTools', item, ''));
		return baseline.ok ? succeed({ kind: 'given', baseline: baseline.value }) : baseline;
	}
	const recalled = await memory.recall();
	if (!recalled.ok) return recalled;
	if (recalled.value === undefined) return succeed({ kind: 'nothing' });
	const { tools, at } = recalled.value;
	return succeed({ kind: 'ledger', baseline: baselineOf(tools, sha256), at });
}

function driftOf(
	context: IExecuteFunctions,
	{ tools, connection }: OpenedConnection,
	baseline: Baseline,
): PlainObject {
	// What a model may not call, it does not get to see (G1).
	const shown = (name: string) => !isAgentTool(context) || isGranted(name, connection.policy);
	const present = [...indexByName(tools).values()]
		.filter(({ tool }) => shown(tool.name))
		.map((described) => ({ described, fingerprint: sha256(fingerprintText(described.tool)) }));
	return { ...findDrift(new Map([...baseline].filter(([name]) => shown(name))), present) };
}

function readGiven(value: unknown): Result<Baseline> {
	let given = value;
	if (typeof value === 'string') {
		if (value.trim() === '') return fail(unusableBaseline('is empty'));
		try {
			given = JSON.parse(value);
		} catch {
			return fail(unusableBaseline('is not valid JSON'));
		}
	}
	const reading = readBaseline(given);
	return reading.kind === 'baseline'
		? succeed(reading.baseline)
		: fail(unusableBaseline(reading.problem));
}
