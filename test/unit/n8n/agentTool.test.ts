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

	it.each(['key-missing', 'key-collision', 'call-in-flight', 'needs-reconciliation'] as const)(
		'%s: whose key it is stands in the log and in the execution, not in what the model reads',
		(code) => {
			const message = 'A call with the key "pay:INV-1" in execution 41 (node "Pay", item 0)';
			const remedy = 'Look up at the server whether it happened.';
			const failure: Failure = { code, disposition: 'did-not-happen', message, remedy };
			const { error, logged } = failWith(failure, { rewireOutputLogTo: 'ai_tool' });
			expect(error.message).not.toMatch(/INV-1|41/);
			expect(error.message).toContain('Do not try it again');
			expect(error.context['reason']).toBe(message);
			expect(error.description).toContain(remedy);
			expect(error.description).toContain(`Code: ${code}.`);
			expect(logged).toEqual([`The AI Agent's tool "Pay" refused a call: ${message}`]);
		},
	);

	it('a call in doubt gives a model its sentence, and a person how to settle its key', () => {
		const remedy = 'Settle it (Server Name "bank", Tool "pay", Key "INV-1").';
		const failure: Failure = {
			code: 'timed-out',
			disposition: 'in-doubt',
			message: 'No answer came',
			remedy,
		};
		const { error } = failWith(failure, { rewireOutputLogTo: 'ai_tool' });
		expect(error.message).toBe('No answer came');
		expect(error.description).toContain('Key "INV-1"');
	});

	it('tells a person everything', () => {
		const { error, logged } = failWith(denied, {});
		expect(error.message).toBe(denied.message);
		expect(logged).toEqual([]);
	});
});
