import { describe, expect, it } from 'vitest';

import { reuse, type Settled } from '../../../nodes/McpToolCall/settled';
import type { CallFacts } from '../../../src/call/callRecord';
import type { FailureCode } from '../../../src/outcome/failure';
import type { Disposition } from '../../../src/outcome/failure';
import type { Effect } from '../../../src/policy/effect';

const facts = (effect: Effect): CallFacts => ({
	tool: 'pay',
	serverName: 'billing',
	decided: { effect, source: 'operator' },
	attempts: 1,
	warnings: [],
});

const failed = (effect: Effect, disposition: Disposition, code: FailureCode): Settled => ({
	kind: 'failed',
	facts: facts(effect),
	failure: { code, disposition, stage: 'call', message: 'It broke' },
});

describe('what an earlier try leaves for the next one (P20, J1, J2)', () => {
	it('nothing was recorded: the call may be sent', () => {
		expect(reuse(undefined)).toBeUndefined();
	});

	it('a result and a park stand', () => {
		const completed: Settled = { kind: 'completed', json: { output: 1 } };
		const parked: Settled = {
			kind: 'parked',
			parked: { park: { kind: 'sleep', until: 'x' }, parkedAt: 'y', call: {} },
		};
		expect(reuse(completed)).toBe(completed);
		expect(reuse(parked)).toBe(parked);
	});

	it.each(['read', 'idempotent', 'write'] as const)(
		'a %s call that did not happen may be sent again',
		(effect) => {
			expect(reuse(failed(effect, 'did-not-happen', 'unreachable'))).toBeUndefined();
		},
	);

	it.each(['landed', 'in-doubt'] as const)('a read that failed %s may be sent again', (known) => {
		expect(reuse(failed('read', known, 'connection-lost'))).toBeUndefined();
	});

	it('a malformed park stands whatever the effect: the server was asked and answered (P14)', () => {
		for (const effect of ['read', 'idempotent', 'write'] as const) {
			const recorded = failed(effect, 'landed', 'park-malformed');
			expect(reuse(recorded)).toBe(recorded);
		}
	});

	it.each(['idempotent', 'write'] as const)('a %s call that landed stands', (effect) => {
		const recorded = failed(effect, 'landed', 'tool-error');
		expect(reuse(recorded)).toBe(recorded);
	});

	it.each(['idempotent', 'write'] as const)(
		'a %s call in doubt is not sent again and asks for reconciliation',
		(effect) => {
			expect(reuse(failed(effect, 'in-doubt', 'timed-out'))).toMatchObject({
				kind: 'failed',
				failure: {
					code: 'needs-reconciliation',
					disposition: 'in-doubt',
					message: expect.stringContaining('It broke'),
				},
			});
		},
	);

	it('the refusal of a repeat counts no attempt: nothing was sent in this run', () => {
		const recorded = failed('write', 'in-doubt', 'timed-out');
		expect(reuse(recorded)).toMatchObject({ facts: { ...facts('write'), attempts: 0 } });
	});

	it('what needed reconciliation already says so again, and not of itself', () => {
		const recorded = failed('write', 'in-doubt', 'needs-reconciliation');
		expect(reuse(recorded)).toBe(recorded);
	});

	it('a keyed call in doubt says how an operator settles its key (K9)', () => {
		const recorded = failed('write', 'in-doubt', 'timed-out');
		if (recorded.kind !== 'failed') throw new Error('it failed');
		const keyed = { ...recorded, facts: { ...recorded.facts, idempotencyKey: 'pay:7:a' } };
		expect(reuse(keyed)).toMatchObject({
			failure: {
				remedy: expect.stringContaining(
					'Salvor Call Ledger (Server Name "billing", Tool "pay", Key "7:a")',
				),
			},
		});
	});
});
