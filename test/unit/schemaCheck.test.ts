import { describe, expect, it } from 'vitest';
import { compileSchema, type SchemaIssue } from '../../src/schema/checkSchema';

function issues(schema: unknown, value: unknown): readonly SchemaIssue[] {
	const compiled = compileSchema(schema);
	if (compiled.kind === 'unusable') throw new Error(compiled.reason);
	return compiled.check(value);
}

function reason(schema: unknown): string {
	const compiled = compileSchema(schema);
	return compiled.kind === 'unusable' ? compiled.reason : 'it compiled';
}

const accepts = (schema: unknown, value: unknown) => issues(schema, value).length === 0;
const D07 = 'http://json-schema.org/draft-07/schema#';
const D04 = 'http://json-schema.org/draft-04/schema#';
const D2019 = 'https://json-schema.org/draft/2019-09/schema';

/** Runs work and tells how long it took, in ms. */
function took(work: () => void): number {
	const before = performance.now();
	work();
	return performance.now() - before;
}

describe('drafts (park: validation of answers)', () => {
	it.each([
		['true', true],
		['{}', {}],
		['an object that only names its draft', { $schema: D07 }],
	])('%s accepts anything', (_, schema) => {
		for (const value of [null, 0, 'x', [], { a: 1 }]) expect(issues(schema, value)).toEqual([]);
	});

	it('`false` accepts nothing', () => {
		expect(issues(false, 1)).toEqual([{ path: '$', message: 'is not allowed here' }]);
	});

	it('2020-12 is meant when $schema is absent: prefixItems counts', () => {
		const schema = { prefixItems: [{ type: 'string' }], items: false };
		expect(accepts(schema, ['a'])).toBe(true);
		expect(accepts(schema, [1])).toBe(false);
		expect(accepts(schema, ['a', 'b'])).toBe(false);
	});

	it('2019-09 reads $recursiveRef and unevaluatedProperties', () => {
		const schema = {
			$schema: D2019,
			$recursiveAnchor: true,
			type: 'object',
			properties: { child: { $recursiveRef: '#' } },
			unevaluatedProperties: false,
		};
		expect(accepts(schema, { child: { child: {} } })).toBe(true);
		expect(issues(schema, { child: { x: 1 } })[0]?.path).toBe('$.child.x');
	});

	it('draft-07 reads a list of items, with http, https and a trailing #', () => {
		for (const $schema of [D07, 'https://json-schema.org/draft-07/schema']) {
			const schema = { $schema, items: [{ type: 'number' }], additionalItems: false };
			expect(accepts(schema, [1])).toBe(true);
			expect(accepts(schema, [1, 2])).toBe(false);
		}
	});

	it('draft-04 reads id and a boolean exclusiveMaximum', () => {
		const schema = { $schema: D04, id: 'x', maximum: 3, exclusiveMaximum: true };
		expect(issues(schema, 3)).toEqual([{ path: '$', message: 'must be less than 3' }]);
		expect(accepts(schema, 2)).toBe(true);
	});

	it('a draft nobody knows is unusable, by name', () => {
		expect(reason({ $schema: 'https://example.org/mine' })).toContain('https://example.org/mine');
		expect(reason({ $schema: 7 })).toContain('not supported');
	});

	it('keywords that no draft knows are ignored, ajv’s own additions included', () => {
		expect(accepts({ id: 'x', type: 'string', sorted: 1 }, 'a')).toBe(true);
		expect(accepts({ nullable: true, type: 'string' }, null)).toBe(false);
		expect(accepts({ nullable: true, anyOf: [{ type: 'string' }] }, 'a')).toBe(true);
		expect(accepts({ $async: true, type: 'string' }, 1)).toBe(false);
		expect(accepts({ properties: { nullable: { type: 'string' } } }, { nullable: 1 })).toBe(false);
	});
});

