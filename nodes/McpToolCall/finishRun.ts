import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failsNode, isAgentTool, runError, runsInsideAgent } from '../../src/n8n/agentTool';
import { toFailedItem, toItem } from '../../src/n8n/items';
import type { Journal } from '../../src/n8n/journal';
import { park } from '../../src/n8n/parking';
import type { ParkedBatch } from '../../src/park/parkedBatch';
import { wakeItem } from '../../src/park/settleBatch';
import { toolAnswer } from '../../src/park/toolAnswer';
import { waitingItem } from '../../src/park/waitingItem';
import { limitFrom, type WaitLimit } from '../../src/park/waitLimit';
import { beforeWait } from './beforeWait';
import { buildBatch } from './buildBatch';
import { cannotWait } from './cannotWait';
import { registerBatch } from './registerBatch';
import type { ParkedCall, Settled } from './settled';
import { waitShortSleeps } from './waitShortSleeps';

/**
 * Ends a run: fails the node; or puts the items out, parked ones as they are if the author says so; or waits out short
 * sleeps and then parks the execution for whatever still waits (P24). An AI Agent's tool waits if it can.
 */
export async function finishRun(
	context: IExecuteFunctions,
	journal: Journal<Settled>,
	settled: readonly (Settled | undefined)[],
	whenParked: 'wait' | 'continue',
	limit: WaitLimit | undefined,
): Promise<INodeExecutionData[][]> {
	if (failsNode(context)) throwFirstFailure(context, settled);
	const entries = settled.flatMap((entry) => (entry === undefined ? [] : [entry]));
	if (whenParked === 'continue' && !isAgentTool(context)) {
		clearIfDone(journal, entries);
		return [entries.map((entry, item) => putOut(entry, item, waitingItem))];
	}
	await waitShortSleeps(
		context,
		entries.flatMap((entry) => (entry.kind === 'parked' ? [entry.parked.park] : [])),
	);
	const woken = entries.map((entry, item) =>
		putOut(entry, item, (parked) => wakeItem(waitingItem(parked))),
	);
	const waiting = stillWaiting(entries, new Date());
	if (waiting.size === 0) {
		clearIfDone(journal, entries);
		return [isAgentTool(context) ? woken.map(answersAgent) : woken];
	}
	if (runsInsideAgent(context)) {
		return [
			entries.map((entry, item) =>
				putOut(entry, item, (parked) => waitingItem(cannotWait(context, parked))),
			),
		];
	}
	const ends = limit === undefined ? undefined : limitFrom(limit, new Date());
	const batch = await registerBatch(context, buildBatch(context, waiting, woken, ends));
	addSleeperHint(context, batch);
	const shown = await park(context, await beforeWait(context, journal, batch));
	journal.clear();
	return shown;
}

/** n8n waits once per run, and an answer cannot set a new timer (P25). */
function addSleeperHint(context: IExecuteFunctions, { parked }: ParkedBatch): void {
	const sleepers = parked.filter(({ park: { kind } }) => kind === 'sleep').length;
	if (sleepers === 0 || sleepers === parked.length) return;
	context.addExecutionHints({
		message:
			'Some items sleep and others await an answer. All leave with the last answer; a sleeper whose instant has not come by then leaves as "sleeping", and a later node with the operation Await finishes it.',
		type: 'info',
		location: 'outputPane',
	});
}

function throwFirstFailure(
	context: IExecuteFunctions,
	settled: readonly (Settled | undefined)[],
): void {
	for (const [item, entry] of settled.entries()) {
		if (entry?.kind !== 'failed') continue;
		throw entry.cause ?? runError(context, entry.failure, { item, facts: entry.facts });
	}
}

const answersAgent = (item: INodeExecutionData, index: number): INodeExecutionData =>
	toItem(toolAnswer(item.json), index, item.binary);

/** n8n may try a run again while an item has failed. */
function clearIfDone(journal: Journal<Settled>, entries: readonly Settled[]): void {
	if (entries.every(({ kind }) => kind !== 'failed')) journal.clear();
}

function stillWaiting(entries: readonly Settled[], now: Date): ReadonlyMap<number, ParkedCall> {
	const waiting = new Map<number, ParkedCall>();
	for (const [item, entry] of entries.entries()) {
		if (entry.kind !== 'parked') continue;
		const { park } = entry.parked;
		if (park.kind !== 'sleep' || new Date(park.until) > now) waiting.set(item, entry.parked);
	}
	return waiting;
}

function putOut(
	entry: Settled,
	item: number,
	parkedJson: (parked: ParkedCall) => ReturnType<typeof waitingItem>,
): INodeExecutionData {
	switch (entry.kind) {
		case 'completed':
			return toItem(entry.json, item, entry.binary);
		case 'failed':
			return toFailedItem(entry.failure, entry.facts, item);
		case 'parked':
			return toItem(parkedJson(entry.parked), item, entry.parked.binary);
	}
}
