import { describe, expect, it } from 'vitest';
import { type CallFacts, callRecord } from '../../../src/call/callRecord';

const facts: CallFacts = {
	tool: 'request_payment',
	serverName: 'Payments',
	decided: { effect: 'write', source: 'operator' },
	attempts: 1,
	warnings: [],
};
const parkedAt = '2026-11-29T10:00:00.000Z';

describe('the `call` of an output item, literally (surface: Tool Call)', () => {
	it('completed', () => {
		expect(JSON.stringify(callRecord(facts, 'completed'))).toBe(
			'{"tool":"request_payment","serverName":"Payments","effect":"write","effectSource":"operator","outcome":"completed","attempts":1}',
		);
	});

	it.each(['person', 'signal'] as const)('suspended for a %s', (kind) => {
		const park = { kind, reason: 'approve 900', inputSchema: { type: 'object' } };
		const resumeUrl = 'https://n8n.example/webhook-waiting/7?signature=abc';
		expect(callRecord(facts, 'suspended', { parked: { park, parkedAt, resumeUrl } })).toStrictEqual(
			{
				tool: 'request_payment',
				serverName: 'Payments',
				effect: 'write',
				effectSource: 'operator',
				outcome: 'suspended',
				attempts: 1,
				park: {
					kind,
					reason: 'approve 900',
					inputSchema: { type: 'object' },
					parkedAt: '2026-11-29T10:00:00.000Z',
					resumeUrl: 'https://n8n.example/webhook-waiting/7?signature=abc',
				},
			},
		);
	});

	it('sleeping, without a resume URL', () => {
		const park = { kind: 'sleep', until: '2026-12-01T08:00:00.000Z' } as const;
		expect(callRecord(facts, 'sleeping', { parked: { park, parkedAt } })['park']).toStrictEqual({
			kind: 'sleep',
			until: '2026-12-01T08:00:00.000Z',
			parkedAt: '2026-11-29T10:00:00.000Z',
		});
	});

	it('failed, with its disposition and warnings', () => {
		const warned: CallFacts = {
			...facts,
			decided: { effect: 'idempotent', source: 'node' },
			attempts: 0,
			warnings: ['the schema is not usable'],
		};
		expect(callRecord(warned, 'failed', { disposition: 'did-not-happen' })).toStrictEqual({
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
