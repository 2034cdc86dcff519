import { describe, expect, it } from 'vitest';
import type { FormField } from '../../src/schema/formModel';
import { toFormModel } from '../../src/schema/toFormModel';

function fieldsOf(schema: unknown): readonly FormField[] {
	const model = toFormModel(schema);
	if (model.kind !== 'fields') throw new Error('no fields');
	return model.fields;
}

const fieldOf = (property: unknown, root: object = {}) =>
	fieldsOf({ type: 'object', ...root, properties: { it: property } })[0];

describe('the form over a schema (R8)', () => {
	it('has required fields first, else the schema’s order', () => {
		const schema = {
			type: 'object',
			properties: { a: { type: 'string' }, b: { type: 'number' }, c: {}, d: { type: 'boolean' } },
			required: ['d', 'b'],
		};
		expect(fieldsOf(schema).map(({ name }) => name)).toEqual(['b', 'd', 'a', 'c']);
	});

	it.each<[string, unknown, Partial<FormField>]>([
		['a string', { type: 'string' }, { kind: 'string', multiline: false }],
		['a format', { type: 'string', format: 'email' }, { kind: 'string', format: 'email' }],
		['a long text', { type: 'string', maxLength: 500 }, { kind: 'string', multiline: true }],
		['a text area', { type: 'string', format: 'textarea' }, { kind: 'string', multiline: true }],
		['a number', { type: 'number' }, { kind: 'number' }],
		['an integer', { type: 'integer' }, { kind: 'integer' }],
		['a boolean', { type: 'boolean', default: false }, { kind: 'boolean', default: false }],
		['an object', { type: 'object' }, { kind: 'json', types: ['object'] }],
		['an array', { type: 'array' }, { kind: 'json', types: ['array'] }],
		['a union', { type: ['string', 'number'] }, { kind: 'json', types: ['string', 'number'] }],
		['anything', true, { kind: 'json' }],
		[
			'a string or null, null by default',
			{ type: ['string', 'null'], default: null },
			{ kind: 'string', nullable: true },
		],
		[
			'a union with null, described outside',
			{ anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'How many', default: null },
			{ kind: 'integer', nullable: true, description: 'How many' },
		],
		[
			'a null that is not the same as nothing',
			{ type: ['string', 'null'] },
			{ kind: 'json', types: ['string', 'null'] },
		],
		[
			'a yes, a no or a null',
			{ type: ['boolean', 'null'] },
			{
				kind: 'enum',
				options: [
					{ value: true, label: 'true' },
					{ value: false, label: 'false' },
					{ value: null, label: 'null' },
				],
			},
		],
		[
			'a choice or null',
			{ anyOf: [{ enum: ['a'] }, { const: 'b', title: 'B' }, { type: 'null' }] },
			{
				kind: 'enum',
				options: [
					{ value: 'a', label: 'a' },
					{ value: 'b', label: 'B' },
					{ value: null, label: 'null' },
				],
			},
		],
		[
			'a choice whose type rules some out',
			{ type: 'string', enum: ['a', 1, null] },
			{ kind: 'enum', options: [{ value: 'a', label: 'a' }] },
		],
		[
			'a null and its name, which no choice tells apart',
			{ enum: ['null', null] },
			{ kind: 'json' },
		],
		[
			'alternatives of one type',
			{ anyOf: [{ enum: ['a', 'b'] }, { $ref: '#/$defs/text' }] },
			{ kind: 'string' },
		],
		[
			'alternatives of several types and null',
			{
				oneOf: [{ type: 'string' }, { items: {}, type: 'array' }, { type: 'null' }],
				default: null,
			},
			{ kind: 'json', types: ['string', 'array'] },
		],
		['alternatives that are open', { anyOf: [{ type: 'string' }, {}] }, { kind: 'json' }],
		['an integer or a number', { type: ['integer', 'number'] }, { kind: 'number' }],
		[
			'several things that hold at once',
			{ allOf: [{ $ref: '#/$defs/text' }, { minLength: 1 }] },
			{ kind: 'string' },
		],
		['a wrapped reference', { allOf: [{ $ref: '#/$defs/x' }] }, { kind: 'number' }],
		['a reference', { $ref: '#/$defs/x', title: 'X' }, { kind: 'number', title: 'X' }],
		['a reference to nothing', { $ref: '#/$defs/none' }, { kind: 'json' }],
		['a reference to elsewhere', { $ref: 'https://example.org' }, { kind: 'json' }],
		['a cycle', { $ref: '#/$defs/a' }, { kind: 'json' }],
		['a blank title', { type: 'string', title: ' ' }, { kind: 'string', title: 'it' }],
	])('shows %s', (_, property, part) => {
		const $defs = {
			x: { type: 'number' },
			text: { type: 'string' },
			a: { $ref: '#/$defs/b' },
			b: { $ref: '#/$defs/a' },
		};
		expect(fieldOf(property, { $defs })).toMatchObject(part);
	});

	it('keeps the type of every choice', () => {
		expect(fieldOf({ enum: ['1', 1, true, null, ''] })).toMatchObject({
			kind: 'enum',
			options: [
				{ value: '1', label: '"1"' },
				{ value: 1, label: '1' },
				{ value: true, label: 'true' },
				{ value: null, label: 'null' },
				{ value: '', label: '(empty)' },
			],
		});
	});

	it.each(['anyOf', 'allOf'])(
		'may have an %s of more parts than a function takes arguments',
		(keyword) => {
			const parts = Array.from({ length: 200_000 }, () => ({ required: ['a'] }));
			const schema = { type: 'object', properties: { a: { type: 'string' } }, [keyword]: parts };
			expect(fieldsOf(schema).map(({ name, required }) => [name, required])).toEqual([
				['a', keyword === 'allOf'],
			]);
		},
	);

	it('takes the titles of a union of constants', () => {
		const oneOf = [{ const: 'a', title: 'First' }, { const: 'b' }];
		expect(fieldOf({ oneOf })).toMatchObject({
			kind: 'enum',
			options: [
				{ value: 'a', label: 'First' },
				{ value: 'b', label: 'b' },
			],
		});
	});

	it('enters choices that are objects as JSON', () => {
		expect(fieldOf({ enum: [{ a: 1 }] })).toMatchObject({ kind: 'json' });
	});

	it('treats hostile names as ordinary properties (P16)', () => {
		const schema: unknown = JSON.parse(
			'{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["__proto__"]}',
		);
		expect(fieldsOf(schema)).toMatchObject([
			{ name: '__proto__', kind: 'string', required: true },
			{ name: 'constructor', kind: 'number', required: false },
		]);
	});

	it('asks for what is required and described nowhere as JSON', () => {
		expect(fieldsOf({ type: 'object', properties: {}, required: ['a'] })).toEqual([
			{ name: 'a', title: 'a', required: true, kind: 'json' },
		]);
	});

	it('is flat as long as no field is JSON', () => {
		const flat = { properties: { a: { type: 'string' } } };
		expect(toFormModel(flat)).toMatchObject({ flat: true });
		expect(toFormModel({ properties: { ...flat.properties, b: {} } })).toMatchObject({
			flat: false,
		});
	});

	it('leaves out a property that must not be there', () => {
		expect(fieldsOf({ properties: { a: false, b: { type: 'string' } } })).toHaveLength(1);
	});

	it.each([
		[true],
		[false],
		[null],
		['object'],
		[[]],
		[{}],
		[{ type: 'object' }],
		[{ type: 'string' }],
		[{ type: 'array', properties: { a: {} } }],
		[{ $ref: '#' }],
	])('is one JSON box for %j', (schema) => {
		expect(toFormModel(schema)).toEqual({ kind: 'json' });
	});

	it('follows a reference at the top', () => {
		const schema = { $ref: '#/$defs/a', $defs: { a: { properties: { x: { type: 'string' } } } } };
		expect(fieldsOf(schema)).toMatchObject([{ name: 'x' }]);
	});

	it('says that an object without properties has no fields', () => {
		expect(fieldsOf({ type: 'object', additionalProperties: false })).toEqual([]);
	});
});

