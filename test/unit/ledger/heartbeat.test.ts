import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { ClaimStore } from '../../../src/call/claimStore';
import { holdClaim, newClaimId, signOf } from '../../../src/ledger/heartbeat';
import { succeed } from '../../../src/outcome/failure';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A ledger that keeps the beats it got. */
function beaten() {
	const beats: (readonly string[])[] = [];
	const store: Pick<ClaimStore, 'beat'> = {
		beat: ({ claimIds }) => {
			beats.push(claimIds);
			return Promise.resolve(succeed(claimIds.length));
		},
	};
	return { beats, store };
}

describe('the heartbeat of claims in flight (K9)', () => {
	it('is one beat for all claims of a ledger every ten seconds, while they are held', () => {
		const { beats, store } = beaten();
		const letGo = [holdClaim(store, 'a'), holdClaim(store, 'b')];
		vi.advanceTimersByTime(10_000);
		letGo[0]?.();
		vi.advanceTimersByTime(10_000);
		letGo[1]?.();
		vi.advanceTimersByTime(60_000);
		expect(beats).toEqual([['a', 'b'], ['b']]);
		expect(vi.getTimerCount()).toBe(0);
	});

	it('begins again for a later claim', () => {
		const { beats, store } = beaten();
		holdClaim(store, 'a')();
		const letGo = holdClaim(store, 'b');
		vi.advanceTimersByTime(10_000);
		letGo();
		expect(beats).toEqual([['b']]);
	});
});

describe('what is known of the holder of a claim', () => {
	const silentFor = (ms: number) => new Date(Date.now() - ms);

	it('of this process: at work while it holds the claim, however old its last beat is, and gone after', () => {
		const claim = { claimId: newClaimId(), changedAt: silentFor(3_600_000) };
		const letGo = holdClaim(beaten().store, claim.claimId);
		expect(signOf(claim)).toBe('at-work');
		letGo();
		expect(signOf({ ...claim, changedAt: silentFor(0) })).toBe('gone');
	});

	it.each([
		[0, 'heard-lately'],
		[60_000, 'heard-lately'],
		[60_001, 'gone'],
		[-5_000, 'heard-lately'],
	])('of another process, silent for %i ms: %s', (ms, sign) => {
		expect(signOf({ claimId: 'of another process', changedAt: silentFor(ms) })).toBe(sign);
	});
});
