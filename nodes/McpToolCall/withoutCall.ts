import type { IExecuteFunctions } from 'n8n-workflow';

import type { AttemptRecord } from '../../src/call/attempts';
import type { CallFacts } from '../../src/call/callRecord';
import { isAgentTool } from '../../src/n8n/agentTool';
import type { Journal } from '../../src/n8n/journal';
import type { Failure } from '../../src/outcome/failure';
import { carriedPark } from './carriedPark';
import { readToolName } from './prepareItem';
import { reuse, type Settled } from './settled';

/**
 * What an item is without a call: an earlier try's outcome, or the open park that it carries (P20, P27).
 * An agent's item holds what its model wrote, so a park in it is nobody's.
 */
export function settleWithoutCall(
	context: IExecuteFunctions,
	journal: Journal<Settled>,
	item: number,
): Settled | undefined {
	const earlier = reuse(journal.read(item));
	if (earlier !== undefined || isAgentTool(context)) return earlier;
	return carriedPark(context.getInputData()[item]);
}

/** An item whose call is not made, before its connection said anything of the tool. */
export function failBeforeCall(
	context: IExecuteFunctions,
	item: number,
	failure: Failure,
	record: AttemptRecord = { attempts: 0 },
): Extract<Settled, { readonly kind: 'failed' }> {
	let tool = '';
	try {
		tool = readToolName(context, item);
	} catch {
		// The failure at hand is what the item reports.
	}
	return { kind: 'failed', failure, facts: { ...unsentFacts(tool), ...record } };
}

/** Facts about a call that never got as far as a connection. */
const unsentFacts = (tool: string): CallFacts => ({
	tool,
	serverName: '',
	decided: { effect: 'write', source: 'default' },
	attempts: 0,
	warnings: [],
});

/** What the items of a run are that is refused as a whole. */
export const failRun = (
	context: IExecuteFunctions,
	journal: Journal<Settled>,
	failure: Failure,
): readonly Settled[] =>
	context
		.getInputData()
		.map(
			(_, item) =>
				settleWithoutCall(context, journal, item) ?? failBeforeCall(context, item, failure),
		);
