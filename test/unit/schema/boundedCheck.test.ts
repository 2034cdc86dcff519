import { describe, expect, it } from 'vitest';
import { boundedCheck } from '../../../src/schema/boundedCheck';

const payment = {
	type: 'object',
	properties: {
		amount: { type: 'number', minimum: 0 },
		lines: { type: 'array', items: { type: 'object', required: ['item'] } },
	},
	required: ['amount'],
	additionalProperties: false,
};

describe('checks that need no watch', () => {
	it('a plain schema and a small value are checked unwatched', () => {
		expect(boundedCheck(payment)({ amount: 1, lines: [{ item: 'Chai' }] })).toBe(true);
		expect(boundedCheck(true)({ any: 'thing' })).toBe(true);
	});

	it.each([
		['many parts', Array.from({ length: 5000 }, () => 0)],
		['a long text', 'x'.repeat(10_000_000)],
		['many levels', Array.from({ length: 5000 }).reduce<unknown>((inner) => [inner], 0)],
	])('a value of %s is watched', (_, lines) => {
		expect(boundedCheck(payment)({ amount: 1, lines })).toBe(false);
	});

	it.each([
		['a reference', { $ref: '#/$defs/a', $defs: { a: true } }],
		['a reference far inside', { items: { anyOf: [{ not: { $ref: '#' } }] } }],
		['a dynamic reference', { $dynamicRef: '#a' }],
		['a pattern', { pattern: '^(a+)+$' }],
		['patterns as names', { patternProperties: { '^(a+)+$': true } }],
		['a format', { format: 'uri' }],
		['equal entries', { uniqueItems: true }],
		['a keyword that is not known', { newKeyword: 1 }],
		['an inherited name for a keyword', { constructor: {} }],
	])('%s is watched, for every value', (_, schema) => {
		expect(boundedCheck(schema)(1)).toBe(false);
	});

	it('the more keywords a schema has, the smaller a value is watched', () => {
		const properties = Object.fromEntries(
			Array.from({ length: 300 }, (_, at) => [`p${String(at)}`, { type: 'string', minLength: 1 }]),
		);
		const list = Array.from({ length: 100 }, () => 'x');
		expect(boundedCheck({ items: { type: 'string' } })(list)).toBe(true);
		expect(boundedCheck({ items: { properties } })(list)).toBe(false);
	});
});
