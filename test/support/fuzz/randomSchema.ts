import { objectOf, randomNumber, randomText, randomValue } from './jsonValues';
import type { Random } from './random';

export const DRAFTS = [
	undefined,
	'https://json-schema.org/draft/2020-12/schema',
	'https://json-schema.org/draft/2019-09/schema',
	'http://json-schema.org/draft-07/schema#',
	'http://json-schema.org/draft-06/schema#',
	'http://json-schema.org/draft-04/schema#',
] as const;

/** One address for all, so that a schema that is seen by another is found out. */
const IDS = [
	'https://example.org/shared',
	'https://example.org/a',
	'urn:x',
	'#here',
	'x',
	'',
] as const;
const NAMES = ['a', 'b', 'c', '__proto__', 'constructor', 'x y', '', '~/%', 'ß'] as const;
const REFERENCES = [
	'#',
	'#/$defs/a',
	'#/$defs/b',
	'#/$defs/__proto__',
	'#/definitions/a',
	'#/definitions/b',
	'#/properties/a',
	'#/properties/__proto__',
	'#/constructor',
	'#here',
	'#/$defs/%61',
	'#/$defs/~',
	'https://example.org/shared',
	'https://example.org/shared#here',
	'https://example.com/remote.json',
	'http://json-schema.org/draft-07/schema#',
	'https://json-schema.org/draft/2020-12/schema',
	'file:///etc/passwd',
	'//example.org',
	'?',
	'\u0000',
] as const;
const PATTERNS = [
	'^a+$',
	'^(a+)+$',
	'(a|a)*b',
	'^(([a-z])+.)+[A-Z]([a-z])+$',
	'(.*a){12}',
	'(a{1,30}){1,30}',
	'((a{0,99}){0,9}b',
	'[',
	'(?=a)b',
	'(a)\\1',
	'\\p{L}+',
	'\\u{1F600}',
	'^\\S+@\\S+$',
	'[^\\s\\S]',
	'a{99999}',
	'(?<n>a)',
	'$^',
	'',
] as const;
const FORMATS = [
	'email',
	'date',
	'time',
	'date-time',
	'duration',
	'hostname',
	'ipv4',
	'ipv6',
	'uri',
	'uri-reference',
	'uri-template',
	'url',
	'uuid',
	'regex',
	'json-pointer',
	'relative-json-pointer',
	'iso-date-time',
	'byte',
	'int32',
	'idn-email',
	'no-such-format',
	'__proto__',
] as const;
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;

type Maker = (random: Random, depth: number) => unknown;

const sub: Maker = (random, depth) => randomSchema(random, depth - 1);
const subs: Maker = (random, depth) =>
	Array.from({ length: random.int(1, 3) }, () => sub(random, depth));
const named: Maker = (random, depth) =>
	objectOf(
		Array.from({ length: random.int(0, 3) }, () => [random.pick(NAMES), sub(random, depth)]),
	);
const names: Maker = (random) => [
	...new Set(Array.from({ length: random.int(0, 3) }, () => random.pick(NAMES))),
];
const count: Maker = (random) => random.int(0, 5);
const anyNumber: Maker = (random) => randomNumber(random);
const flag: Maker = (random) => random.chance(0.5);

const KEYWORDS: readonly [readonly [string, Maker], ...(readonly [string, Maker])[]] = [
	['type', (random) => random.pick(TYPES)],
	['type', (random) => [random.pick(TYPES), random.pick(TYPES)]],
	['enum', (random) => Array.from({ length: random.int(1, 4) }, () => randomValue(random, 2))],
	['const', (random) => randomValue(random, 2)],
	['multipleOf', (random) => Math.abs(randomNumber(random))],
	['minimum', anyNumber],
	['maximum', anyNumber],
	['exclusiveMinimum', anyNumber],
	['exclusiveMaximum', flag],
	['minLength', count],
	['maxLength', count],
	['pattern', (random) => random.pick(PATTERNS)],
	['format', (random) => random.pick(FORMATS)],
	['contentEncoding', () => 'base64'],
	['items', sub],
	['items', subs],
	['prefixItems', subs],
	['additionalItems', sub],
	['unevaluatedItems', sub],
	['contains', sub],
	['minContains', count],
	['maxContains', count],
	['minItems', count],
	['maxItems', count],
	['uniqueItems', flag],
	['properties', named],
	['patternProperties', (random, depth) => objectOf([[random.pick(PATTERNS), sub(random, depth)]])],
	['additionalProperties', sub],
	['unevaluatedProperties', sub],
	['propertyNames', sub],
	['required', names],
	['minProperties', count],
	['maxProperties', count],
	['dependentRequired', (random) => objectOf([[random.pick(NAMES), names(random, 0)]])],
	['dependentSchemas', named],
	['dependencies', named],
	['allOf', subs],
	['anyOf', subs],
	['oneOf', subs],
	['not', sub],
	['if', sub],
	['then', sub],
	['else', sub],
	['$ref', (random) => random.pick(REFERENCES)],
	['$dynamicRef', (random) => random.pick(REFERENCES)],
	['$recursiveRef', () => '#'],
	['$recursiveAnchor', flag],
	['$anchor', (random) => random.pick(['here', 'a', '', '%'])],
	['$dynamicAnchor', (random) => random.pick(['here', 'a'])],
	['$id', (random) => random.pick(IDS)],
	['id', (random) => random.pick(IDS)],
	['$defs', named],
	['definitions', named],
	['$comment', (random) => randomText(random)],
	['$vocabulary', () => ({ 'https://example.org/none': true })],
	['$async', flag],
	['nullable', flag],
	['discriminator', () => ({ propertyName: 'a' })],
	['$data', () => '0/a'],
	['default', (random) => randomValue(random, 2)],
];

/** A schema of any keywords, mostly well formed, nested at most `depth` levels. */
export function randomSchema(random: Random, depth: number): unknown {
	if (depth <= 0 || random.chance(0.1)) return random.chance(0.5);
	return objectOf(
		Array.from({ length: random.int(0, 4) }, () => {
			const [keyword, make] = random.pick(KEYWORDS);
			return [keyword, random.chance(0.04) ? randomValue(random, 2) : make(random, depth)];
		}),
	);
}

/** A whole schema of any draft, with something behind the references that its parts make. */
export function randomDocument(random: Random): unknown {
	const schema = randomSchema(random, random.int(1, 5));
	if (typeof schema !== 'object' || schema === null) return schema;
	const draft = random.pick(DRAFTS);
	const entries = Object.entries(schema).filter(([key]) => key !== '$defs');
	const parts = objectOf([
		['a', randomSchema(random, 3)],
		['b', randomSchema(random, 2)],
		['__proto__', randomSchema(random, 1)],
	]);
	return objectOf([
		...(draft === undefined ? [] : [['$schema', draft] as const]),
		...(random.chance(0.6) ? [[random.pick(['$defs', 'definitions']), parts] as const] : []),
		...entries,
	]);
}
