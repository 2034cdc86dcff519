import { describe, expect, it } from 'vitest';

import { retryDelayMs } from '../../../src/call/retryDelay';

describe('the wait before the next attempt (failures.md)', () => {
	it('begins at 100 ms and doubles up to 10 s', () => {
		const waits = [1, 2, 3, 4, 7, 8, 20].map((attempts) => retryDelayMs(attempts, 0, undefined));
		expect(waits).toEqual([100, 200, 400, 800, 6400, 10_000, 10_000]);
	});

	it('is shortened by chance, to a half at most', () => {
		expect(retryDelayMs(1, 0.5, undefined)).toBe(75);
		expect(retryDelayMs(1, 1, undefined)).toBe(50);
	});

	it.each([
		[5_000, 5_000],
		[0, 0],
		[-1, 0],
		[60_000, 60_000],
		[3_600_000, 60_000],
	])('Retry-After wins, up to a minute: %s ms gives %s', (asked, given) => {
		expect(retryDelayMs(3, 0.5, asked)).toBe(given);
	});
});
