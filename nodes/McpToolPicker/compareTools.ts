import type { IExecuteFunctions } from 'n8n-workflow';

import type { PlainObject } from '../../src/json/plainObject';
import { isAgentTool } from '../../src/n8n/agentTool';
import { fail, type Result, succeed } from '../../src/outcome/failure';
import { indexByName } from '../../src/policy/describeTool';
import { type Baseline, findDrift } from '../../src/policy/drift';
import { fingerprintText } from '../../src/policy/fingerprint';
import { isGranted } from '../../src/policy/grant';
import { readBaseline } from '../../src/policy/readBaseline';
import type { OpenedConnection } from '../shared/openConnection';
import { sha256 } from '../shared/sha256';
import { unusableBaseline } from './refusals';

/** The drift report of one item: the whole listing against what it was (G4). */
export function compareTools(
	context: IExecuteFunctions,
	opened: OpenedConnection,
	item: number,
): Result<PlainObject> {
	const baseline = readGiven(context.getNodeParameter('baselineTools', item, ''));
	if (!baseline.ok) return baseline;
	return succeed({
		serverName: opened.serverName,
		comparedWith: 'given',
		...driftOf(context, opened, baseline.value),
	});
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
