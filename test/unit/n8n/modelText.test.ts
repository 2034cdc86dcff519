import { describe, expect, it } from 'vitest';

import { forModel, shortenMiddle } from '../../../src/n8n/modelText';
import type { Failure } from '../../../src/outcome/failure';

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

describe('any other failure', () => {
	it('keeps its sentence, without the full stop', () => {
		expect(forModel(failure({ message: 'The server hung up.' })).message).toBe(
			'The server hung up',
		);
	});

	it("is kept when it is about the arguments, which are the model's own (K2)", () => {
		const message = '"pay" needs its idempotency key "id", but nothing stands at "id"';
		expect(forModel(failure({ code: 'key-missing', message })).message).toBe(message);
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
