import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { CallFacts } from '../../../src/call/callRecord';
import { runError } from '../../../src/n8n/agentTool';
import type { Failure } from '../../../src/outcome/failure';

const facts: CallFacts = {
	tool: 'pay',
	serverName: 'Payments',
	decided: { effect: 'write', source: 'operator' },
	attempts: 0,
	warnings: [],
};
const denied: Failure = {
	code: 'policy-denied',
	disposition: 'did-not-happen',
	message: 'The policy does not allow "pay"',
	remedy: 'Ask the operator.',
};

function failWith(failure: Failure, node: object) {
	const logged: string[] = [];
	const context = {
		getNode: () => ({ name: 'Pay', type: 'mcpToolCall', ...node }),
		isToolExecution: () => false,
		logger: { warn: (line: string) => logged.push(line) },
	} as unknown as IExecuteFunctions;
	return { error: runError(context, failure, { item: 0, facts }), logged };
}

describe('a refusal (G5)', () => {
	it('tells a model nothing; the true reason stands in the log and in the error kept with the execution', () => {
		const { error, logged } = failWith(denied, { rewireOutputLogTo: 'ai_tool' });
		expect(error.message).toBe('This tool cannot be called here');
		expect(error.description).not.toMatch(/pay|write|operator/);
		expect(error.context['reason']).toBe(denied.message);
		expect(logged).toEqual([
			'The AI Agent\'s tool "Pay" refused a call: The policy does not allow "pay"',
		]);
	});

	it('tells a person everything', () => {
		const { error, logged } = failWith(denied, {});
		expect(error.message).toBe(denied.message);
		expect(logged).toEqual([]);
	});
});
