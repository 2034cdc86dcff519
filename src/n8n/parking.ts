import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import {
	decodeBatch,
	encodeBatch,
	type LeavingItem,
	type ParkedBatch,
	wakesAt,
} from '../park/parkedBatch';
import { settleBatch } from '../park/settleBatch';
import { keepAgentAlive, keepPendingCalls } from './agentRuns';
import { isAgentTool } from './agentTool';
import { resumeUrlOf } from './resumeUrl';

/**
 * The one place that knows how n8n waits: a node does not run again after its wait. When the timer ends,
 * n8n forwards the input data it finds stored; when a webhook ends the wait, it forwards what `webhook()` returns.
 * So what leaves is stored here, before the wait (I2), and this is the only caller of putExecutionToWait (I3).
 */

const CONTEXT_KEY = 'salvorParkedBatch';

/**
 * Parks the execution. Nothing after this call may throw, because n8n does not undo it;
 * the caller returns the items it gets, which n8n shows while the execution waits.
 */
export async function park(
	context: IExecuteFunctions,
	batch: ParkedBatch,
): Promise<INodeExecutionData[][]> {
	const wakeAt = wakesAt(batch);
	// Without a timer only n8n's Retry of a stopped execution forwards this: nothing has woken then.
	const stash = toItems(settleBatch(batch, [], wakeAt ?? new Date()));
	const shown = toItems(batch.items.map((item) => withoutTopLevelError(item)));
	// One JSON text: structured data of some megabytes does not survive the way to `webhook()`.
	context.getContext('node')[CONTEXT_KEY] = encodeBatch(batch);
	const executeData = context.getExecuteData();
	executeData.data['main'] = [stash];
	// The editor's waiting panel takes the address from here; by itself it makes one without the token.
	context.setMetadata({ forwardAllOutputs: true, resumeUrl: resumeUrlOf(context) });
	// n8n disables the node object on resume; a copy keeps a second entry of the same node alive.
	executeData.node = { ...executeData.node };
	if (isAgentTool(context)) {
		keepAgentAlive(context);
		keepPendingCalls(context);
	}
	await context.putExecutionToWait(wakeAt ?? WAIT_INDEFINITELY);
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

/** Stored items as n8n items; `pairedItem` is set anew by n8n, from the position. */
export function toItems(items: readonly LeavingItem[]): INodeExecutionData[] {
	return items.map((leaving, item) => {
		// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- JSON values, and the binary that n8n made
		const { json, binary } = structuredClone(leaving) as {
			json: IDataObject;
			binary?: IBinaryKeyData;
		};
		return { json, ...(binary === undefined ? {} : { binary }), pairedItem: { item } };
	});
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
