import type { IExecuteFunctions } from 'n8n-workflow';

import type { Holder } from '../call/claimStore';
import { isPlainObject, own, type PlainObject } from '../json/plainObject';

/**
 * True when n8n's stored data proves that a node run of another execution is over: the execution ended with an error (a
 * cancel, and the crash that n8n finds at its start after a kill, are such), or the run stands in its data. False proves
 * nothing: n8n gives a node no status, it stores most data at the end only, and has none of what it never saved.
 */
export async function hasEnded(
	context: Pick<IExecuteFunctions, 'getExecutionDataById' | 'getInstanceId'>,
	holder: Holder,
): Promise<boolean> {
	if (holder.instanceId !== context.getInstanceId()) return false;
	let data: unknown;
	try {
		data = await context.getExecutionDataById(holder.executionId);
	} catch {
		return false;
	}
	const result = isPlainObject(data) ? own(data, 'resultData') : undefined;
	if (!isPlainObject(result)) return false;
	if (own(result, 'error') !== undefined) return true;
	const run = runOf(result, holder);
	const status = isPlainObject(run) ? own(run, 'executionStatus') : undefined;
	return status === 'success' || status === 'error';
}

function runOf(result: PlainObject, { nodeName, runIndex }: Holder): unknown {
	const runData = own(result, 'runData');
	const runs = isPlainObject(runData) ? own(runData, nodeName) : undefined;
	return Array.isArray(runs) ? (runs as readonly unknown[])[runIndex] : undefined;
}
