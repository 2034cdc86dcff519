import { describe, expect, it } from 'vitest';
import { readArgumentFields, readArgumentsJson } from '../../../src/n8n/readArguments';

describe('Arguments (JSON)', () => {
	it.each<[string, unknown, unknown]>([
		['a JSON text', '{"a":[1,null]}', { a: [1, null] }],
		['an empty text', '', {}],
		['a blank text', ' \n', {}],
		['nothing, which is refused later', undefined, undefined],
		['null, which is refused later', null, null],
		['a value that an expression gave', { a: 1 }, { a: 1 }],
	])('%s', (_, value, read) => {
		expect(readArgumentsJson(value)).toStrictEqual({ ok: true, value: read });
	});

	it.each<[unknown, unknown]>([
		['[]', []],
		['null', null],
		['5', 5],
		['"x"', 'x'],
		[5, 5],
		[false, false],
		[[], []],
	])('%j is handed on, so that the call is refused by what arrived', (value, read) => {
		expect(readArgumentsJson(value)).toStrictEqual({ ok: true, value: read });
	});

	it('a `__proto__` key stays a key of its own', () => {
		const read = readArgumentsJson('{"__proto__":{"admin":true}}');
		expect(read.ok && Object.keys(read.value as object)).toEqual(['__proto__']);
	});

	it.each(['{', '{a:1}', "{'a':1}", '{"a":1,}', 'text', '{"a":1} x', 'undefined'])(
		'%j is refused as no JSON, before anything is sent',
		(value) => {
			const read = readArgumentsJson(value);
			expect(read).toMatchObject({
				ok: false,
				failure: { code: 'arguments-invalid', disposition: 'did-not-happen' },
			});
			expect(!read.ok && read.failure.message).toMatch(/^Arguments \(JSON\) is not valid JSON/);
		},
	);

	it.each(['{"pin":hunter2}', '{"pin":"hunter2",}', '{"pin":"hunter2"', 'hunter2'])(
		'the refusal of %j does not show the arguments',
		(value) => {
			expect(JSON.stringify(readArgumentsJson(value))).not.toContain('hunter2');
		},
	);

	it('the refusal of a long text stays short', () => {
		const read = readArgumentsJson(`{"a":${'x'.repeat(100_000)}}`);
		expect(!read.ok && read.failure.message.length).toBeLessThan(300);
	});
});

describe('Argument Fields', () => {
	it('a mapping is taken as it is', () => {
		const value = { a: null, b: '' };
		expect(readArgumentFields(value)).toBe(value);
	});

	it.each([[null], [undefined], [''], [[]]])('%j is an empty mapping', (value) => {
		expect(readArgumentFields(value)).toEqual({});
	});
});
