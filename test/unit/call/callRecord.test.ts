import { describe, expect, it } from 'vitest';
import { type CallFacts, callRecord } from '../../../src/call/callRecord';

const facts: CallFacts = {
	tool: 'request_payment',
	serverName: 'Payments',
	decided: { effect: 'write', source: 'operator' },
	attempts: 1,
	warnings: [],
};

describe('the `call` of an output item, literally (surface: Tool Call)', () => {
	it('completed', () => {
		expect(JSON.stringify(callRecord(facts, 'completed'))).toBe(
			'{"tool":"request_payment","serverName":"Payments","effect":"write","effectSource":"operator","attempts":1,"outcome":"completed"}',
		);
	});

	it('failed, with its disposition and warnings', () => {
		const warned: CallFacts = {
			...facts,
			decided: { effect: 'idempotent', source: 'node' },
			attempts: 0,
			warnings: ['the schema is not usable'],
		};
		expect(callRecord(warned, 'failed', 'did-not-happen')).toStrictEqual({
			tool: 'request_payment',
			serverName: 'Payments',
			effect: 'idempotent',
			effectSource: 'node',
			outcome: 'failed',
			attempts: 0,
			disposition: 'did-not-happen',
			warnings: ['the schema is not usable'],
		});
	});
});
