import { describe, expect, it } from 'vitest';

import { forModel, shortenMiddle } from '../../../src/n8n/modelText';
import type { Failure, FailureCode } from '../../../src/outcome/failure';

const failure = (part: Partial<Failure>): Failure => ({
	code: 'rpc-error',
	disposition: 'landed',
	message: 'It broke',
	...part,
});

describe('a refusal, as a model reads it (G5)', () => {
	const refusals = [
		failure({ code: 'policy-denied', message: 'The policy does not allow "pay"' }),
		failure({ code: 'policy-denied', message: 'Treat As must not be laxer', stage: 'call' }),
		failure({ code: 'policy-denied', message: 'Tool Policies states a key for "Pay"' }),
		failure({ code: 'policy-denied', message: '"pay" has changed since it was pinned' }),
		failure({ code: 'tool-unknown', message: 'The server does not list "pay"', remedy: 'Pick.' }),
	].map(forModel);

	it('is the same whatever the reason, in every field', () => {
		expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
	});

	it('says literally', () => {
		expect(refusals[0]?.message).toBe('This tool cannot be called here');
	});
});

describe('a failure about an idempotency key, as a model reads it (G5)', () => {
	const message = '"pay" with "pay:INV-1" at "claim.id" in execution 41 (node "Pay", item 3)';
	it.each<readonly [FailureCode, string]>([
		[
			'key-missing',
			'This call did not happen: an argument that it needs is missing or cannot be used. Do not try it again with the same arguments',
		],
		[
			'key-collision',
			'This call did not happen: what it names was called before with other arguments. Do not try it again',
		],
		[
			'call-in-flight',
			'This call was not sent: the same one is under way and may have happened. Do not try it again',
		],
		[
			'needs-reconciliation',
			'This call was not sent: the same one was sent before and may have happened. Do not try it again',
		],
	])('%s says what may have happened, and nothing of others or of the policy', (code, said) => {
		const toolError = { text: ['Execution 41'] };
		const of = failure({ code, message, toolError });
		expect(forModel(of)).toMatchObject({ code, disposition: of.disposition, message: said });
		expect(JSON.stringify(forModel(of))).not.toMatch(/41|INV-1|claim\.id|"pay"/);
	});
});

describe('any other failure', () => {
	it('keeps its sentence, without the full stop', () => {
		expect(forModel(failure({ message: 'The server hung up.' })).message).toBe(
			'The server hung up',
		);
	});

	it("gives a tool's own error in the tool's words", () => {
		const toolError = { text: ['No stock.', 'Ask again on Monday.'] };
		expect(forModel(failure({ message: 'cut', toolError })).message).toBe(
			'No stock.\nAsk again on Monday.',
		);
	});

	it('falls back on its sentence when the tool gave no text', () => {
		expect(forModel(failure({ toolError: { text: ['  '] } })).message).toBe('It broke');
	});
});

describe('a long text', () => {
	it('of 512 characters stays whole, one more loses its middle', () => {
		expect(shortenMiddle('x'.repeat(512))).toBe('x'.repeat(512));
		const text = `begin${'x'.repeat(503)}y${'z'.repeat(3)}end!`;
		expect(text.length).toBeGreaterThan(512);
		expect(shortenMiddle(text)).toMatch(/^beginx+ … x+yzzzend!$/);
		expect(shortenMiddle(text)).toHaveLength(512);
	});

	it('is not cut inside a character', () => {
		for (const shift of ['', 'a']) {
			expect(shortenMiddle(`${shift}${'😀'.repeat(400)}`).isWellFormed()).toBe(true);
		}
	});
});
