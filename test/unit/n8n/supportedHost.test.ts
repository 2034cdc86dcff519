import { expect, it } from 'vitest';
import { n8nVersion } from '../../../scripts/host/installN8n';
import { compareVersion, missingFunctions, oldestN8n } from '../../../src/n8n/supportedHost';

it('the oldest supported n8n is the one that the host tests run', () => {
	expect(n8nVersion.startsWith(`${oldestN8n}.`)).toBe(true);
});

it.each([
	['2.41.0', 'supported'],
	['2.41.0-rc.1', 'supported'],
	['2.100.3', 'supported'],
	['3.0.0', 'supported'],
	['2.40.9', 'older'],
	['1.120.0', 'older'],
	['next', 'unknown'],
	[undefined, 'unknown'],
] as const)('version %s is %s', (version, age) => {
	expect(compareVersion(version)).toBe(age);
});

it('every function that a wait needs and n8n lacks is named', () => {
	const n8n = {
		addExecutionHints: 1,
		evaluateExpression: 1,
		executeWorkflow: 1,
		getContext: 1,
		getExecutionCancelSignal: 1,
		getExecutionDataById: 1,
		getWorkflowSettings: 1,
		isToolExecution: 1,
		setMetadata: 1,
	};
	expect(missingFunctions(n8n)).toEqual(['getExecuteData', 'putExecutionToWait']);
});
