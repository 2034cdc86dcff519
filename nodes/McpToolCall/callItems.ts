import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { AttemptRecord, Retrying } from '../../src/call/attempts';
import { callTool } from '../../src/call/callTool';
import type { Claims } from '../../src/call/claims';
import { resumeUrlMeta } from '../../src/call/provenance';
import { runItems } from '../../src/call/runItems';
import { failsNode, isAgentTool, runError, runsInsideAgent } from '../../src/n8n/agentTool';
import { type Journal, openJournal } from '../../src/n8n/journal';
import { addressOf, resumeUrlOf } from '../../src/n8n/resumeUrl';
import { takingTurns } from '../../src/n8n/takingTurns';
import type { Failure } from '../../src/outcome/failure';
import { compileSchema } from '../../src/schema/checkSchema';
import { indexByPublicName } from '../../src/policy/describeTool';
import { addConnectionHints } from '../shared/connectionHints';
import type { OpenedConnection } from '../shared/openConnection';
import { openLedger } from '../shared/openLedger';
import { openNodeConnection } from '../shared/openNodeConnection';
import { sha256 } from '../shared/sha256';
import { carriedPark } from './carriedPark';
import { addDriftHints } from './driftHints';
import { finishRun } from './finishRun';
import { holders } from './holders';
import { openClaims } from './openClaims';
import { openInAttempts } from './openInAttempts';
import { origins } from './origins';
import { type PreparedItem, prepareItem, readToolName, unsentFacts } from './prepareItem';
import { readRunPresets, type RunPresets } from './presetAnswers';
import { readLimit } from './readLimit';
import { readRetrying } from './readRetrying';
import { reuse, type Settled } from './settled';
import { settleOutcome } from './settleOutcome';

/**
 * One run of the node: one connection for all items; every call is read and checked before the first is sent;
 * writes one at a time, in order (C10); then short sleeps, then the wait.
 */
export async function callItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const count = context.getInputData().length;
	const journal = openJournal<Settled>(context);
	const whenParked = readWhenParked(context);
	const limit = readLimit(context);
	const retrying = readRetrying(context);
	const presets = readRunPresets(context);
	// Where answers cannot be kept, nothing is called: a park could not be finished.
	const ledger = await openLedger();
	const signal = context.getExecutionCancelSignal();
	const opening = openInAttempts(retrying, signal);
	const failAll = (failure: Failure): readonly Settled[] =>
		Array.from(
			{ length: count },
			(_, item) =>
				settleWithoutCall(context, journal, item) ??
				failBeforeCall(context, item, failure, opening.record()),
		);
	const settleAll = async (): Promise<readonly (Settled | undefined)[]> => {
		if (!ledger.ok) return failAll(ledger.failure);
		const opened = await openNodeConnection(context, signal, opening.persist, presets.answers);
		if (!opened.ok) return failAll(opened.failure);
		try {
			addConnectionHints(context, opened.value);
			return await callAll(context, opened.value, {
				journal,
				count,
				retrying,
				presets,
				claims: openClaims(context, ledger.value),
				signal,
			});
		} finally {
			await opened.value.session.close();
		}
	};
	return await finishRun(context, journal, await settleAll(), whenParked, limit);
}

async function callAll(
	context: IExecuteFunctions,
	opened: OpenedConnection,
	{
		journal,
		count,
		claims,
		presets,
		signal,
		...run
	}: {
		readonly journal: Journal<Settled>;
		readonly count: number;
		readonly retrying: Omit<Retrying, 'maxDurationMs'>;
		readonly claims: Claims;
		readonly presets: RunPresets;
		readonly signal: AbortSignal | undefined;
	},
): Promise<readonly (Settled | undefined)[]> {
	const { session, serverName, connection } = opened;
	const { maxDurationMs } = connection.settings;
	const call = {
		session,
		claims,
		retrying: { ...run.retrying, maxDurationMs },
		serverName,
		tools: indexByPublicName(opened.tools),
		unoffered: opened.unoffered,
		sha256,
		sign: connection.sign,
		checkArguments: (schema: unknown, value: unknown) => {
			const compiled = compileSchema(schema);
			return compiled.kind === 'compiled' ? compiled.check(value) : [];
		},
		...(signal === undefined ? {} : { signal }),
	};
	const url =
		connection.shareResumeUrl && !runsInsideAgent(context) ? resumeUrlOf(context) : undefined;
	const parkIds = url === undefined ? [] : Array.from({ length: count }, () => randomUUID());
	const metaOf = (item: number) => {
		const parkId = parkIds[item];
		if (url === undefined || parkId === undefined) return undefined;
		const shared = addressOf(url, { item, several: count > 1, parkId });
		return resumeUrlMeta(shared);
	};
	const originOf = origins(context, journal);
	const stopAtFailure = failsNode(context);
	const prepared: (PreparedItem | Settled)[] = [];
	const giveTurn = takingTurns();
	for (let item = 0; item < count; item += 1) {
		const earlier =
			settleWithoutCall(context, journal, item) ??
			prepareItem(context, call, item, { presets, originOf, meta: metaOf(item) });
		if (!('kind' in earlier) && !earlier.checked.ok && stopAtFailure) {
			throw (
				earlier.cause ?? runError(context, earlier.checked.failure, { item, facts: earlier.facts })
			);
		}
		prepared.push(earlier);
		await giveTurn();
	}
	addDriftHints(context, prepared);
	const holderOf = holders(context);
	return await runItems<Settled>({
		count,
		concurrency: readConcurrency(context),
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
			const outcome = await callTool(call, entry.checked.value, () => holderOf(item));
			const settled = await settleOutcome(context, outcome, entry.options, {
				now: new Date(),
				parkId: parkIds[item],
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

/**
 * What an item is without a call: an earlier try's outcome, or the open park that it carries (P20, P27).
 * An agent's item holds what its model wrote, so a park in it is nobody's.
 */
function settleWithoutCall(
	context: IExecuteFunctions,
	journal: Journal<Settled>,
	item: number,
): Settled | undefined {
	const earlier = reuse(journal.read(item));
	if (earlier !== undefined || isAgentTool(context)) return earlier;
	return carriedPark(context.getInputData()[item]);
}

function failBeforeCall(
	context: IExecuteFunctions,
	item: number,
	failure: Failure,
	record: AttemptRecord,
): Settled {
	let tool = '';
	try {
		tool = readToolName(context, item);
	} catch {
		// The connection's failure is what the item reports.
	}
	return { kind: 'failed', failure, facts: { ...unsentFacts(tool, ''), ...record } };
}

function readConcurrency(context: IExecuteFunctions): number {
	const value = context.getNodeParameter('options.concurrency', 0, 8);
	return typeof value === 'number' && Number.isInteger(value)
		? Math.min(64, Math.max(1, value))
		: 8;
}

const readWhenParked = (context: IExecuteFunctions): 'wait' | 'continue' =>
	context.getNodeParameter('whenParked', 0, 'wait') === 'continue' ? 'continue' : 'wait';
