import { describe, expect, it } from 'vitest';
import { fits } from '../../../src/page/client/fits';
import { compileSchema } from '../../../src/schema/checkSchema';

const SCHEMAS: readonly unknown[] = [
	true,
	false,
	{ type: 'integer' },
	{ type: ['string', 'null'] },
	{ const: { a: [1] } },
	{ enum: ['1', 1] },
	{ minimum: 2, exclusiveMaximum: 5 },
	{ minLength: 2, maxLength: 3 },
	{ properties: { a: { const: 1 } }, required: ['a'] },
	{ properties: { a: {} }, additionalProperties: false },
	{ not: { type: 'object' } },
	{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' }, minItems: 1 }] },
	{ allOf: [{ type: 'number' }, { minimum: 3 }] },
	{ $defs: { n: { type: 'number' } }, $ref: '#/$defs/n' },
];
const VALUES: readonly unknown[] = [
	null,
	true,
	1,
	2.5,
	4,
	'1',
	'abc',
	'a',
	[],
	[1],
	['x'],
	{},
	{ a: 1 },
	{ a: [1] },
	{ b: 1 },
];

describe('whether a value fits, for the form', () => {
	it.each(SCHEMAS.map((schema) => ({ schema })))(
		'agrees with the server on $schema',
		({ schema }) => {
			const compiled = compileSchema(schema);
			if (compiled.kind !== 'compiled') throw new Error(compiled.reason);
			for (const value of VALUES) {
				expect([value, fits(schema, value, schema)]).toEqual([
					value,
					compiled.check(value).length === 0,
				]);
			}
		},
	);

	it('comes to an end on a schema without one, and runs no pattern', () => {
		const loop = { anyOf: [{ $ref: '#' }, { $ref: '#' }], pattern: '(a+)+$' };
		expect(typeof fits(loop, `${'a'.repeat(40)}!`, loop)).toBe('boolean');
	});
});
