import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { timeoutOverSleepSeconds } from '../../../src/n8n/executionTimeout';

/** As much of n8n's context as the function looks at. */
const contextWith = (executionTimeout: number | undefined, mode = 'webhook'): IExecuteFunctions =>
	({
		getMode: () => mode,
		getWorkflowSettings: () => (executionTimeout === undefined ? {} : { executionTimeout }),
	}) as unknown as IExecuteFunctions;

const queue = { EXECUTIONS_MODE: 'queue', EXECUTIONS_TIMEOUT: '60' };

it.each([
	['nothing is set', undefined, {}, undefined],
	['the workflow sets it', 30, {}, 30],
	["the workflow's own goes before n8n's", 30, { EXECUTIONS_TIMEOUT: '60' }, 30],
	["n8n's holds where the workflow sets none", undefined, { EXECUTIONS_TIMEOUT: '60' }, 60],
	["the workflow switches n8n's off", -1, { EXECUTIONS_TIMEOUT: '60' }, undefined],
	["n8n's is off", undefined, { EXECUTIONS_TIMEOUT: '-1' }, undefined],
	["n8n's cannot be read", undefined, { EXECUTIONS_TIMEOUT: 'soon' }, undefined],
	['nothing may take longer than an hour unless n8n says so', 9_000, {}, 3_600],
	['n8n says what is the longest', 9_000, { EXECUTIONS_TIMEOUT_MAX: '5000' }, 5_000],
	['the longest cannot be read', 9_000, { EXECUTIONS_TIMEOUT_MAX: '' }, 3_600],
	['a worker measures anew', 30, queue, undefined],
] as const)('%s', (_, setting, environment, seconds) => {
	expect(timeoutOverSleepSeconds(contextWith(setting), environment)).toBe(seconds);
});

it('main runs what is run by hand, in queue mode too, and goes on measuring', () => {
	expect(timeoutOverSleepSeconds(contextWith(30, 'manual'), queue)).toBe(30);
});