describe('issues', () => {
	const payment = {
		type: 'object',
		properties: {
			approved: { type: 'boolean' },
			note: { type: ['string', 'null'], minLength: 3 },
			'odd name': { type: 'array', items: { type: 'integer' } },
			currency: { enum: ['EUR', 'USD'] },
		},
		required: ['approved'],
		additionalProperties: false,
	};

	it.each<[string, unknown, SchemaIssue]>([
		[
			'a wrong type',
			{ approved: 'yes' },
			{ path: '$.approved', message: 'must be a boolean, but a string arrived' },
		],
		['a missing property', {}, { path: '$.approved', message: 'is required' }],
		[
			'a surplus property',
			{ approved: true, extra: 1 },
			{ path: '$.extra', message: 'is not allowed here' },
		],
		[
			'an entry below an odd name',
			{ approved: true, 'odd name': [1, 'x'] },
			{ path: '$["odd name"][1]', message: 'must be a whole number, but a string arrived' },
		],
		[
			'a fraction where a whole number is wanted',
			{ approved: true, 'odd name': [1.5] },
			{ path: '$["odd name"][0]', message: 'must be a whole number, but a number arrived' },
		],
		[
			'an unlisted value',
			{ approved: true, currency: 'GBP' },
			{ path: '$.currency', message: 'must be one of "EUR", "USD"' },
		],
		[
			'a text too short',
			{ approved: true, note: 'ok' },
			{ path: '$.note', message: 'must have at least 3 characters' },
		],
		['no object at all', 'yes', { path: '$', message: 'must be an object, but a string arrived' }],
	])('name the place and the remedy of %s', (_, value, issue) => {
		expect(issues(payment, value)).toEqual([issue]);
	});

	it('all problems are told at once, at most 20', () => {
		expect(issues(payment, { note: 1, currency: 2 })).toHaveLength(3);
		expect(issues({ items: { type: 'string' } }, new Array(5000).fill(1))).toHaveLength(20);
	});

	it('branches of a union become one sentence', () => {
		const schema = { anyOf: [{ type: 'string' }, { type: 'null' }, { const: 7 }] };
		expect(issues(schema, true)).toEqual([{ path: '$', message: 'must be a string or null or 7' }]);
	});

	it('what one of several branches requires is told as a choice', () => {
		const schema = { anyOf: [{ required: ['iban'] }, { required: ['card'] }] };
		expect(issues(schema, {})).toEqual([{ path: '$', message: 'must have "iban" or "card"' }]);
	});

	it('a value that fits two of one-of is told so', () => {
		const schema = { oneOf: [{ type: 'number' }, { minimum: 1 }] };
		expect(issues(schema, 2)[0]?.message).toContain('more than one of the allowed forms');
	});

	it.each([
		['email', 'nobody'],
		['date', '2026-02-30'],
		['date-time', '2026-11-03 09:30'],
		['uri', 'example'],
		['uuid', 'x'],
	])('the format %s is checked', (format, value) => {
		expect(issues({ type: 'string', format }, value)).toHaveLength(1);
	});

	it('a property named __proto__ is judged like any other (P16)', () => {
		const schema: unknown = JSON.parse(
			'{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}',
		);
		expect(issues(schema, JSON.parse('{"__proto__":"a"}'))).toEqual([]);
		expect(issues(schema, JSON.parse('{"__proto__":1}'))).toEqual([
			{ path: '$.__proto__', message: 'must be a string, but a number arrived' },
		]);
		expect(
			accepts({ uniqueItems: true, items: { type: 'string' } }, ['__proto__', '__proto__']),
		).toBe(false);
	});

	it('an inherited name is not taken for a property (P16)', () => {
		for (const name of ['constructor', 'toString', '__proto__']) {
			expect(issues({ required: [name] }, {})).toEqual([
				{ path: `$.${name}`, message: 'is required' },
			]);
		}
	});
});

