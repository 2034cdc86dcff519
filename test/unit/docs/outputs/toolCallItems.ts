import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { settleOutcome } from '../../../../nodes/McpToolCall/settleOutcome';
import type { CallOutcome } from '../../../../src/call/callOutcome';
import { baseRecord, type CallFacts } from '../../../../src/call/callRecord';
import { toFailedItem, toFailedWait, toItem } from '../../../../src/n8n/items';
import type { PlainObject } from '../../../../src/json/plainObject';
import { failedAttempt } from '../../../../src/outcome/attempt';
import type { Failure } from '../../../../src/outcome/failure';
import type { StoredPark } from '../../../../src/park/parkedBatch';
import { settleBatch } from '../../../../src/park/settleBatch';
import { waitingItem } from '../../../../src/park/waitingItem';

const FAILURE: Required<Failure> = {
	code: 'tool-error',
	disposition: 'landed',
	stage: 'call',
	message: 'The tool answered with an error',
	remedy: 'Read its answer.',
	evidence: { httpStatus: 200 },
	toolError: { text: ['no'], structuredContent: {}, meta: {} },
};
const UNKNOWN: Failure = {
	code: 'tool-unknown',
	disposition: 'did-not-happen',
	message: 'Tool is empty',
};

const FEW: CallFacts = {
	tool: 'pay',
	serverName: 'billing',
	decided: { effect: 'write', source: 'operator' },
	attempts: 1,
	warnings: [],
};
// Required: a fact that is new has to be named here, and then on the page.
const ALL: Required<CallFacts> = {
	...FEW,
	failedAttempts: [failedAttempt(1, FAILURE)],
	idempotencyKey: 'pay:P-7',
	deduplicatedFrom: '41',
	warnings: ['It has changed.'],
};

const AT = '2026-01-02T03:04:05.000Z';
const PERSON: StoredPark = { kind: 'person', reason: 'Pay?', inputSchema: true };
const SLEEP: StoredPark = { kind: 'sleep', until: AT };

const WAITING: Omit<Required<Parameters<typeof waitingItem>[0]>, 'park'> = {
	call: baseRecord(ALL),
	parkedAt: AT,
	parkId: 'p',
	claimId: 'c',
	resumeUrl: 'https://n8n.example.com/webhook-waiting/7',
	deadline: AT,
	beside: {},
};
const suspended = waitingItem({ ...WAITING, park: PERSON });
const sleeping = waitingItem({ ...WAITING, park: SLEEP });

/** What the items become that wait together, at an instant. */
const settled = (now: string): readonly PlainObject[] =>
	settleBatch(
		{
			version: 2,
			batchId: 'b',
			executionId: '7',
			workflowId: 'w',
			parked: [PERSON, PERSON, SLEEP].map((park, item) => ({
				item,
				tool: 'pay',
				parkedAt: AT,
				park,
			})),
			items: [suspended, suspended, sleeping].map((json) => ({ json })),
			limit: { deadline: AT, onExpiry: 'continue' },
		},
		[{ item: 0, answer: 'yes', answeredAt: new Date(AT) }],
		new Date(now),
	).map(({ json }) => json);

const host = {
	helpers: { prepareBinaryData: () => Promise.resolve({ data: '', mimeType: 'image/png' }) },
};

async function called(outcome: CallOutcome): Promise<INodeExecutionData> {
	const options = { output: 'value', binary: true, toolErrors: 'fail' } as const;
	const at = { now: new Date(AT), parkId: undefined };
	const context = host as unknown as IExecuteFunctions;
	const came = await settleOutcome(context, outcome, options, at);
	if (came.kind !== 'completed') throw new Error(came.kind);
	return toItem(came.json, 0, came.binary);
}

const image = { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] };

/** An item of every kind that the node puts out. */
export const goodItems = async (): Promise<readonly INodeExecutionData[]> => [
	await called({ kind: 'completed', facts: FEW, result: { content: [] } }),
	await called({ kind: 'completed', facts: ALL, result: image }),
	await called({
		kind: 'parked-before',
		park: PERSON,
		parkedAt: AT,
		claimId: 'c',
		answer: { value: 'yes', answeredAt: new Date(AT) },
		facts: ALL,
	}),
	...[suspended, sleeping, ...settled(AT), ...settled('2026-01-01T00:00:00Z')].map((json) =>
		toItem(json, 0),
	),
];

export const failedItems: readonly INodeExecutionData[] = [
	toFailedItem(UNKNOWN, FEW, 0),
	toFailedItem(FAILURE, ALL, 0),
	toFailedWait(UNKNOWN, WAITING.call, 0),
];
