import type { IBinaryKeyData, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type CallFacts, callRecord } from '../call/callRecord';
import type { PlainObject } from '../json/plainObject';
import type { Failure } from '../outcome/failure';
import type { DecidedEffect } from '../policy/effect';
import { asHtml } from './asHtml';
import { failureDescription, failureTitle } from './failureText';

/** An output item of the call node, paired with its input item (P21). */
export function toItem(
	json: PlainObject,
	item: number,
	binary?: IBinaryKeyData,
): INodeExecutionData {
	return {
		// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- JSON values only
		json: json as IDataObject,
		...(binary === undefined ? {} : { binary }),
		pairedItem: { item },
	};
}

/**
 * A failed item for Continue On Fail and the error output. Only the keys `error`, `message` and `details`
 * may stand in it: n8n moves such items to the error output and no others.
 */
export function toFailedItem(
	failure: Failure,
	facts: CallFacts,
	item: number,
	description = failureDescription(failure, knownEffect(facts)),
): INodeExecutionData {
	const call = callRecord(facts, 'failed', failure.disposition);
	return failedItem(failure, call, description, item);
}

/** The effect of a call's tool; before its connection was asked nobody knows it. */
const knownEffect = (facts: CallFacts | undefined): DecidedEffect | undefined =>
	facts?.serverName === '' ? undefined : facts?.decided;

/** The same for an item that waited and failed then; `waited` is its `call` as it left the wait (P26). */
export const toFailedWait = (
	failure: Failure,
	waited: PlainObject,
	item: number,
): INodeExecutionData =>
	failedItem(
		failure,
		{ ...waited, outcome: 'failed', disposition: failure.disposition },
		failureDescription(failure),
		item,
	);

function failedItem(
	failure: Failure,
	call: PlainObject,
	description: string,
	item: number,
): INodeExecutionData {
	const { toolError } = failure;
	return toItem(
		{
			error: {
				message: failureTitle(failure),
				code: failure.code,
				disposition: failure.disposition,
				...(failure.stage === undefined ? {} : { stage: failure.stage }),
				attempts: call['attempts'],
			},
			details: {
				call,
				description,
				...(toolError === undefined ? {} : { toolError }),
			},
		},
		item,
	);
}

export interface ErrorPlace {
	readonly item?: number;
	readonly facts?: CallFacts;
	/** Writes the lines under the sentence; those of a call unless told otherwise. */
	readonly describe?: (failure: Failure, decided?: DecidedEffect) => string;
}

/** The exception for a node that stops at its first failed item. */
export function toNodeError(
	node: INode,
	failure: Failure,
	at: ErrorPlace = {},
): NodeOperationError {
	const describe = at.describe ?? failureDescription;
	const error = new NodeOperationError(node, failureTitle(failure), {
		description: asHtml(describe(failure, knownEffect(at.facts))),
		...(at.item === undefined ? {} : { itemIndex: at.item }),
	});
	// n8n replaces a message that holds a word such as ENOENT with a sentence of its own.
	error.message = failureTitle(failure);
	error.messages = [];
	error.context['code'] = failure.code;
	error.context['disposition'] = failure.disposition;
	return error;
}
