import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/json/canonicalJson';

describe('canonical JSON', () => {
	it('equal values give equal texts, whatever the order of keys, at every depth', () => {
		const one = { b: 1, a: { d: [{ y: 1, x: 2 }], c: null } };
		const other = { a: { c: null, d: [{ x: 2, y: 1 }] }, b: 1 };
		expect(canonicalJson(one)).toBe('{"a":{"c":null,"d":[{"x":2,"y":1}]},"b":1}');
		expect(canonicalJson(other)).toBe(canonicalJson(one));
	});

	it('keeps the order of arrays', () => {
		expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
	});

	it('orders keys by code unit, not by language or number', () => {
		expect(
			canonicalJson({ ä: 1, z: 2, Z: 3, a: 4, '10': 5, '9': 6, '\u{1f600}': 7, '\uff5e': 8 }),
		).toBe('{"10":5,"9":6,"Z":3,"a":4,"z":2,"ä":1,"\u{1f600}":7,"\uff5e":8}');
	});

	it('does not make two spellings of one letter equal', () => {
		expect(canonicalJson('\u00e9')).not.toBe(canonicalJson('e\u0301'));
	});

	const values = [
		null,
		true,
		0,
		-1.5,
		1e21,
		'',
		'a "quoted" \\ text\n\u2028',
		[],
		{},
		[[]],
		[null],
	];
	it.each(values.map((value) => [value]))('%j is JSON again when read', (value) => {
		expect(JSON.parse(canonicalJson(value))).toEqual(value);
	});

	it('a `__proto__` key is a key like any other', () => {
		const value: unknown = JSON.parse('{"__proto__":{"b":1,"a":2},"a":1}');
		expect(canonicalJson(value)).toBe('{"__proto__":{"a":2,"b":1},"a":1}');
	});

	it('tells absent, null, text and number apart', () => {
		const texts = [{}, { a: null }, { a: '1' }, { a: 1 }, { a: true }, { a: 'true' }].map(
			canonicalJson,
		);
		expect(new Set(texts).size).toBe(6);
	});

	it('an undefined member is absent; an undefined entry is null, as in JSON', () => {
		expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
		expect(canonicalJson(undefined)).toBe('null');
	});
});
