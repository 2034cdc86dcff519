import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import {
	answerable,
	decodeBatch,
	encodeBatch,
	endsAt,
	type LeavingItem,
	type ParkedBatch,
} from '../park/parkedBatch';
import { settleBatch, type StoredAnswer } from '../park/settleBatch';
import { keepAgentAlive, keepPendingCalls } from './agentRuns';
import { isAgentTool } from './agentTool';
import { noteTimer, timerMayFire } from './armedTimer';
import { resumeUrlOf } from './resumeUrl';
import { queueSecondRun } from './secondRun';

/**
 * The one place that knows how n8n waits: n8n does not take the node up after its wait. When the timer ends,
 * n8n forwards the input data it finds stored; when a webhook ends the wait, it forwards what `webhook()` returns.
 * So what leaves is stored here, before the wait (I2), and this is the only caller of putExecutionToWait (I3).
 * Where a timer may end a wait for answers, nothing is forwarded and a second run settles the batch (0006).
 */

const CONTEXT_KEY = 'salvorParkedBatch';

const UNSETTLED_HINT =
	'This n8n does not let the node run again after its wait, as Limit Wait needs it. When the limit passes, every item that waited leaves as "expired", even one that was answered meanwhile, and none fails.';
/** What parking asks of n8n. */
export const PARKING_FUNCTIONS = [
	'getContext',
	'getExecuteData',
	'putExecutionToWait',
	'setMetadata',
] as const satisfies readonly (keyof IExecuteFunctions)[];

/**
 * Parks the execution, until `wakeAt` or the end that the batch has. Nothing after this call may throw, because n8n does
 * not undo it; the caller returns the items it gets, which n8n shows while the execution waits.
 */
export async function park(
	context: IExecuteFunctions,
	batch: ParkedBatch,
	wakeAt = endsAt(batch) ?? WAIT_INDEFINITELY,
): Promise<INodeExecutionData[][]> {
	const now = new Date();
	// Without a timer of its own only n8n's Retry of a stopped execution, or the timer of another node's earlier wait,
	// forwards this: nothing has woken then.
	const stash = toItems(settleBatch(batch, [], endsAt(batch) === undefined ? now : wakeAt));
	const shown = toItems(batch.items.map((item) => withoutTopLevelError(item)));
	const resumeUrl = resumeUrlOf(context);
	const { runsAgain: ranBefore, ...once } = batch;
	const mayExpire = batch.limit !== undefined;
	const runsAgain =
		(mayExpire || ranBefore === true || timerMayFire(context, now)) &&
		queueSecondRun(context, batch.batchId, toItems(settleBatch(batch, [], now)));
	if (mayExpire && !runsAgain) {
		context.addExecutionHints({
			message: UNSETTLED_HINT,
			type: 'warning',
			location: 'outputPane',
		});
	}
	// An answer may end the wait before its timer, which n8n then leaves armed.
	if (answerable(batch).length > 0 && wakeAt < WAIT_INDEFINITELY) noteTimer(context, wakeAt);
	// One JSON text: structured data of some megabytes does not survive the way to `webhook()`.
	context.getContext('node')[CONTEXT_KEY] = encodeBatch(
		runsAgain ? { ...once, version: 2, runsAgain } : once,
	);
	const executeData = context.getExecuteData();
	if (!runsAgain) executeData.data['main'] = [stash];
	// The editor's waiting panel takes the address from here; by itself it makes one without the token.
	context.setMetadata({ forwardAllOutputs: true, resumeUrl });
	// n8n disables the node object on resume; a copy keeps a second entry of the same node alive.
	executeData.node = { ...executeData.node };
	if (isAgentTool(context)) {
		keepAgentAlive(context);
		keepPendingCalls(context);
	}
	await context.putExecutionToWait(wakeAt);
	return [shown];
}

export type ParkedReading =
	| { readonly kind: 'batch'; readonly batch: ParkedBatch }
	| { readonly kind: 'nothing' }
	/** Stored by a version of this package that writes another form. */
	| { readonly kind: 'foreign' };

/** Reads what `park` stored. */
export function readParkedBatch(context: IWebhookFunctions): ParkedReading {
	const name = quoteForExpression(context.getNode().name);
	const key = quoteForExpression(CONTEXT_KEY);
	const stored: unknown = context.evaluateExpression(`{{ $(${name}).context[${key}] }}`, 0);
	if (stored === undefined || stored === null) return { kind: 'nothing' };
	const batch = decodeBatch(stored);
	return batch === undefined ? { kind: 'foreign' } : { kind: 'batch', batch };
}

/** In a run that settles a batch: that batch. Undefined when the node's context holds another one, or none. */
export function batchOfRun(context: IExecuteFunctions, batchId: string): ParkedBatch | undefined {
	const batch = decodeBatch(context.getContext('node')[CONTEXT_KEY]);
	return batch?.batchId === batchId ? batch : undefined;
}

/** What `webhook()` returns to end the wait of a batch: its items, or nothing when a second run puts them out. */
export const forwarded = (
	batch: ParkedBatch,
	answers: readonly StoredAnswer[],
	now: Date,
): INodeExecutionData[][] =>
	batch.runsAgain === true ? [] : [toItems(settleBatch(batch, answers, now))];

/** Stored items as n8n items; `pairedItem` is set anew by n8n, from the position. */
export function toItems(items: readonly LeavingItem[]): INodeExecutionData[] {
	// Copied as a whole: what the items share, such as a schema, n8n stores and reads once.
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- JSON values, and the binary that n8n made
	const copies = structuredClone(items) as readonly {
		json: IDataObject;
		binary?: IBinaryKeyData;
	}[];
	return copies.map(({ json, binary }, item) => ({
		json,
		...(binary === undefined ? {} : { binary }),
		pairedItem: { item },
	}));
}

/** n8n's Retry On Fail looks for `error` in the first returned item and would call everything again. */
function withoutTopLevelError(item: LeavingItem): LeavingItem {
	if (!Object.hasOwn(item.json, 'error')) return item;
	const { error, ...rest } = item.json;
	return { ...item, json: { ...rest, failed: error } };
}

/** A string literal that cannot end the expression around it. */
function quoteForExpression(text: string): string {
	return JSON.stringify(text)
		.replaceAll('{', '\\u007b')
		.replaceAll('}', '\\u007d')
		.replaceAll('\u2028', '\\u2028')
		.replaceAll('\u2029', '\\u2029');
}
