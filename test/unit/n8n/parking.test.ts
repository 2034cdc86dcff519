import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { park } from '../../../src/n8n/parking';
import type { ParkedBatch } from '../../../src/park/parkedBatch';

const deadline = '2999-11-29T12:00:00.000Z';
const batch: ParkedBatch = {
	version: 2,
	batchId: 'b1',
	executionId: '7',
	workflowId: 'w1',
	parked: [
		{
			item: 0,
			tool: 'pay',
			parkedAt: '2026-11-29T10:00:00.000Z',
			park: { kind: 'person', reason: 'Pay?', inputSchema: true },
		},
	],
	items: [{ json: { output: null, call: { tool: 'pay', outcome: 'suspended', park: {} } } }],
	limit: { deadline, onExpiry: 'fail' },
};
const { limit: _limit, ...unlimited } = batch;

/** As much of n8n's context as parking looks at, with a record of what it did. */
function contextWith(runExecutionData?: unknown, flow: Record<string, unknown> = {}) {
	const executeData = {
		node: { name: 'Call', type: 't' },
		data: { main: [[{ json: {} }]] as unknown[] },
		source: null,
	};
	const node: Record<string, unknown> = {};
	const hints: { message: string; type: string }[] = [];
	const waits: Date[] = [];
	const context = {
		...(runExecutionData === undefined ? {} : { runExecutionData }),
		getNode: () => executeData.node,
		getExecuteData: () => executeData,
		getContext: (type: string) => (type === 'flow' ? flow : node),
		evaluateExpression: () => 'https://n8n.example/webhook-waiting/7?signature=abc',
		isToolExecution: () => false,
		setMetadata: () => undefined,
		addExecutionHints: (...given: readonly (typeof hints)[number][]) => hints.push(...given),
		putExecutionToWait: (until: Date) => {
			waits.push(until);
			return Promise.resolve();
		},
	} as unknown as IExecuteFunctions;
	const stored = () => JSON.parse(String(node['salvorParkedBatch'])) as ParkedBatch;
	return { context, executeData, flow, hints, waits, stored };
}

const stack = () => ({ executionData: { nodeExecutionStack: [] as unknown[] } });

describe('a batch with a limit (P26)', () => {
	it('waits until its deadline, forwards nothing, and is settled by a second run', async () => {
		const data = stack();
		const { context, executeData, hints, waits, stored } = contextWith(data);
		await park(context, batch);
		expect(waits).toEqual([new Date(deadline)]);
		expect(executeData.data.main).toEqual([]);
		expect(data.executionData.nodeExecutionStack).toHaveLength(1);
		expect(stored()).toMatchObject({ version: 2, runsAgain: true });
		expect(hints).toEqual([]);
	});

	it('on an n8n that keeps its stack otherwise leaves as expired at the deadline, and a warning says what that costs', async () => {
		const { context, executeData, hints, waits, stored } = contextWith();
		await park(context, batch);
		expect(waits).toEqual([new Date(deadline)]);
		expect(executeData.data.main).toMatchObject([[{ json: { call: { outcome: 'expired' } } }]]);
		expect(stored()).not.toHaveProperty('runsAgain');
		expect(hints).toMatchObject([
			{ type: 'warning', message: expect.stringMatching(/leaves as "expired".*none fails/) },
		]);
	});
});

describe('a batch without a limit', () => {
	it('needs no second run', async () => {
		const data = stack();
		const { context, executeData, stored } = contextWith(data);
		await park(context, { ...unlimited, version: 1 });
		expect(executeData.data.main).toMatchObject([[{ json: { call: { outcome: 'suspended' } } }]]);
		expect(data.executionData.nodeExecutionStack).toEqual([]);
		expect(stored()).toMatchObject({ version: 1 });
		expect(stored()).not.toHaveProperty('runsAgain');
	});

	it('gets one while the timer of an earlier wait may still fire, and not after', async () => {
		const flow = {};
		await park(contextWith(stack(), flow).context, batch);
		const next = contextWith(stack(), flow);
		await park(next.context, { ...unlimited, version: 1 });
		expect(next.stored()).toMatchObject({ version: 2, runsAgain: true });
		expect(next.waits[0]?.getUTCFullYear()).toBe(3000);

		const later = contextWith(stack(), { salvorTimerUntil: '2026-01-01T00:00:00.000Z' });
		await park(later.context, { ...unlimited, version: 1 });
		expect(later.stored()).not.toHaveProperty('runsAgain');
	});
});