describe('an object made of parts (C13, U19)', () => {
	const base = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
	const $defs = { base, both: { allOf: [{ $ref: '#/$defs/base' }] } };
	const b = { type: 'integer' };

	it.each<[string, object]>([
		['allOf', { allOf: [base, { properties: { b } }] }],
		['allOf beside properties', { type: 'object', allOf: [base], properties: { b } }],
		['a reference beside properties', { $ref: '#/$defs/base', properties: { b } }],
		['references in turn', { $ref: '#/$defs/both', properties: { b } }],
		['a union with null', { anyOf: [base, { type: 'null' }], properties: { b } }],
	])('shows the fields of every part: %s', (_, schema) => {
		const fields = fieldsOf({ ...schema, $defs });
		expect(new Map(fields.map(({ name, kind, required }) => [name, { kind, required }]))).toEqual(
			new Map([
				['a', { kind: 'string', required: true }],
				['b', { kind: 'integer', required: false }],
			]),
		);
	});

	it('takes what several parts say of one property together', () => {
		const schema = { allOf: [base, { properties: { a: { enum: ['x', 'y'] } } }] };
		expect(fieldsOf(schema)).toMatchObject([{ name: 'a', kind: 'string' }]);
	});

	it('shows fields when alternatives only say which of them are needed', () => {
		const properties = { a: { type: 'string' }, b };
		const anyOf = [{ required: ['a'] }, { required: ['b'], properties: { b: { minimum: 1 } } }];
		expect(fieldsOf({ type: 'object', properties, anyOf })).toMatchObject([
			{ name: 'a', required: false },
			{ name: 'b', required: false },
		]);
	});

	it.each<[string, object]>([
		['alternatives', { oneOf: [base, { properties: { b } }] }],
		['alternatives behind a reference', { anyOf: [{ $ref: '#/$defs/base' }, { required: ['b'] }] }],
		['a condition', { if: { required: ['a'] }, then: { required: ['b'] } }],
		['what depends on a property', { dependentSchemas: { a: { properties: { b } } } }],
		['a part that is elsewhere', { allOf: [{ $ref: 'https://example.org/schema' }] }],
		['a part that is no object', { allOf: [{ type: 'string' }] }],
		['a part that is not there', { $ref: '#/$defs/none' }],
	])('is one JSON box when its fields depend on %s', (_, part) => {
		expect(toFormModel({ type: 'object', properties: {}, $defs, ...part })).toEqual({
			kind: 'json',
		});
	});

	it('parts that lead back to themselves end, and so do those that multiply', () => {
		const defs = Object.fromEntries(
			Array.from({ length: 60 }, (_, n) => {
				const next = { $ref: `#/$defs/d${String((n + 1) % 60)}` };
				return [`d${String(n)}`, { allOf: [next, next], anyOf: [next, next, next] }];
			}),
		);
		const start = { $ref: '#/$defs/d0' };
		const schema = {
			$defs: defs,
			...start,
			properties: { a: start, b: { anyOf: [start, start] } },
		};
		expect(fieldsOf(schema)).toMatchObject([
			{ name: 'a', kind: 'json' },
			{ name: 'b', kind: 'json' },
		]);
	});
});
