import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { callRecord } from '../../src/call/callRecord';
import { toFailedItem, toItem, toNodeError } from '../../src/n8n/items';
import type { Journal } from '../../src/n8n/journal';
import { park, resumeUrlOf } from '../../src/n8n/parking';
import { sleepInNode } from '../../src/n8n/sleepInNode';
import type { LeavingItem, ParkedBatch } from '../../src/park/parkedBatch';
import { wakeItem } from '../../src/park/settleBatch';
import type { ParkedCall, Settled } from './settled';
import { waitsInNode } from './waiting';

/** Ends a run: fails the node, or waits out short sleeps and then puts the items out or parks the execution. */
export async function finishRun(
	context: IExecuteFunctions,
	journal: Journal<Settled>,
	settled: readonly (Settled | undefined)[],
): Promise<INodeExecutionData[][]> {
	if (!context.continueOnFail()) throwFirstFailure(context, settled);
	await waitShortSleeps(context, settled);
	const items = settled.map((entry, item) => (entry === undefined ? [] : [leave(entry, item)]));
	const now = new Date();
	const parkedAt = settled.findIndex(
		(entry) => entry?.kind === 'parked' && isWaiting(entry.parked, now),
	);
	const entry = settled[parkedAt];
	if (entry?.kind !== 'parked') {
		if (settled.every((each) => each?.kind !== 'failed')) journal.clear();
		return [items.flat()];
	}
	const resumeUrl = resumeUrlOf(context);
	const { parked } = entry;
	const batch: ParkedBatch = {
		version: 1,
		parkedAt: parked.parkedAt,
		parked: {
			item: parkedAt,
			tool: parked.facts.tool,
			serverName: parked.facts.serverName,
			park: parked.park,
			...(parked.schemaWarning === undefined ? {} : { schemaWarning: parked.schemaWarning }),
		},
		items: items
			.flat()
			.map((item, index) =>
				index === parkedAt ? { json: waitingJson(parked, resumeUrl) } : toLeaving(item),
			),
	};
	const shown = await park(context, batch);
	journal.clear();
	return shown;
}

function throwFirstFailure(
	context: IExecuteFunctions,
	settled: readonly (Settled | undefined)[],
): void {
	for (const [item, entry] of settled.entries()) {
		if (entry?.kind !== 'failed') continue;
		throw toNodeError(context.getNode(), entry.failure, { item, facts: entry.facts });
	}
}

/** Returns once every sleeper is either awake or has so long to go that it parks. */
async function waitShortSleeps(
	context: IExecuteFunctions,
	settled: readonly (Settled | undefined)[],
): Promise<void> {
	const sleepers = settled.flatMap((entry) =>
		entry?.kind === 'parked' && entry.parked.park.kind === 'sleep' ? [entry.parked.park] : [],
	);
	for (;;) {
		const now = new Date();
		const next = sleepers.find((park) => waitsInNode(park, now) && new Date(park.until) > now);
		if (next === undefined) return;
		if (await sleepInNode(new Date(next.until), context.getExecutionCancelSignal())) continue;
		throw new NodeOperationError(
			context.getNode(),
			'The execution was cancelled while an item slept',
			{ description: 'The calls of this run were made and are not repeated.' },
		);
	}
}

function leave(entry: Settled, item: number): INodeExecutionData {
	switch (entry.kind) {
		case 'completed':
			return toItem(entry.json, item, entry.binary);
		case 'failed':
			return toFailedItem(entry.failure, entry.facts, item);
		case 'parked':
			return toItem(wakeItem(waitingJson(entry.parked)), item);
	}
}

/** An item as it waits. */
function waitingJson(parked: ParkedCall, resumeUrl?: string): LeavingItem['json'] {
	const outcome = parked.park.kind === 'sleep' ? 'sleeping' : 'suspended';
	const call = callRecord(parked.facts, outcome, {
		parked: {
			park: parked.park,
			parkedAt: parked.parkedAt,
			...(resumeUrl === undefined ? {} : { resumeUrl }),
		},
	});
	return { output: null, call };
}

const toLeaving = ({ json, binary }: INodeExecutionData): LeavingItem => ({
	json,
	...(binary === undefined ? {} : { binary: { ...binary } }),
});

const isWaiting = (parked: ParkedCall, now: Date): boolean =>
	parked.park.kind !== 'sleep' || new Date(parked.park.until) > now;
