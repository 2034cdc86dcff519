import { describe, expect, it } from 'vitest';

import { limitFrom, readWaitLimit } from '../../../src/park/waitLimit';

const now = new Date('2026-11-29T10:00:00.000Z');
const read = (values: unknown) => readWaitLimit({ values }, now);

describe('the option Limit Wait (P26)', () => {
	it.each([[undefined], [null], [{}], [{ values: undefined }], ['x']])(
		'%j sets no limit',
		(option) => {
			expect(readWaitLimit(option, now)).toEqual({ ok: true, value: undefined });
		},
	);

	it.each([
		[{ amount: 2, unit: 'minutes' }, 120_000],
		[{ amount: 0.5, unit: 'hours' }, 1_800_000],
		[{ amount: 3, unit: 'days' }, 259_200_000],
		[{ amount: 1 }, 3_600_000],
		[{ amount: 0.000001, unit: 'minutes' }, 1],
	])('%j lasts %i ms', (values, durationMs) => {
		expect(read(values)).toEqual({ ok: true, value: { durationMs, onExpiry: 'continue' } });
	});

	it('says what an item does that expires', () => {
		expect(read({ onExpiry: 'fail' })).toMatchObject({ value: { onExpiry: 'fail' } });
	});

	it.each([
		[{ amount: 0 }, 'Amount'],
		[{ amount: -1 }, 'Amount'],
		[{ amount: NaN }, 'Amount'],
		[{ amount: Infinity }, 'Amount'],
		[{ amount: '5' }, 'Amount'],
		[{ amount: null }, 'Amount'],
		[{ amount: '' }, 'Amount'],
		// What an expression leaves that gives nothing; n8n fills in the default of a field that was never set.
		[{ amount: undefined }, 'Amount'],
		[{ unit: undefined }, 'Unit'],
		[{ onExpiry: undefined }, 'On Expiry'],
		[{ unit: 'weeks' }, 'Unit'],
		[{ unit: 'constructor' }, 'Unit'],
		[{ unit: 7 }, 'Unit'],
		[{ onExpiry: 'ignore' }, 'On Expiry'],
		[{ amount: 400_000, unit: 'days' }, '3000'],
		[{ amount: 1e300, unit: 'days' }, '3000'],
	])('%j is refused, naming the field and that nothing was called', (values, named) => {
		expect(read(values)).toMatchObject({
			ok: false,
			failure: {
				code: 'arguments-invalid',
				disposition: 'did-not-happen',
				message: expect.stringMatching(new RegExp(`^Limit Wait .*${named}`)),
			},
		});
	});

	it('the last millisecond before the year 3000 can be waited for, the next cannot', () => {
		const left = Date.UTC(3000, 0, 1) - now.getTime();
		expect(read({ amount: (left - 1) / 60_000, unit: 'minutes' }).ok).toBe(true);
		expect(read({ amount: left / 60_000, unit: 'minutes' }).ok).toBe(false);
	});

	it('counts from when the wait begins', () => {
		const begins = new Date('2026-12-01T00:00:00.000Z');
		expect(limitFrom({ durationMs: 90_000, onExpiry: 'fail' }, begins)).toEqual({
			deadline: '2026-12-01T00:01:30.000Z',
			onExpiry: 'fail',
		});
	});
});
