import { describe, expect, it } from 'vitest';

import type { Disposition, FailureCode } from '../../../src/outcome/failure';
import type { Effect } from '../../../src/policy/effect';
import {
	decideRetry,
	type FailedTry,
	type RetryDecision,
	worstOf,
} from '../../../src/policy/retryDecision';

const tried = (
	effect: Effect,
	disposition: Disposition,
	code: FailureCode,
	more: Partial<FailedTry> = {},
): FailedTry => ({
	effect,
	keyed: false,
	failure: { code, disposition },
	attempts: 1,
	maxAttempts: 3,
	doubtBefore: false,
	sessionLostBefore: false,
	retryToolErrors: false,
	...more,
});

const keyed = { keyed: true };
const doubted = { doubtBefore: true };
const toolErrors = { retryToolErrors: true };

describe('the table of retries by effect, cell by cell (failures.md)', () => {
	it.each<[Effect, Disposition, FailureCode, Partial<FailedTry>, RetryDecision]>([
		['read', 'did-not-happen', 'unreachable', {}, 'again'],
		['read', 'did-not-happen', 'rate-limited', {}, 'again'],
		['read', 'did-not-happen', 'http-refused', {}, 'stop'],
		['read', 'in-doubt', 'timed-out', {}, 'again'],
		['read', 'in-doubt', 'cancelled', {}, 'stop'],
		['read', 'landed', 'tool-error', {}, 'stop'],
		['read', 'landed', 'tool-error', toolErrors, 'again'],
		['read', 'landed', 'output-invalid', toolErrors, 'stop'],
		['read', 'landed', 'park-malformed', toolErrors, 'stop'],
		['idempotent', 'did-not-happen', 'unreachable', {}, 'again'],
		['idempotent', 'did-not-happen', 'unauthorized', {}, 'stop'],
		['idempotent', 'in-doubt', 'connection-lost', keyed, 'again'],
		['idempotent', 'in-doubt', 'cancelled', keyed, 'stop'],
		['idempotent', 'in-doubt', 'connection-lost', {}, 'needs-reconciliation'],
		['idempotent', 'landed', 'tool-error', { ...keyed, ...toolErrors }, 'stop'],
		['write', 'did-not-happen', 'unreachable', {}, 'again'],
		['write', 'did-not-happen', 'call-in-flight', keyed, 'again'],
		['write', 'did-not-happen', 'policy-denied', {}, 'stop'],
		['write', 'in-doubt', 'timed-out', {}, 'needs-reconciliation'],
		['write', 'in-doubt', 'timed-out', keyed, 'needs-reconciliation'],
		['write', 'landed', 'tool-error', toolErrors, 'stop'],
	])('%s, %s, %s %o: %s', (effect, disposition, code, more, decision) => {
		expect(decideRetry(tried(effect, disposition, code, more))).toBe(decision);
	});
});

describe('later luck never improves a call', () => {
	it.each(['write', 'idempotent'] as const)(
		'a refused second attempt does NOT clear an in-doubt first: %s without a key',
		(effect) => {
			const second = tried(effect, 'did-not-happen', 'unreachable', { ...doubted, attempts: 2 });
			expect(decideRetry(second)).toBe('needs-reconciliation');
		},
	);

	it.each([
		['read', {}],
		['idempotent', keyed],
	] as const)('what may be repeated goes on after a doubt: %s %o', (effect, more) => {
		const second = tried(effect, 'did-not-happen', 'unreachable', { ...doubted, ...more });
		expect(decideRetry(second)).toBe('again');
	});

	it.each([
		['did-not-happen', 'in-doubt', 'in-doubt'],
		['in-doubt', 'did-not-happen', 'in-doubt'],
		['in-doubt', 'landed', 'in-doubt'],
		['landed', 'did-not-happen', 'landed'],
		['did-not-happen', 'did-not-happen', 'did-not-happen'],
	] as const)('the worst of %s and %s is %s', (first, second, worst) => {
		expect(worstOf(first, second)).toBe(worst);
	});
});

describe('what bounds the attempts', () => {
	it('the count is of executions, the first one included', () => {
		const at = (attempts: number) =>
			decideRetry(tried('read', 'did-not-happen', 'unreachable', { attempts }));
		expect([1, 2, 3, 4].map(at)).toEqual(['again', 'again', 'stop', 'stop']);
	});

	it('one is one', () => {
		const only = tried('read', 'did-not-happen', 'unreachable', { maxAttempts: 1 });
		expect(decideRetry(only)).toBe('stop');
	});

	it('a doubt at the last attempt still needs reconciliation', () => {
		const last = tried('write', 'in-doubt', 'timed-out', { attempts: 3 });
		expect(decideRetry(last)).toBe('needs-reconciliation');
	});

	it('a lost session is opened anew once, and not again', () => {
		const lost = tried('write', 'did-not-happen', 'session-lost');
		expect(decideRetry(lost)).toBe('again');
		expect(decideRetry({ ...lost, attempts: 2, sessionLostBefore: true })).toBe('stop');
	});
});
