import { describe, expect, it } from 'vitest';
import { readInstant } from '../../../src/park/instant';
import { storePark } from '../../../src/park/storePark';

function utc(text: string): string {
	const reading = readInstant(text);
	return reading.kind === 'instant' ? reading.at.toISOString() : reading.kind;
}

describe('instants that are read, as UTC (P12)', () => {
	it.each([
		['2026-08-14T09:00:00Z', '2026-08-14T09:00:00.000Z'],
		['2026-08-14T09:00:00+00:00', '2026-08-14T09:00:00.000Z'],
		['2026-08-14T09:00:00-00:00', '2026-08-14T09:00:00.000Z'],
		['2026-08-14T14:45:00+05:45', '2026-08-14T09:00:00.000Z'],
		['2026-08-13T22:30:00-10:30', '2026-08-14T09:00:00.000Z'],
		['2026-08-14T08:59:00+23:59', '2026-08-13T09:00:00.000Z'],
		['2026-12-31T20:00:00-08:00', '2027-01-01T04:00:00.000Z'],
		['2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00.000Z'],
		['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
		['2026-08-14T23:59:59Z', '2026-08-14T23:59:59.000Z'],
		['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
	])('%s is %s', (text, expected) => {
		expect(utc(text)).toBe(expected);
	});

	it.each([
		['2026-08-14T09:00:00.2Z', '2026-08-14T09:00:00.200Z'],
		['2026-08-14T09:00:01.001Z', '2026-08-14T09:00:01.001Z'],
		['2026-08-14T09:00:00.123456789Z', '2026-08-14T09:00:00.123Z'],
		[`2026-08-14T09:00:00.25${'0'.repeat(200)}Z`, '2026-08-14T09:00:00.250Z'],
	])('a fraction of any length counts to the millisecond: %s', (text, expected) => {
		expect(utc(text)).toBe(expected);
	});

	it('every millisecond of a minute survives', () => {
		const minute = Date.UTC(2026, 7, 14, 9);
		const wrong = Array.from({ length: 60_000 }, (_, ms) =>
			new Date(minute + ms).toISOString(),
		).filter((text) => utc(text) !== text);
		expect(wrong).toEqual([]);
	});

	it('is stored as UTC text', () => {
		const until = new Date('2026-08-14T11:00:00+02:00');
		expect(storePark({ kind: 'sleep', until })).toEqual({
			kind: 'sleep',
			until: '2026-08-14T09:00:00.000Z',
		});
	});
});

describe('what is no instant (P12)', () => {
	it.each([
		['a leap second', '2026-12-31T23:59:60Z'],
		['hour 24', '2026-08-14T24:00:00Z'],
		['minute 60', '2026-08-14T09:60:00Z'],
		['day 31 of a month with 30', '2026-04-31T09:00:00Z'],
		['29 February of a common year', '2027-02-29T09:00:00Z'],
		['29 February 2900, which is no leap year', '2900-02-29T00:00:00Z'],
		['day 0', '2026-08-00T09:00:00Z'],
		['month 0', '2026-00-14T09:00:00Z'],
		['lower-case t', '2026-08-14t09:00:00Z'],
		['lower-case z', '2026-08-14T09:00:00z'],
		['a blank for the T', '2026-08-14 09:00:00Z'],
		['a blank before', ' 2026-08-14T09:00:00Z'],
		['a line break behind', '2026-08-14T09:00:00Z\n'],
		['an offset without colon', '2026-08-14T09:00:00+0200'],
		['an offset of hours alone', '2026-08-14T09:00:00+02'],
		['an offset of 24 hours', '2026-08-14T09:00:00+24:00'],
		['an offset of 60 minutes', '2026-08-14T09:00:00+02:60'],
		['a true minus sign', '2026-08-14T09:00:00\u221202:00'],
		['a fraction with a comma', '2026-08-14T09:00:00,5Z'],
		['a fraction without digits', '2026-08-14T09:00:00.Z'],
		['no dashes', '20260814T090000Z'],
		['a year of five digits', '12026-08-14T09:00:00Z'],
		['a signed year', '+002026-08-14T09:00:00Z'],
		['other digits', '２０２６-08-14T09:00:00Z'],
		['an ordinal date', '2026-226T09:00:00Z'],
		['a zone name', '2026-08-14T09:00:00[Europe/Vienna]'],
	])('%s', (_, text) => {
		expect(readInstant(text)).toEqual({ kind: 'malformed' });
	});
});

describe('the end of time as n8n has it (P13)', () => {
	it.each(['2999-12-31T00:00:00Z', '2999-12-31T23:59:59.999Z', '3000-01-01T00:59:59+01:00'])(
		'%s is accepted',
		(text) => {
			expect(readInstant(text).kind).toBe('instant');
		},
	);

	it.each([
		'3000-01-01T00:00:00Z',
		'3000-01-01T01:00:00+01:00',
		'2999-12-31T23:00:00-01:00',
		'9999-12-31T23:59:59Z',
	])('%s lies beyond it', (text) => {
		expect(readInstant(text)).toEqual({ kind: 'beyond-never' });
	});

	it('a day that does not exist is malformed also beyond it', () => {
		expect(readInstant('3000-02-30T00:00:00Z')).toEqual({ kind: 'malformed' });
	});
});
