import { describe, expect, it } from 'vitest';
import type { FormNode } from '../../../src/page/client/formNode';
import { toFormSchema } from '../../../src/page/client/formSchema';
import { follow, proposedValue } from '../../../src/page/client/proposedValue';
import cases from '../../fixtures/page-schemas.json';

/** The node of a property, by the server's names. */
function nodeAt(schema: unknown, ...names: readonly string[]): FormNode {
	const form = toFormSchema(schema);
	let node = form.schema;
	for (const name of names) {
		const inner = follow(node, form.schema).properties?.[form.names.alias(name)];
		if (inner === undefined) throw new Error(`There is no ${name}.`);
		node = follow(inner, form.schema);
	}
	return node;
}
const leafAt = (schema: unknown, ...names: readonly string[]) => nodeAt(schema, ...names).leaf;
const property = (schema: unknown, isRequired = false) =>
	leafAt({ properties: { it: schema }, ...(isRequired ? { required: ['it'] } : {}) }, 'it');
/** What the form begins with, under the server's names. */
function begins(schema: unknown): unknown {
	const { schema: node, names } = toFormSchema(schema);
	return names.decode(proposedValue(node, node));
}

describe('a schema as a form', () => {
	it.each([
		[{ type: 'string' }, 'text'],
		[{ type: 'string', format: 'email' }, 'email'],
		[{ type: 'string', format: 'uri' }, 'url'],
		[{ type: 'string', format: 'date' }, 'date'],
		[{ type: 'string', format: 'date-time' }, 'date-time'],
		[{ type: 'string', format: 'password' }, 'password'],
		[{ type: 'string', format: 'hidden' }, 'text'],
		[{ type: 'string', maxLength: 400 }, 'long'],
		[{ minLength: 3 }, 'text'],
		[{ type: 'integer' }, 'integer'],
		[{ minimum: 3 }, 'number'],
		[{ type: ['string', 'null'] }, 'text'],
		[{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer'],
		[{ allOf: [{ type: 'number' }, { minimum: 3 }] }, 'number'],
		[{ type: 'array', uniqueItems: true, items: { enum: [1, 2] } }, 'choices'],
		[{ type: 'array' }, 'json'],
		[{ type: 'object' }, 'json'],
		[{ $ref: 'https://example.org/elsewhere' }, 'json'],
		[{ $ref: '#/properties/it' }, 'json'],
		[true, 'json'],
		[{}, 'json'],
	])('enters %j as %s', (schema, kind) => {
		expect(property(schema)?.kind).toBe(kind);
	});

	it.each([true, false, {}, { type: 'nonsense' }, null, 'text', [], { $ref: '#' }])(
		'writes an answer to %j as JSON',
		(schema) => {
			expect(toFormSchema(schema).schema.leaf?.kind).toBe('json');
		},
	);

	it('keeps the types of the values to choose from, and labels them apart', () => {
		expect(property({ enum: ['1', 1, true, null, ''] })).toEqual({
			kind: 'choice',
			options: [
				{ value: '1', label: '"1"' },
				{ value: 1, label: '1' },
				{ value: true, label: 'true' },
				{ value: null, label: 'None (null)' },
				{ value: '', label: '(empty)' },
			],
		});
		expect(
			property({
				oneOf: [
					{ const: 0, title: 'Reject' },
					{ const: 1, title: 'Approve' },
				],
			}),
		).toEqual({
			kind: 'choice',
			options: [
				{ value: 0, label: 'Reject' },
				{ value: 1, label: 'Approve' },
			],
		});
	});

	it('never gives consent on somebody’s behalf, but fills in what can only be so', () => {
		const schema = {
			properties: { accept: { const: true }, kind: { const: 'card' }, extra: { const: 'gift' } },
			required: ['accept', 'kind'],
		};
		expect(leafAt(schema, 'accept')?.kind).toBe('choice');
		expect(leafAt(schema, 'kind')?.kind).toBe('fixed');
		expect(leafAt(schema, 'extra')?.kind).toBe('choice');
		expect(begins(schema)).toEqual({ kind: 'card' });
	});

	it('begins with the defaults, and without the parts that may be left out', () => {
		const part = { type: 'object', properties: { city: { default: 'Kiel', type: 'string' } } };
		const schema = {
			properties: { amount: { type: 'number', default: 7 }, to: part, also: part },
			required: ['to'],
		};
		expect(begins(schema)).toEqual({ amount: 7, to: { city: 'Kiel' } });
		expect(nodeAt(schema, 'also').optional).toBe(true);
	});

	it('names a shared definition after the property, unless the property has a title', () => {
		const schema = {
			$defs: { address: { title: 'Address', type: 'object', properties: { a: {} } } },
			properties: {
				bill_to: { $ref: '#/$defs/address' },
				ship: { $ref: '#/$defs/address', title: 'Ship to' },
			},
		};
		expect(nodeAt(schema, 'bill_to').title).toBe('Bill to');
		expect(nodeAt(schema, 'ship').title).toBe('Ship to');
	});

	it('hands the library neither names nor keywords of the server', () => {
		const schema: unknown = JSON.parse(`{
			"properties": { "__proto__": { "type": "string", "ui:widget": "hidden", "$id": "toString" },
				"constructor": { "enumNames": ["x"], "type": "integer" }, "a.b": true },
			"required": ["__proto__", "constructor"] }`);
		const text = JSON.stringify(toFormSchema(schema).schema.properties);
		for (const word of ['__proto__', 'constructor', 'ui:widget', '$id', 'enumNames', 'a.b']) {
			expect(text).not.toContain(`"${word}":`);
		}
	});

	it('asks for a property that is demanded but not described', () => {
		expect(leafAt({ type: 'object', required: ['free'] }, 'free')?.kind).toBe('json');
	});

	it('leaves alternatives that only demand something to the check', () => {
		const schema = {
			type: 'object',
			properties: { a: { type: 'string' }, b: { type: 'string' } },
			anyOf: [{ required: ['a'] }, { required: ['b'] }],
		};
		expect(toFormSchema(schema).schema.anyOf).toBeUndefined();
	});

	it('ends at a schema that refers to itself', () => {
		const schema = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] };
		expect(() => begins(schema)).not.toThrow();
		expect(JSON.stringify(toFormSchema(schema).schema).length).toBeLessThan(2000);
	});

	it('takes 40 levels of objects, and what lies deeper as JSON', () => {
		let schema: unknown = { type: 'string' };
		for (let level = 0; level < 60; level++)
			schema = { type: 'object', properties: { in: schema }, required: ['in'] };
		expect(JSON.stringify(toFormSchema(schema).schema)).toContain('"kind":"json"');
	});

	it.each(cases)('$name: proposes nothing that the schema does not', ({ schema }) => {
		expect(() => begins(schema)).not.toThrow();
	});
});
