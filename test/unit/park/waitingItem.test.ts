import { describe, expect, it } from 'vitest';
import { baseRecord, type CallFacts } from '../../../src/call/callRecord';
import { waitingItem } from '../../../src/park/waitingItem';

const facts: CallFacts = {
	tool: 'request_payment',
	serverName: 'Payments',
	decided: { effect: 'write', source: 'operator' },
	attempts: 1,
	warnings: ['the schema is not usable'],
};
const parkedAt = '2026-11-29T10:00:00.000Z';
const call = baseRecord(facts);

describe('an item while it waits, literally (surface: Tool Call)', () => {
	it.each(['person', 'signal'] as const)('suspended for a %s', (kind) => {
		const park = { kind, reason: 'approve 900', inputSchema: { type: 'object' } };
		const resumeUrl = 'https://n8n.example/webhook-waiting/7?signature=abc&item=1';
		expect(waitingItem({ call, park, parkedAt, resumeUrl })).toStrictEqual({
			output: null,
			call: {
				tool: 'request_payment',
				serverName: 'Payments',
				effect: 'write',
				effectSource: 'operator',
				attempts: 1,
				warnings: ['the schema is not usable'],
				outcome: 'suspended',
				park: {
					kind,
					reason: 'approve 900',
					inputSchema: { type: 'object' },
					parkedAt,
					resumeUrl,
				},
			},
		});
	});

	it('sleeping, without a resume URL when n8n does not wait for it', () => {
		const park = { kind: 'sleep', until: '2026-12-01T08:00:00.000Z' } as const;
		expect(waitingItem({ call, park, parkedAt })).toMatchObject({ call: { outcome: 'sleeping' } });
		expect(waitingItem({ call, park, parkedAt })['call']).toHaveProperty('park', {
			kind: 'sleep',
			until: '2026-12-01T08:00:00.000Z',
			parkedAt,
		});
	});

	it('keeps what stood beside its park, but neither an output nor a call of another kind', () => {
		const park = { kind: 'signal', reason: 'x', inputSchema: true } as const;
		const beside = { approver: 'Ada', output: 'old', call: 'old' };
		const json = waitingItem({ call, park, parkedAt, beside });
		expect(json).toMatchObject({ approver: 'Ada', output: null, call: { outcome: 'suspended' } });
	});
});
