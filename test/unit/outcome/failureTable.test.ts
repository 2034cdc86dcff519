import { describe, expect, it } from 'vitest';

import { failureTable, isTransient } from '../../../src/outcome/failureTable';

describe('what may go otherwise at another attempt (failures.md)', () => {
	it('is exactly these codes', () => {
		const transient = Object.entries(failureTable)
			.filter(([, row]) => row.transient !== 'no')
			.map(([code]) => code);
		expect(transient).toEqual([
			'call-in-flight',
			'ledger-unavailable',
			'unreachable',
			'session-lost',
			'rate-limited',
			'rpc-error',
			'timed-out',
			'connection-lost',
		]);
	});

	it.each([
		['did-not-happen', true],
		['in-doubt', false],
		['landed', false],
	] as const)('a ledger that failed, %s: %s', (disposition, expected) => {
		expect(isTransient({ code: 'ledger-unavailable', disposition })).toBe(expected);
	});

	it('a refusal is not, and an interruption is', () => {
		expect(isTransient({ code: 'policy-denied', disposition: 'did-not-happen' })).toBe(false);
		expect(isTransient({ code: 'timed-out', disposition: 'in-doubt' })).toBe(true);
	});
});
