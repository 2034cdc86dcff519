import { describe, expect, it } from 'vitest';
import { fieldsToArguments } from '../../../src/schema/fieldsToArguments';
import { toFormModel } from '../../../src/schema/toFormModel';

const properties = {
	text: { type: 'string' },
	needed: { type: 'string' },
	amount: { type: 'number' },
	count: { type: 'integer' },
	open: { type: 'boolean' },
	size: { enum: ['S', 'M', 1, true, null] },
	address: { type: 'object' },
	tags: { type: 'array' },
	anything: {},
};
const model = toFormModel({ type: 'object', properties, required: ['needed'] });
const sent = (values: Readonly<Record<string, unknown>>) => fieldsToArguments(model, values);

describe('empty fields (C13, U21)', () => {
	it.each(Object.keys(properties).filter((name) => name !== 'needed'))(
		'an optional %s left empty is left out',
		(name) => {
			for (const empty of [null, undefined, '']) expect(sent({ [name]: empty })).toStrictEqual({});
		},
	);

	it('a required text left empty is sent as the empty text', () => {
		expect(sent({ needed: '' })).toStrictEqual({ needed: '' });
	});

	it('a required text that nobody filled in is left out, and the schema check names it', () => {
		expect(sent({ needed: null })).toStrictEqual({});
	});

	it('a required choice that offers null sends null', () => {
		const schema = {
			type: 'object',
			properties: { size: { enum: ['S', null] } },
			required: ['size'],
		};
		expect(fieldsToArguments(toFormModel(schema), { size: null })).toStrictEqual({ size: null });
	});

	it.each(['array', 'object'])('a required %s that may be null can be null by name', (type) => {
		const properties = { a: { type: [type, 'null'] } };
		const schema = { type: 'object', properties, required: ['a'] };
		expect(fieldsToArguments(toFormModel(schema), { a: 'null' })).toStrictEqual({ a: null });
	});

	it('an empty text that is one of the choices is sent', () => {
		const either = toFormModel({ type: 'object', properties: { a: { enum: ['', 'x'] } } });
		expect(fieldsToArguments(either, { a: '' })).toStrictEqual({ a: '' });
		expect(fieldsToArguments(either, { a: null })).toStrictEqual({});
	});

	it('a choice of null that the field holds as text is sent as null', () => {
		expect(sent({ size: 'null' })).toStrictEqual({ size: null });
	});

	it.each([
		['text', { type: ['string', 'null'] }],
		['list', { type: ['array', 'null'] }],
		['number', { type: ['number', 'null'] }],
		['union', { anyOf: [{ type: 'integer' }, { type: 'null' }] }],
	])('a required %s that may be null and was left empty is sent as null', (_, property) => {
		const schema = { type: 'object', properties: { a: property }, required: ['a'] };
		expect(fieldsToArguments(toFormModel(schema), { a: null })).toStrictEqual({ a: null });
	});

	it.each([
		['a blank', { text: ' ' }],
		['zero', { amount: 0 }],
		['false', { open: false }],
		['an empty object', { address: {} }],
		['an empty list', { tags: [] }],
	])('%s is not empty', (_, values) => {
		expect(sent(values)).toStrictEqual(values);
	});
});

describe('texts that expressions give become what the schema wants (C13)', () => {
	it.each<[string, unknown, unknown]>([
		['amount', '12.50', 12.5],
		['amount', ' -3 ', -3],
		['amount', '0', 0],
		['count', '7', 7],
		['open', 'true', true],
		['open', 'false', false],
		['open', 'TRUE', true],
		['open', 1, true],
		['open', 0, false],
		['text', new Date(0), '1970-01-01T00:00:00.000Z'],
		['size', 'S', 'S'],
		['size', '1', 1],
		['size', 1, 1],
		['size', 'true', true],
		['text', 5, '5'],
		['text', false, 'false'],
		['address', '{"street":"x"}', { street: 'x' }],
		['tags', '["a",1]', ['a', 1]],
		['anything', '{"a":null}', { a: null }],
		['anything', '5', 5],
		['anything', '"5"', '5'],
	])('%s: %j is sent as %j', (name, value, expected) => {
		expect(sent({ [name]: value })).toStrictEqual({ [name]: expected });
	});

	it('a choice of a text and a number that look alike keeps the type that was chosen', () => {
		const schema = { type: 'object', properties: { a: { enum: ['1', 1] } } };
		const either = toFormModel(schema);
		expect(fieldsToArguments(either, { a: 1 })).toStrictEqual({ a: 1 });
		expect(fieldsToArguments(either, { a: '1' })).toStrictEqual({ a: '1' });
	});
});

describe('texts in a field of JSON are read as a type that the schema allows, or stay texts (C13)', () => {
	const textOr = (type: string) =>
		toFormModel({ type: 'object', properties: { a: { type: ['string', type] } } });

	it.each<[string, string, unknown]>([
		['array', '["x"]', ['x']],
		['array', '123', '123'],
		['array', 'plain words', 'plain words'],
		['array', '"123"', '123'],
		['array', 'null', 'null'],
		['null', 'null', null],
		['null', '"null"', 'null'],
		['null', '5', '5'],
		['number', '5', 5],
		['integer', '5', 5],
		['integer', '5.5', '5.5'],
		['boolean', 'true', true],
		['object', '{"x":1}', { x: 1 }],
	])('text or %s: %s', (type, text, expected) => {
		expect(fieldsToArguments(textOr(type), { a: text })).toStrictEqual({ a: expected });
	});
});

describe('what cannot become it is passed on, for the schema check to name', () => {
	it.each<[string, unknown]>([
		['amount', 'a lot'],
		['amount', 'Infinity'],
		['amount', ' '],
		['count', '1,000'],
		['open', 'yes'],
		['open', 2],
		['size', 'XXL'],
		['address', '[1]'],
		['address', '{"street":'],
		['address', 'null'],
		['tags', '{}'],
		['tags', 'a, b'],
		['anything', 'plain words'],
		['text', { a: 1 }],
	])('%s: %j stays', (name, value) => {
		expect(sent({ [name]: value })).toStrictEqual({ [name]: value });
	});
});

describe('names', () => {
	it('a field that the schema does not have is passed on as it is', () => {
		expect(sent({ extra: '5' })).toStrictEqual({ extra: '5' });
	});

	it('without fields in the schema, values are passed on and empties left out', () => {
		expect(fieldsToArguments({ kind: 'json' }, { a: '5', b: '', c: null })).toStrictEqual({
			a: '5',
		});
	});

	it('`__proto__` is a name like any other, and reaches no prototype', () => {
		const schema: unknown = JSON.parse(
			'{"type":"object","properties":{"__proto__":{"type":"integer"}}}',
		);
		const values = JSON.parse('{"__proto__":"5"}') as Readonly<Record<string, unknown>>;
		const args = fieldsToArguments(toFormModel(schema), values);
		expect(Object.entries(args)).toEqual([['__proto__', 5]]);
		expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
	});

	it('`constructor` is no field unless the schema has it', () => {
		expect(sent({ constructor: '5' })).toStrictEqual({ constructor: '5' });
	});

	it('the values given stay as they were', () => {
		const values = Object.freeze({ amount: '5', text: '' });
		sent(values);
		expect(values).toEqual({ amount: '5', text: '' });
	});
});