describe('schemas nobody here controls', () => {
	it('an $id of one schema is not seen by another', () => {
		const $id = 'https://example.org/answer';
		expect(accepts({ $id, type: 'string' }, 'a')).toBe(true);
		expect(accepts({ $id, type: 'number' }, 1)).toBe(true);
		expect(reason({ $ref: $id })).toContain('never loaded');
	});

	it.each<[string, unknown, string]>([
		['not valid', { type: 'text' }, 'not valid'],
		['a string', 'object', 'neither an object nor a boolean'],
		['absent', undefined, 'no schema'],
		['referring to nothing', { $ref: '#/$defs/none' }, '#/$defs/none'],
		['referring to the network', { $ref: 'https://example.org/x.json' }, 'never loaded'],
		['referring to itself', { $ref: '#' }, 'without end'],
		['a look-ahead', { pattern: '^(?=a)b' }, 'bounded time'],
		['a broken pattern', { pattern: '(' }, '("("'],
		['too large', { description: 'x'.repeat(300_000) }, '256 kB'],
		['too deep', nested(80), '64 levels'],
		['not JSON', { default: 1n }, 'not JSON'],
	])('one that is %s is unusable, with the reason', (_, schema, part) => {
		expect(reason(schema).replace('pattern "("', '("("')).toContain(part);
	});

	it('one as deep as the cap compiles', () => {
		expect(accepts(nested(30), 1)).toBe(true);
	});

	it('a pattern that would backtrack for years is checked at once', () => {
		const evil = 'a'.repeat(50_000) + '!';
		const ms = took(() => {
			for (const pattern of ['^(a+)+$', '^(a|a)*$', '^([a-z]+)*\\d$', '(x+x+)+y']) {
				issues({ type: 'string', pattern }, evil);
				issues({ type: 'object', patternProperties: { [pattern]: false } }, { [evil]: 1 });
			}
			expect(accepts({ pattern: '^(a+)+$' }, evil)).toBe(false);
		});
		expect(ms).toBeLessThan(5000);
	});

	it('different patterns of one schema are told apart', () => {
		const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
		expect(accepts(schema, { a: 'a', b: 'b' })).toBe(true);
		expect(accepts(schema, { a: 'a', b: 'a' })).toBe(false);
	});

	it.each([
		['^\\u00e4+$', 'ää'],
		['^\\p{L}+$', 'Ünïcode'],
		['^(?<year>\\d{4})-\\/$', '2026-/'],
		['^[^\\d]{1,3}$', '😀b'],
	])('the pattern %s means what it means in JavaScript', (pattern, text) => {
		expect(accepts({ pattern }, text)).toBe(true);
		expect(accepts({ pattern }, '12345')).toBe(false);
	});

	it('work that doubles at every reference is stopped', () => {
		const $defs = Object.fromEntries(
			Array.from({ length: 40 }, (_, at) => [
				`d${at}`,
				{ allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
			]),
		);
		const schema = { $ref: '#/$defs/d0', $defs: { ...$defs, d40: { type: 'string' } } };
		const ms = took(() => {
			expect(reason(schema)).toContain('multiply to more than');
		});
		expect(ms).toBeLessThan(10_000);
	}, 30_000);

	it('a value that takes too long to check is refused, not accepted', () => {
		let value: unknown = {};
		for (let level = 0; level < 60; level += 1) value = { a: value };
		const branch = { properties: { a: { $ref: '#' } } };
		expect(issues({ allOf: [branch, branch] }, value)).toEqual([
			{ path: '$', message: 'takes too long to check' },
		]);
	}, 15_000);

	it('equal entries are found in a large array, and values in a large enum, in time', () => {
		const entries = Array.from({ length: 4_000 }, (_, at) => ({ at }));
		const unique = { type: 'array', uniqueItems: true };
		expect(issues(unique, entries)).toEqual([]);
		expect(issues(unique, [...entries, { at: 7 }])).toEqual([
			{ path: '$', message: 'must not hold the same entry twice (entries 7 and 4000)' },
		]);
		const texts = Array.from({ length: 4_000 }, (_, at) => `text ${String(at)}`);
		expect(accepts({ items: { enum: texts } }, texts)).toBe(true);
		expect(accepts({ items: { enum: texts } }, [...texts, 'another'])).toBe(false);
	});

	it('two hundred properties with formats and patterns compile and are checked', () => {
		const kinds = [
			{ rule: { type: 'string', format: 'email', maxLength: 100 }, good: 'somebody@example.org' },
			{ rule: { type: 'string', format: 'date-time' }, good: '2026-11-03T09:30:00Z' },
			{ rule: { type: 'integer', minimum: 0 }, good: 5 },
			{ rule: { enum: ['red', 'blue'] }, good: 'red' },
			{ rule: { type: 'string', pattern: '^[a-z]+\\d{2,5}$' }, good: 'ab123' },
		];
		const all = Array.from({ length: 40 }, (_, at) =>
			kinds.map(({ rule, good }, kind) => ({ name: `p${String(at * 5 + kind)}`, rule, good })),
		).flat();
		const schema = {
			type: 'object',
			properties: Object.fromEntries(all.map(({ name, rule }) => [name, rule])),
			required: all.map(({ name }) => name),
			additionalProperties: false,
		};
		const value = Object.fromEntries(all.map(({ name, good }) => [name, good]));
		expect(issues(schema, value)).toEqual([]);
		expect(issues(schema, { ...value, p100: true })).toEqual([
			{ path: '$.p100', message: 'must be a string, but a boolean arrived' },
		]);
	});

	it('a long name is cut in the issues', () => {
		const [issue] = issues({ additionalProperties: false }, { ['n'.repeat(100_000)]: 1 });
		expect(issue?.path).toMatch(/^\$\["n+…"\]$/);
		expect(issue?.path.length).toBeLessThan(110);
	});

	it.each([
		['at once', { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } }],
		['below a property', { properties: { a: { not: { $ref: '#/properties/a' } } } }],
	])('a circle of references that never goes deeper, met %s, is unusable', (_, schema) => {
		expect(reason(schema)).toContain('without end');
	});

	it('a part used very often behind references is compiled once, and references that multiply are unusable', () => {
		const part = { properties: { x: { type: 'string' }, y: { type: 'string' } } };
		const uses = (count: number) =>
			Object.fromEntries(
				Array.from({ length: count }, (_, at) => [`p${String(at)}`, { $ref: '#/$defs/part' }]),
			);
		const schema = { properties: uses(300), $defs: { part } };
		expect(issues(schema, { p299: { y: 1 } })[0]?.path).toBe('$.p299.y');
		expect(
			reason({ properties: uses(700), $defs: { part: { allOf: [schema] }, ...part } }),
		).toMatch(/more than \d+ keywords/);
	});

	it('a pattern with some classes of Unicode’s is checked; one with hundreds, each of hundreds of ranges, is unusable', () => {
		const letters = (count: number) => ({ pattern: `^${'\\p{L}x?'.repeat(count)}$` });
		expect(accepts(letters(40), 'ß'.repeat(40))).toBe(true);
		expect(accepts(letters(40), '7'.repeat(40))).toBe(false);
		expect(reason(letters(300))).toMatch(/more than \d+ keywords/);
	});

	it.each(['$ref', '$id'])('an address as long as a book in %s is unusable', (keyword) => {
		expect(reason({ [keyword]: 'x'.repeat(80_000) })).toMatch(/more than \d+ keywords/);
	});

	it('a value nested without end is refused, not thrown at', () => {
		const value: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
		expect(
			issues({ $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } }, value),
		).toEqual([{ path: '$', message: 'is nested too deeply to be checked' }]);
	});

	it('a schema changed after it was compiled does not change the check', () => {
		const schema = { type: 'string' };
		const compiled = compileSchema(schema);
		schema.type = 'number';
		expect(compiled.kind === 'compiled' && compiled.check('a')).toEqual([]);
		expect(accepts(schema, 1)).toBe(true);
	});

	it('the hundred last used schemas are kept, the others forgotten', () => {
		const first = compileSchema({ const: 'kept' });
		for (let at = 0; at < 99; at++) compileSchema({ const: at });
		expect(compileSchema({ const: 'kept' })).toBe(first);
		for (let at = 100; at < 200; at++) compileSchema({ const: at });
		expect(compileSchema({ const: 'kept' })).not.toBe(first);
	});
});

function nested(levels: number): unknown {
	let schema: unknown = {};
	for (let level = 0; level < levels; level++) schema = { not: { not: schema } };
	return schema;
}
