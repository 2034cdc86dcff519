import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { runOperations } from '../../../../nodes/CallLedger/runOperations';
import type { RecordedOutcome } from '../../../../src/call/claimStore';
import type { Ledger } from '../../../../src/ledger/ledger';
import type { Failure } from '../../../../src/outcome/failure';
import { valueOf } from '../../../support/connections';

// Of now: what is older in flight would be in doubt.
const AT = new Date();
const RUN = { instanceId: 'A', executionId: '7', workflowId: 'w', nodeName: 'Ask' };
const BATCH = { ...RUN, parkedAt: AT, openedAt: AT };
const FAILURE: Failure = { code: 'tool-error', disposition: 'landed', message: 'No such invoice' };

export const STATES = ['in-doubt', 'in-flight', 'settled', 'released', 'parked'] as const;

/** Puts calls in every state into a ledger, by key; `doubt` and `free` are left in doubt. */
export async function fill(ledger: Ledger): Promise<void> {
	await settle(ledger, 'done', { kind: 'completed', result: { content: [] } });
	await settle(ledger, 'failed', { kind: 'failed', failure: FAILURE });
	await settle(ledger, 'asked', {
		kind: 'parked',
		park: { kind: 'person', reason: 'Pay?', inputSchema: true },
		parkedAt: AT.toISOString(),
	});
	const claims = [{ item: 0, claimId: 'asked' }];
	valueOf(await ledger.openBatch({ ...BATCH, batchId: 'over', items: [0], claims }));
	valueOf(await ledger.recordAnswer({ batchId: 'over', item: 0, answer: 'yes', answeredAt: AT }));
	for (const claimId of ['doubt', 'free', 'resolved', 'released']) {
		await claim(ledger, claimId);
		valueOf(await ledger.doubt({ claimId, failure: FAILURE, at: AT }));
	}
	const decision = { who: 'ops', at: AT, why: 'Looked up' };
	const output = { content: [], structuredContent: {} };
	valueOf(await ledger.resolve({ claimId: 'resolved', output, decision }));
	valueOf(await ledger.release({ claimId: 'released', decision }));
	await claim(ledger, 'under way');
	valueOf(await ledger.openBatch({ ...BATCH, batchId: 'open', items: [0, 1] }));
}

async function claim(ledger: Ledger, claimId: string): Promise<void> {
	const key = { serverName: 'billing', tool: 'pay', value: claimId };
	const holder = { ...RUN, runIndex: 0, item: 0 };
	valueOf(await ledger.claim({ claimId, key, argumentsHash: 'abc', holder, claimedAt: AT }));
}

async function settle(ledger: Ledger, claimId: string, outcome: RecordedOutcome): Promise<void> {
	await claim(ledger, claimId);
	valueOf(await ledger.settle({ claimId, outcome, at: AT }));
}

/** What the node puts out, in an n8n whose executions take every answer; a failure is an item. */
export async function putOut(
	parameters: Readonly<Record<string, unknown>>,
): Promise<readonly IDataObject[]> {
	const waiting = { item: 0, tool: 'pay', reason: 'Pay?', parked_at: AT.toISOString() };
	const context = {
		getInstanceId: () => 'A',
		getInputData: () => [{ json: {} }],
		getNodeParameter: (name: string, _item: number, otherwise: unknown) =>
			parameters[name] ?? otherwise,
		continueOnFail: () => true,
		evaluateExpression: () => 'http://127.0.0.1:5678/webhook-waiting/99?signature=t',
		getExecutionDataById: () => Promise.resolve({ resumeToken: 't' }),
		helpers: {
			httpRequest: ({ method }: IHttpRequestOptions) =>
				Promise.resolve(
					method === 'GET'
						? { statusCode: 200, body: { items: [waiting] } }
						: { statusCode: 202, body: { status: 'recorded', remaining: 1 } },
				),
		},
	};
	const [items = []] = await runOperations(context as unknown as IExecuteFunctions);
	return items.map(({ json }) => json);
}
