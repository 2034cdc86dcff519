import { describe, expect, test } from 'vitest';

import { retryAfterMs } from '../../src/mcp/retryAfter';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('Retry-After', () => {
	test.each<[string | undefined, number | undefined]>([
		['0', 0],
		['120', 120_000],
		[' 2 ', 2_000],
		['1.5', 1_500],
		['Fri, 02 Jan 2026 03:04:35 GMT', 30_000],
		['Friday, 02-Jan-26 03:04:35 GMT', 30_000],
		['Fri Jan  2 03:04:35 2026', 30_000],
		['Fri, 02 Jan 2026 03:00:00 GMT', 0],
		[undefined, undefined],
		['', undefined],
		['-5', undefined],
		['soon', undefined],
		['2026', 2_026_000],
		['2026-01-02T03:04:35Z', undefined],
		['Fri, 99 Jan 2026 03:04:35 GMT', undefined],
		['1e3', undefined],
		['9'.repeat(400), undefined],
		['NaN', undefined],
	])('%j is %s ms', (header, ms) => {
		expect(retryAfterMs(header, undefined, now)).toBe(ms);
	});

	test('a date is judged by the clock of the server, where it tells it', () => {
		const header = 'Fri, 02 Jan 2026 13:00:30 GMT';
		expect(retryAfterMs(header, 'Fri, 02 Jan 2026 13:00:00 GMT', now)).toBe(30_000);
		expect(retryAfterMs('7', 'Fri, 02 Jan 2026 13:00:00 GMT', now)).toBe(7_000);
		expect(retryAfterMs('Fri, 02 Jan 2026 03:04:35 GMT', 'yesterday', now)).toBe(30_000);
	});
});
