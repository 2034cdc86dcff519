import { largeValue, nested, objectOf, randomValue } from './jsonValues';
import type { Random } from './random';
import { DRAFTS, randomDocument } from './randomSchema';

/** A schema that means harm, and values that are meant to set it off. */
export interface HostileCase {
	readonly name: string;
	readonly schema: unknown;
	readonly values: readonly unknown[];
}

type Recipe = (random: Random) => { readonly schema: unknown; readonly values: readonly unknown[] };

const times = <T>(count: number, make: (at: number) => T): T[] =>
	Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, make: (at: number) => unknown) =>
	objectOf(times(count, (at) => [`p${String(at)}`, make(at)]));
const large = (random: Random) => random.int(1, 4) ** 6;
const EVIL = 'a'.repeat(50_000) + '!';

const RECIPES: Readonly<Record<string, Recipe>> = {
	'references that double': (random) => {
		const levels = random.int(5, 60);
		const two = (at: number) => times(2, () => ({ $ref: `#/$defs/d${String(at + 1)}` }));
		const keyword = random.pick(['allOf', 'anyOf', 'oneOf']);
		const $defs = objectOf([
			...times(levels, (at) => [`d${String(at)}`, { [keyword]: two(at) }] as const),
			[`d${String(levels)}`, { type: 'string' }],
		]);
		const start = { $ref: '#/$defs/d0' };
		const schema = random.chance(0.5)
			? { ...start, $defs }
			: { properties: { deep: start }, $defs };
		return { schema, values: ['x', 1, { deep: 'x' }, { deep: 1 }] };
	},
	'properties that double': (random) => {
		const levels = random.int(5, 40);
		const $defs = objectOf(
			times(levels, (at) => {
				const next = at + 1 < levels ? { $ref: `#/$defs/d${String(at + 1)}` } : true;
				return [`d${String(at)}`, { anyOf: times(2, () => ({ properties: { a: next } })) }];
			}),
		);
		const value = nested(levels, (inner) => ({ a: inner ?? 1 }));
		return { schema: { $ref: '#/$defs/d0', $defs }, values: [value, {}] };
	},
	'recursion that doubles with the value': (random) => {
		const keyword = random.pick(['allOf', 'oneOf', 'anyOf']);
		const branch = { properties: { a: { $ref: '#' } }, additionalProperties: false };
		const values = [10, 20, 40, 190].map((depth) => nested(depth, (inner) => ({ a: inner ?? {} })));
		return { schema: { [keyword]: [branch, branch] }, values: [...values, { a: 1 }] };
	},
	'a circle of references': (random) => {
		const length = random.int(1, 30);
		const $defs = named(length, (at) => ({ $ref: `#/$defs/p${String((at + 1) % length)}` }));
		const start = { $ref: '#/$defs/p0' };
		const schema = random.chance(0.5) ? { ...start, $defs } : { properties: { a: start }, $defs };
		return { schema, values: [1, { a: 1 }, { a: { a: 1 } }] };
	},
	'a circle behind a condition': (random) => {
		const keyword = random.pick(['not', 'if', 'propertyNames', 'contains', 'items']);
		const schema = { properties: { a: { [keyword]: { $ref: '#/properties/a' } } } };
		return { schema, values: [{ a: 1 }, { a: [[1]] }, { a: { b: 1 } }] };
	},
	'a huge enum': (random) => {
		const entries = times(large(random) * 5, (at) =>
			random.chance(0.01) ? { at } : `entry ${String(at)}`,
		);
		const schema = random.chance(0.5) ? { enum: entries } : { items: { enum: entries } };
		return { schema: withDraft(random, schema), values: [1, 'entry 3', largeValue(random)] };
	},
	'an enum of objects': (random) => {
		const entries = times(large(random), (at) => ({ a: { at, b: [at, 'x'] } }));
		const value = times(500, (at) => ({ a: { at, b: [at, 'y'] } }));
		return { schema: withDraft(random, { items: { enum: entries } }), values: [value] };
	},
	'unique entries': (random) => ({
		schema: withDraft(random, { uniqueItems: true, items: random.pick([{}, { type: 'object' }]) }),
		values: [largeValue(random), times(30_000, (at) => [at]), ['__proto__', '__proto__']],
	}),
	'patterns that backtrack': (random) => {
		const pattern = random.pick([
			'^(a+)+$',
			'^(a|a)*$',
			'^([a-z]+)*\\d$',
			'(x+x+)+y',
			'^(a|aa)+$',
			'(.*)*=.*',
			'^(\\w+\\s?)*$',
			'((a?){30})a{30}',
			'^(([a-z])+.)+[A-Z]([a-z])+$',
			'(([^a])*)*!',
		]);
		const schema = random.pick<unknown>([
			{ pattern },
			{ patternProperties: { [pattern]: false } },
			{ propertyNames: { pattern } },
			{ items: { pattern } },
		]);
		const list = times(1000, () => 'a'.repeat(900));
		return { schema: withDraft(random, schema), values: [EVIL, objectOf([[EVIL, 1]]), list] };
	},
	'patterns that grow': (random) => {
		const inner = random.pick(['a', '[a-z]', '\\p{L}', '.', '[\\p{L}\\p{N}\\u{1F600}-\\u{1F64F}]']);
		const pattern = random.pick([
			`(${inner}{1,30}){1,30}`,
			`${inner}{0,1000}`,
			`((${inner}{0,10}){0,10}){0,10}b`,
			`(${times(200, (at) => `${inner}{${String(at)}}`).join('|')})`,
			`(?:${inner}|`.repeat(300) + 'x' + ')'.repeat(300),
			'('.repeat(2000) + ')'.repeat(2000),
			`[${times(3000, (at) => String.fromCharCode(0x4e00 + at * 2)).join('')}]+`,
		]);
		const value = random.pick([EVIL, 'ß'.repeat(20_000), 'a'.repeat(1_000_000)]);
		return { schema: { pattern }, values: [value, 'a'] };
	},
	'many patterns': (random) => {
		const patterns = times(large(random), (at) => `^(a|b)+${String(at)}$`);
		const schema = random.pick<unknown>([
			{ patternProperties: objectOf(patterns.map((pattern) => [pattern, true])) },
			{ allOf: patterns.map((pattern) => ({ pattern })) },
			{ properties: objectOf(patterns.map((pattern) => [pattern, { pattern }])) },
		]);
		return { schema, values: [{ ab1: 1 }, 'ab'.repeat(20_000), largeValue(random)] };
	},
	'deep nesting': (random) => {
		const levels = random.int(1, 400);
		const keyword = random.pick(['not', 'items', 'contains', 'propertyNames', 'if']);
		const schema = nested(levels, (inner) => ({ [keyword]: inner ?? {} }));
		return { schema, values: [nested(190, (inner) => [inner ?? 1]), 1, { a: 1 }] };
	},
	'nesting that never ends': (random) => ({
		schema: nested(random.int(1000, 20_000), (inner) => ({ not: inner ?? {} })),
		values: [],
	}),
	'a wide fan': (random) => {
		const keyword = random.pick(['allOf', 'anyOf', 'oneOf']);
		const members = times(large(random), (at) =>
			random.pick<unknown>([
				{ type: 'object', required: [`p${String(at)}`] },
				{ const: at },
				{ properties: { a: { const: at } }, required: ['a'] },
				{ type: 'string', minLength: at },
			]),
		);
		const schema = random.chance(0.5) ? { [keyword]: members } : { items: { [keyword]: members } };
		return {
			schema: withDraft(random, schema),
			values: [{ a: 1 }, [1, {}, 'x'], largeValue(random)],
		};
	},
	'a fan of fans': (random) => {
		const width = random.int(2, 4);
		const schema = nested(random.int(2, 6), (inner) => ({
			[random.pick(['allOf', 'anyOf', 'oneOf'])]: new Array<unknown>(width).fill(
				inner ?? { type: 'object', properties: { a: { type: 'string' } } },
			),
			unevaluatedProperties: random.chance(0.5),
		}));
		return { schema, values: [{ a: 'x', b: 1 }, 1, largeValue(random)] };
	},
	'unevaluated properties': (random) => {
		const members = times(random.int(1, 300), (at) => ({
			properties: { [`p${String(at)}`]: true },
		}));
		return {
			schema: {
				$schema: random.pick([DRAFTS[1], DRAFTS[2]]),
				[random.pick(['allOf', 'anyOf', 'oneOf'])]: members,
				unevaluatedProperties: false,
			},
			values: [named(300, (at) => at), { p0: 1 }, largeValue(random)],
		};
	},
	'dependent schemas': (random) => {
		const count = large(random);
		const dependent = named(count, (at) => ({ required: [`p${String((at + 1) % count)}`] }));
		const keyword = random.pick(['dependentSchemas', 'dependencies']);
		return { schema: { [keyword]: dependent }, values: [named(count, (at) => at), { p0: 1 }] };
	},
	'many properties': (random) => {
		const properties = named(large(random), (at) => ({
			type: 'string',
			format: random.pick(['email', 'date-time', 'uri', 'uuid']),
			description: `number ${String(at)}`,
		}));
		const schema = { type: 'object', properties, required: Object.keys(properties) };
		return { schema: withDraft(random, schema), values: [{}, named(2000, () => 'x')] };
	},
	'one large part behind many references': (random) => {
		const part = {
			properties: named(random.int(10, 100), () => ({ type: 'string', maxLength: 9 })),
		};
		const properties = named(random.int(10, 500), () => ({ $ref: '#/$defs/part' }));
		return { schema: { properties, $defs: { part } }, values: [named(500, () => ({ p1: 1 }))] };
	},
	'hostile formats': (random) => {
		const format = random.pick([
			'email',
			'idn-email',
			'uri',
			'uri-reference',
			'uri-template',
			'url',
			'hostname',
			'ipv6',
			'date-time',
			'duration',
			'time',
			'regex',
			'json-pointer',
			'byte',
			'uuid',
			'iso-time',
		]);
		const values = [
			'a'.repeat(100_000),
			'a@'.repeat(50_000),
			'a.'.repeat(50_000),
			'http://' + 'a:'.repeat(50_000),
			'http://[' + '1:'.repeat(50_000),
			'{' + 'a,'.repeat(50_000),
			'-'.repeat(100_000),
			'P' + '1'.repeat(100_000),
			'('.repeat(50_000),
			'(a*)*'.repeat(20_000),
			'/~'.repeat(50_000),
			'=A'.repeat(50_000),
			'%'.repeat(100_000),
			'2026-11-03T' + '0'.repeat(100_000),
			'::'.repeat(50_000),
			'a'.repeat(60) + '.' + 'b-'.repeat(50_000),
		];
		return { schema: { format }, values: random.shuffled(values).slice(0, 4) };
	},
	'a long text where a short one belongs': (random) => {
		const text = 'x'.repeat(random.int(1, 200_000));
		const schema = objectOf([
			[
				random.pick([
					'title',
					'$comment',
					'format',
					'type',
					'$ref',
					'$id',
					'$anchor',
					'pattern',
					'$schema',
				]),
				text,
			],
			['properties', objectOf([[text, { const: text }]])],
			['required', [text]],
		]);
		return { schema, values: [{}, objectOf([[text, 1]])] };
	},
	'giant numbers': (random) => ({
		schema: {
			multipleOf: random.pick([5e-324, 1e308, 0.1, 1e-9]),
			minimum: -1e308,
			maxLength: 1e308,
			minItems: 1e300,
			maxProperties: 2 ** 53,
			minContains: 1e9,
			contains: true,
		},
		values: [1e308, 5e-324, 'x', [1], { a: 1 }, 0.3],
	}),
	'not a schema': (random) => ({
		schema: random.pick<unknown>([null, 7, 'object', [], [{}], '', undefined, NaN, new Array(9e5)]),
		values: [],
	}),
	'a schema of megabytes': (random) => ({
		schema: random.pick<unknown>([
			{ description: 'x'.repeat(20_000_000) },
			{ enum: times(1_000_000, (at) => at) },
			{ properties: named(100_000, () => ({})) },
			nested(200, (inner) => [inner, ...times(500, () => ({}))]),
		]),
		values: [],
	}),
	'a seen address': (random) => ({
		schema: {
			$id: 'https://example.org/shared',
			type: random.pick(['string', 'number', 'object']),
			$defs: { a: { $anchor: 'here', $dynamicAnchor: 'here', $id: 'https://example.org/a' } },
		},
		values: ['a', 1, {}],
	}),
	'a schema that would replace a draft': (random) => ({
		schema: {
			$id: random.pick(['http://json-schema.org/draft-07/schema', DRAFTS[1], DRAFTS[2]]),
			type: 'number',
			$defs: { again: { $id: 'https://json-schema.org/draft/2020-12/meta/core', type: 'null' } },
		},
		values: [1, 'x'],
	}),
	'dynamic references': (random) => ({
		schema: {
			$schema: random.pick([DRAFTS[1], DRAFTS[2]]),
			$id: 'https://example.org/tree',
			$dynamicAnchor: 'node',
			$recursiveAnchor: true,
			properties: {
				children: { items: { $dynamicRef: '#node' } },
				other: { $recursiveRef: '#' },
				inner: { $id: 'inner', $dynamicAnchor: 'node', $ref: 'tree' },
			},
			unevaluatedProperties: false,
		},
		values: [
			nested(60, (inner) => ({ children: [inner ?? {}, {}] })),
			nested(60, (inner) => ({ other: inner ?? 1 })),
			{ inner: { inner: {} }, x: 1 },
		],
	}),
};

const NAMES = Object.keys(RECIPES);

/** One case: half are random schemas, half follow a recipe for harm. */
export function hostileCase(random: Random): HostileCase {
	const name = NAMES[random.int(0, NAMES.length - 1)] ?? '';
	const recipe = RECIPES[name];
	if (recipe === undefined || random.chance(0.5)) {
		const values = [...times(4, () => randomValue(random)), {}, [], objectOf([['a', { a: [] }]])];
		if (random.chance(0.05)) values.push(largeValue(random));
		return { name: 'a random schema', schema: randomDocument(random), values };
	}
	return { name, ...recipe(random) };
}

function withDraft(random: Random, schema: unknown): unknown {
	const $schema = random.pick(DRAFTS);
	return typeof schema === 'object' && $schema !== undefined ? { $schema, ...schema } : schema;
}
