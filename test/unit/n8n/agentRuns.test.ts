import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { keepAgentAlive, keepPendingCalls } from '../../../src/n8n/agentRuns';

/** As much of n8n's context as the two functions look at. */
const contextWith = (runExecutionData: unknown, runIndex?: number): IExecuteFunctions =>
	({
		...(runExecutionData === undefined ? {} : { runExecutionData }),
		getNode: () => ({ name: 'Relay' }),
		getExecuteData: () => ({ runIndex }),
	}) as unknown as IExecuteFunctions;

const waitingAgent = { node: { name: 'Agent' }, metadata: { nodeWasResumed: true } };
const emptyRun = { startTime: expect.any(Number), executionTime: 0, executionIndex: 0, source: [] };

describe('an agent that waits for its tool', () => {
	const dataWith = (runData: unknown, ...stack: readonly unknown[]) => ({
		resultData: { runData },
		executionData: { nodeExecutionStack: stack },
	});

	it('gets an empty run when it has none, and so does the agent above it', () => {
		const helper = { ...waitingAgent, node: { name: 'Helper' } };
		const runData = { Start: [1], Relay: [2] };
		keepAgentAlive(contextWith(dataWith(runData, helper, waitingAgent)));
		expect(runData).toEqual({ Start: [1], Relay: [2], Helper: [emptyRun], Agent: [emptyRun] });
	});

	it('keeps the run it has', () => {
		const runData = { Agent: ['before'] };
		keepAgentAlive(contextWith(dataWith(runData, waitingAgent)));
		expect(runData).toEqual({ Agent: ['before'] });
	});

	it('another node on the stack gets none: it has not begun', () => {
		const runData = {};
		const parallel = { node: { name: 'Relay' }, metadata: {} };
		keepAgentAlive(contextWith(dataWith(runData, parallel, { node: { name: 'Other' } })));
		expect(runData).toEqual({});
	});
});

describe('calls of the same turn that are still to come', () => {
	it('have an empty run behind them, which n8n drops in their place', () => {
		const runData = { Relay: ['parked', 'to come'] };
		keepPendingCalls(contextWith({ resultData: { runData } }, 0));
		expect(runData.Relay).toEqual(['parked', 'to come', emptyRun]);
	});

	it('need none when the parked call is the last', () => {
		const runData = { Relay: ['done', 'parked'] };
		keepPendingCalls(contextWith({ resultData: { runData } }, 1));
		expect(runData.Relay).toEqual(['done', 'parked']);
	});
});

describe('an n8n that keeps its data otherwise', () => {
	it.each([
		[undefined],
		[null],
		[{}],
		[{ resultData: {} }],
		[{ resultData: { runData: [] }, executionData: { nodeExecutionStack: 'x' } }],
		[{ resultData: { runData: {} }, executionData: { nodeExecutionStack: [null, {}, [], 7] } }],
		[{ resultData: { runData: {} }, executionData: { nodeExecutionStack: [{ metadata: 1 }] } }],
	])('%j is left alone, and nothing throws', (data) => {
		const before = structuredClone(data);
		keepAgentAlive(contextWith(data, 0));
		keepPendingCalls(contextWith(data));
		expect(data).toEqual(before);
	});
});
