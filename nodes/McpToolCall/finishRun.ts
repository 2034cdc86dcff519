import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failsNode, isAgentTool, runError, runsInsideAgent } from '../../src/n8n/agentTool';
import { endStream } from '../../src/n8n/endStream';
import { toFailedItem, toItem } from '../../src/n8n/items';
import type { Journal } from '../../src/n8n/journal';
import { park } from '../../src/n8n/parking';
import { type ParkedBatch, wakesAt } from '../../src/park/parkedBatch';
import { wakeItem } from '../../src/park/settleBatch';
import { toolAnswer } from '../../src/park/toolAnswer';
import { waitingItem } from '../../src/park/waitingItem';
import { limitFrom, type WaitLimit } from '../../src/park/waitLimit';
import { endOwnConnections } from '../shared/pooledOpener';
import { beforeWait } from './beforeWait';
import { buildBatch } from './buildBatch';
import { cannotWait } from './cannotWait';
import { registerBatch } from './registerBatch';
import type { ParkedCall, Settled } from './settled';
import { waitShortSleeps } from './waitShortSleeps';
import { warnOfTimeout } from './warnOfTimeout';

/**
 * Ends a run: fails the node; or puts the items out, those that parked in it as they are if the author says so; or waits
 * out short sleeps and then parks the execution for whatever still waits (P24). What came in parked is awaited in any case
 * (P27): a loop would only hand it round. An AI Agent's tool waits if it can. A wait keeps no connection (C9).
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
	const isAwaited = ({ carried }: ParkedCall) =>
		whenParked === 'wait' || carried === true || isAgentTool(context);
	const awaited = new Map(
		entries.flatMap((entry, item) =>
			entry.kind === 'parked' && isAwaited(entry.parked) ? [[item, entry.parked] as const] : [],
		),
	);
	await waitShortSleeps(
		context,
		[...awaited.values()].map(({ park: waitedFor }) => waitedFor),
	);
	const woken = entries.map((entry, item) =>
		putOut(entry, item, (parked) =>
			awaited.has(item) ? wakeItem(waitingItem(parked)) : waitingItem(parked),
		),
	);
	const waiting = stillWaiting(awaited, new Date());
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
	endOwnConnections(context);
	const ends = limit === undefined ? undefined : limitFrom(limit, new Date());
	const batch = await registerBatch(context, buildBatch(context, waiting, woken, ends));
	addSleeperHint(context, batch);
	warnOfTimeout(context, batch);
	await endStream(context, wakesAt(batch));
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

const stillWaiting = (
	awaited: ReadonlyMap<number, ParkedCall>,
	now: Date,
): ReadonlyMap<number, ParkedCall> =>
	new Map(
		[...awaited].filter(
			([, { park: waitedFor }]) => waitedFor.kind !== 'sleep' || new Date(waitedFor.until) > now,
		),
	);

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
