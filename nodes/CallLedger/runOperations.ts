import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { PlainObject } from '../../src/json/plainObject';
import { failureTitle, operationDescription } from '../../src/n8n/failureText';
import { toItem, toNodeError } from '../../src/n8n/items';
import type { Ledger } from '../../src/ledger/ledger';
import { fail, type Failure, type Result } from '../../src/outcome/failure';
import { openLedger } from '../shared/openLedger';
import { answerParked } from './answerParked';
import { decide } from './decide';
import { listEntries } from './listEntries';
import { purgeSettled } from './purgeSettled';

/** Does the operation for each item that comes in; no operation calls a server. */
export async function runOperations(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const ledger = await openLedger();
	const items: INodeExecutionData[] = [];
	for (const item of context.getInputData().keys()) {
		const done = ledger.ok ? await tryOperation(context, ledger.value, item) : ledger;
		if (done.ok) items.push(...done.value.map((json) => toItem(json, item)));
		else if (context.continueOnFail()) items.push(failedItem(done.failure, item));
		else
			throw toNodeError(context.getNode(), done.failure, { item, describe: operationDescription });
	}
	return [items];
}

async function tryOperation(
	context: IExecuteFunctions,
	ledger: Ledger,
	item: number,
): Promise<Result<readonly PlainObject[]>> {
	try {
		return await operate(context, ledger, item);
	} catch (error) {
		// eslint-disable-next-line @n8n/community-nodes/require-node-api-error -- the host's own error says most
		if (!context.continueOnFail()) throw error;
		const problem = error instanceof Error ? error.message : String(error);
		return fail({
			code: 'arguments-invalid',
			disposition: 'did-not-happen',
			message: `A parameter of the node could not be read: ${problem}`,
			remedy: 'Correct the expression or the value of that parameter.',
		});
	}
}

async function operate(
	context: IExecuteFunctions,
	ledger: Ledger,
	item: number,
): Promise<Result<readonly PlainObject[]>> {
	const operation = context.getNodeParameter('operation', item);
	switch (operation) {
		case 'list':
			return await listEntries(context, ledger, item);
		case 'resolve':
		case 'release':
			return await decide(context, ledger, item, operation);
		case 'answer':
			return await answerParked(context, ledger, item);
		case 'purge':
			return await purgeSettled(context, ledger, item);
		default:
			return fail({
				code: 'arguments-invalid',
				disposition: 'did-not-happen',
				message: `Operation is unknown: ${JSON.stringify(operation)}`,
				remedy: 'Choose one from the list.',
			});
	}
}

const failedItem = (failure: Failure, item: number): INodeExecutionData =>
	toItem(
		{
			error: {
				message: failureTitle(failure),
				code: failure.code,
				disposition: failure.disposition,
			},
			details: { description: operationDescription(failure) },
		},
		item,
	);
