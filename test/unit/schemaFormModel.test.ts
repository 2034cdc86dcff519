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
		['an object', { type: 'object' }, { kind: 'json', expects: 'object' }],
		['an array', { type: 'array' }, { kind: 'json', expects: 'array' }],
		['a union', { type: ['string', 'number'] }, { kind: 'json', expects: 'any' }],
		['anything', true, { kind: 'json', expects: 'any' }],
		['a string or null', { type: ['string', 'null'] }, { kind: 'string', nullable: true }],
		[
			'a union with null, described outside',
			{ anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'How many' },
			{ kind: 'integer', nullable: true, description: 'How many' },
		],
		['a wrapped reference', { allOf: [{ $ref: '#/$defs/x' }] }, { kind: 'number' }],
		['a reference', { $ref: '#/$defs/x', title: 'X' }, { kind: 'number', title: 'X' }],
		['a reference to nothing', { $ref: '#/$defs/none' }, { kind: 'json', expects: 'any' }],
		['a reference to elsewhere', { $ref: 'https://example.org' }, { kind: 'json', expects: 'any' }],
		['a cycle', { $ref: '#/$defs/a' }, { kind: 'json', expects: 'any' }],
		['a blank title', { type: 'string', title: ' ' }, { kind: 'string', title: 'it' }],
	])('shows %s', (_, property, part) => {
		const $defs = { x: { type: 'number' }, a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } };
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
		expect(toFormModel({ type: 'object', properties: {}, required: ['a'] })).toEqual({
			kind: 'fields',
			fields: [],
			flat: true,
		});
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
