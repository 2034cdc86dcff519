import { asArray, asJson } from '../../scripts/host/json';
import type { Json } from '../../scripts/host/json';
import type { Execution } from '../../scripts/host/executionData';
import type { CredentialReference, WorkflowSpec } from '../../scripts/host/n8nRest';
import type { WaitingBatch } from '../../src/ledger/ledger';
import { openLedger } from '../../src/ledger/openLedger';
import { callOf, shownUrl } from './parkRuns';
import type { RelayCall } from './parkRuns';
import { items, manualTrigger, setFields, toolCall, toolCallType, workflow } from './workflow';
import type { NodeSpec, Wire } from './workflow';

export interface CallEachSpec {
	readonly name?: string;
	/** `relay`, a write, unless told otherwise. */
	readonly tool?: string;
	readonly whenParked?: 'wait' | 'continue';
	readonly options?: Json;
	readonly settings?: Json;
}

/** Our node calling with the arguments that the item of `Before` holds, wherever the node stands. */
export function callEach(credential: CredentialReference, spec: CallEachSpec = {}): NodeSpec {
	const { name = 'Call', tool = 'relay', whenParked = 'wait', options = {}, settings = {} } = spec;
	const parameters = {
		operation: 'call',
		tool: { __rl: true, mode: 'name', value: tool },
		argumentsMode: 'json',
		argumentsJson: "={{ JSON.stringify($('Before').item.json.call) }}",
		whenParked,
		options,
	};
	return toolCall(credential, parameters, settings, name);
}

/** Our node waiting for the items that come in with an open park. */
export const awaitParks = (name = 'Await'): NodeSpec => ({
	name,
	type: toolCallType,
	parameters: { operation: 'await' },
});

/** Sends items that still sleep to its first output, all others to its second. */
export const ifAsleep = (name = 'Asleep'): NodeSpec => ifOutcome('sleeping', name);

/** Sends items with this outcome to its first output, all others to its second. */
export const ifOutcome = (outcome: string, name: string): NodeSpec => ({
	name,
	type: 'n8n-nodes-base.if',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
			combinator: 'and',
			conditions: [
				{
					id: 'outcome',
					leftValue: '={{ $json.call.outcome }}',
					rightValue: outcome,
					operator: { type: 'string', operation: 'equals' },
				},
			],
		},
		options: {},
	},
});

/** One item for each call, `x` counting them, through the given nodes. */
export function manyItems(
	calls: readonly RelayCall[],
	nodes: readonly NodeSpec[],
	wires?: readonly Wire[],
	trigger = manualTrigger(),
): WorkflowSpec {
	const before = items(
		calls.map((call, x) => ({ x: `x${String(x)}`, call })),
		'Before',
	);
	return workflow([trigger, before, ...nodes], wires);
}

/** Looks back to `Before` from where it stands, and keeps what came out. */
export const lookBack = (name = 'After'): NodeSpec =>
	setFields(
		{ x: "{{ $('Before').item.json.x }}", output: '{{ JSON.stringify($json.output) }}' },
		name,
	);

/** What `lookBack` gives when every item came with these outputs, in order and paired. */
export const lookedBack = (outputs: readonly unknown[]): readonly Json[] =>
	outputs.map((output, x) => ({ x: `x${String(x)}`, output: JSON.stringify(output) }));

export const outcomesOf = (execution: Execution, node = 'Call'): readonly unknown[] =>
	(execution.runData[node]?.at(-1)?.outputs[0] ?? []).map(
		(_, item) => callOf(execution, node, item).outcome,
	);

/** The address of the whole run, without an item. */
export function runUrl(execution: Execution, node = 'Call', item = 0): string {
	const url = new URL(shownUrl(execution, node, item));
	url.searchParams.delete('item');
	return url.href;
}

/** The waiting items as the address tells them in JSON (R9). */
export async function listItems(url: string): Promise<readonly Json[]> {
	const response = await fetch(url, { headers: { accept: 'application/json' } });
	const listing = asJson(await response.json(), 'The listing');
	return asArray(listing.items, 'Its items').map((entry) => asJson(entry, 'An item'));
}

/** What the ledger knows of a parked run that has answers to come; undefined when it has none. */
export async function waitingInLedger(
	file: string,
	executionId: string,
): Promise<WaitingBatch | undefined> {
	const opened = await openLedger({ place: { kind: 'sqlite', file } });
	if (!opened.ok) throw new Error(opened.failure.message);
	try {
		const waiting = await opened.value.listWaiting({ limit: 10_000 });
		if (!waiting.ok) throw new Error(waiting.failure.message);
		return waiting.value.find((batch) => batch.executionId === executionId);
	} finally {
		await opened.value.close();
	}
}

/** Records an answer as a process does that dies before the execution goes on. Gives how many are missing still. */
export async function recordOnly(
	file: string,
	executionId: string,
	item: number,
	answer: unknown,
): Promise<number> {
	const opened = await openLedger({ place: { kind: 'sqlite', file } });
	if (!opened.ok) throw new Error(opened.failure.message);
	const ledger = opened.value;
	try {
		const waiting = await ledger.listWaiting({ limit: 10_000 });
		if (!waiting.ok) throw new Error(waiting.failure.message);
		const batchId = waiting.value.find((batch) => batch.executionId === executionId)?.batchId;
		if (batchId === undefined) throw new Error(`The ledger has no run of ${executionId}.`);
		const recorded = await ledger.recordAnswer({ batchId, item, answer, answeredAt: new Date() });
		if (!recorded.ok) throw new Error(recorded.failure.message);
		if (recorded.value.kind !== 'recorded') throw new Error(recorded.value.kind);
		return recorded.value.remaining;
	} finally {
		await ledger.close();
	}
}
