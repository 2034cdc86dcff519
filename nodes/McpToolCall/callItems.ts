import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type CallingContext, callTool } from '../../src/call/callTool';
import { runItems } from '../../src/call/runItems';
import { failsNode, runError } from '../../src/n8n/agentTool';
import { type Journal, openJournal } from '../../src/n8n/journal';
import { takingTurns } from '../../src/n8n/takingTurns';
import { type Result, succeed } from '../../src/outcome/failure';
import { addConnectionHints } from '../shared/connectionHints';
import type { OpenedConnection } from '../shared/openConnection';
import { openLedger } from '../shared/openLedger';
import { callingContext, type RunOfCalls } from './callingContext';
import { addDriftHints } from './driftHints';
import { finishRun } from './finishRun';
import { holders } from './holders';
import { logCancelled } from './logCancelled';
import { openClaims } from './openClaims';
import { type ItemConnection, openItemConnections } from './openItemConnections';
import { origins } from './origins';
import { type PreparedItem, prepareItem } from './prepareItem';
import { readRunPresets, type RunPresets } from './presetAnswers';
import { readForRun } from './readForRun';
import { readLimit } from './readLimit';
import { readRetrying } from './readRetrying';
import type { Settled } from './settled';
import { settleOutcome } from './settleOutcome';
import { shareAddresses } from './shareAddresses';
import { progressTeller } from './tellProgress';
import { failBeforeCall, failRun, settleWithoutCall } from './withoutCall';

/** An item's call and what it goes over, or what the item is without a call. */
type Prepared = Settled | (PreparedItem & { readonly over: CallingContext });

/**
 * One run of the node: a connection for each distinct credential of its items; every call is read and checked before the
 * first is sent; writes one at a time, in order (C10); then short sleeps, then the wait, which keeps no connection (C9).
 */
export async function callItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const count = context.getInputData().length;
	const journal = openJournal<Settled>(context);
	const whenParked = readWhenParked(context);
	const limit = readForRun(context, () => readLimit(context));
	const settings = readForRun(context, () => readSettings(context));
	// Where answers cannot be kept, nothing is called: a park could not be finished.
	const ledger = await openLedger();
	const signal = context.getExecutionCancelSignal();
	const settleAll = async (): Promise<readonly (Settled | undefined)[]> => {
		if (!limit.ok) return failRun(context, journal, limit.failure);
		if (!settings.ok) return failRun(context, journal, settings.failure);
		if (!ledger.ok) return failRun(context, journal, ledger.failure);
		const { retrying, presets } = settings.value;
		const connections = await openItemConnections(context, count, { retrying, signal, presets });
		const distinct = [...new Set(connections)].flatMap(({ opened }) =>
			opened.ok ? [opened.value] : [],
		);
		try {
			for (const opened of distinct) addConnectionHints(context, opened);
			const claims = openClaims(context, ledger.value);
			return await callAll(context, connections, journal, { ...settings.value, claims, signal });
		} finally {
			await Promise.all(distinct.map(({ session }) => session.close()));
		}
	};
	const settled = await settleAll();
	return await finishRun(context, journal, settled, whenParked, limit.ok ? limit.value : undefined);
}

/** The options that count for all calls of a run. */
interface RunSettings {
	readonly retrying: RunOfCalls['retrying'];
	readonly presets: RunPresets;
	readonly concurrency: number;
}

function readSettings(context: IExecuteFunctions): Result<RunSettings> {
	const retrying = readRetrying(context);
	if (!retrying.ok) return retrying;
	const presets = readRunPresets(context);
	if (!presets.ok) return presets;
	const concurrency = readConcurrency(context);
	return succeed({ retrying: retrying.value, presets: presets.value, concurrency });
}

async function callAll(
	context: IExecuteFunctions,
	connections: readonly ItemConnection[],
	journal: Journal<Settled>,
	run: RunOfCalls & RunSettings,
): Promise<readonly (Settled | undefined)[]> {
	const callings = new Map<OpenedConnection, CallingContext>();
	const callingOver = (opened: OpenedConnection): CallingContext => {
		const calling = callings.get(opened) ?? callingContext(opened, run);
		callings.set(opened, calling);
		return calling;
	};
	const addresses = shareAddresses(context, connections);
	const originOf = origins(context, journal);
	const stopAtFailure = failsNode(context);
	const prepare = (item: number, { opened, record }: ItemConnection): Prepared => {
		const settled = settleWithoutCall(context, journal, item);
		if (settled !== undefined) return settled;
		if (!opened.ok) {
			const { failure, facts } = failBeforeCall(context, item, opened.failure, record);
			if (stopAtFailure) throw runError(context, failure, { item, facts });
			return { kind: 'failed', failure, facts };
		}
		const over = callingOver(opened.value);
		const meta = addresses[item]?.meta;
		const call = prepareItem(context, over, item, { presets: run.presets, originOf, meta });
		if (stopAtFailure && !call.checked.ok) {
			throw call.cause ?? runError(context, call.checked.failure, { item, facts: call.facts });
		}
		return { ...call, over };
	};
	const prepared: Prepared[] = [];
	const giveTurn = takingTurns();
	for (const [item, connection] of connections.entries()) {
		prepared.push(prepare(item, connection));
		await giveTurn();
	}
	addDriftHints(context, prepared);
	const holderOf = holders(context);
	const tellProgress = progressTeller(context);
	return await runItems<Settled>({
		count: prepared.length,
		concurrency: run.concurrency,
		mayOverlap: (item) => {
			const entry = prepared[item];
			return entry !== undefined && !('kind' in entry) && entry.facts.decided.effect !== 'write';
		},
		laneOf: (item) => {
			const entry = prepared[item];
			if (entry === undefined || 'kind' in entry || !entry.checked.ok) return undefined;
			return entry.checked.value.idempotencyKey?.key;
		},
		run: async (item) => {
			const entry = prepared[item];
			if (entry === undefined) throw new Error('no such item');
			if ('kind' in entry) return entry;
			if (!entry.checked.ok) {
				return { kind: 'failed', failure: entry.checked.failure, facts: entry.facts };
			}
			const progress = tellProgress?.(entry.facts.tool, item);
			const over =
				progress === undefined ? entry.over : { ...entry.over, onProgress: progress.hear };
			const outcome = await callTool(over, entry.checked.value, () => holderOf(item));
			progress?.end();
			logCancelled(context, outcome);
			const settled = await settleOutcome(context, outcome, entry.options, {
				now: new Date(),
				parkId: addresses[item]?.parkId,
			});
			const { origin } = entry.checked.value;
			journal.record(
				item,
				settled.kind === 'failed' && origin !== undefined ? { ...settled, origin } : settled,
			);
			return settled;
		},
		stopsRun: (settled) => stopAtFailure && settled.kind === 'failed',
	});
}

function readConcurrency(context: IExecuteFunctions): number {
	const value = context.getNodeParameter('options.concurrency', 0, 8);
	return typeof value === 'number' && Number.isInteger(value)
		? Math.min(64, Math.max(1, value))
		: 8;
}

const readWhenParked = (context: IExecuteFunctions): 'wait' | 'continue' =>
	context.getNodeParameter('whenParked', 0, 'wait') === 'continue' ? 'continue' : 'wait';
