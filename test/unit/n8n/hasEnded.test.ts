import { describe, expect, it } from 'vitest';

import type { Holder } from '../../../src/call/claimStore';
import { hasEnded } from '../../../src/n8n/hasEnded';

const holder: Holder = {
	instanceId: 'n8n',
	workflowId: 'w',
	executionId: '41',
	nodeName: 'Call',
	runIndex: 1,
	item: 0,
};

/** What n8n gives for the execution, or throws. */
const ended = (read: () => unknown, asked = holder) =>
	hasEnded(
		{
			getInstanceId: () => 'n8n',
			getExecutionDataById: () => Promise.resolve().then(read as () => never),
		},
		asked,
	);

const run = (executionStatus?: string) => ({
	startTime: 0,
	...(executionStatus === undefined ? {} : { executionStatus }),
});
const withRuns = (...runs: readonly unknown[]) => ({ resultData: { runData: { Call: runs } } });

describe("that a holder's run is over is proved by n8n's data (K9)", () => {
	it.each([
		['an error of the execution', { resultData: { error: {}, runData: {} } }],
		['its run, that went well', withRuns(run('success'), run('success'))],
		['its run, that failed', withRuns(run('success'), run('error'))],
	])('by %s', async (_, data) => {
		expect(await ended(() => data)).toBe(true);
	});

	it.each([
		['no data', undefined],
		['no result', {}],
		['no run of the node', { resultData: { runData: {} } }],
		['an earlier run of the node', withRuns(run('success'))],
		['a run that goes on', withRuns(run('success'), run('running'))],
		['a run that waits', withRuns(run('success'), run('waiting'))],
		['a run without a status, as an agent that waits has', withRuns(run('success'), run())],
	])('and not by %s', async (_, data) => {
		expect(await ended(() => data)).toBe(false);
	});

	it('and not by an execution of another n8n with the same number', async () => {
		const data = { resultData: { error: {} } };
		expect(await ended(() => data, { ...holder, instanceId: 'another' })).toBe(false);
	});

	it('and not by n8n failing to tell', async () => {
		const read = () => {
			throw new Error('no database');
		};
		expect(await ended(read)).toBe(false);
	});
});
