import { describe, expect, it } from 'vitest';

import { isPlainObject, type PlainObject } from '../../../src/json/plainObject';
import { deriveKey } from '../../../src/policy/idempotencyKey';
import { type IdempotencyPath, readIdempotencyPath } from '../../../src/policy/idempotencyPath';
import { objectOf, randomValue } from '../../support/fuzz/jsonValues';
import { numberFrom, type Random, randomFor } from '../../support/fuzz/random';

const CASES = numberFrom('SALVOR_KEY_CASES', 2000);
const SEED = numberFrom('SALVOR_KEY_SEED', 1);

const derive = (path: string, args: PlainObject) => deriveKey('pay', path.split('.'), args);

describe('the path of a key (K1)', () => {
	it.each([
		['claim_id', ['claim_id']],
		['claim.id', ['claim', 'id']],
		['a.b.c.d', ['a', 'b', 'c', 'd']],
		['0.1', ['0', '1']],
		['Claim Id.größe', ['Claim Id', 'größe']],
		['__proto__.constructor', ['__proto__', 'constructor']],
		[' claim', [' claim']],
		['$.a-b/c~1', ['$', 'a-b/c~1']],
	])('"%s" names %j', (text, path) => {
		expect(readIdempotencyPath(text)).toEqual({ kind: 'path', path });
	});

	it.each([
		['', 'is empty'],
		[' \t', 'is empty'],
		...['.', '..', '.claim', 'claim.', 'claim..id', 'claim. .id', '.a.b', 'a.b.'].map((text) => [
			text,
			'has an empty name before, between or after its dots',
		]),
		...['[0]', 'claims[0].id', 'claims[]', 'a]', "['claim.id']"].map((text) => [
			text,
			'holds a bracket, and lists cannot be walked',
		]),
		...['*', 'claims.*.id', 'claim_*'].map((text) => [
			text,
			'holds a `*`, and there are no wildcards',
		]),
		['claim\\.id', 'holds a `\\`, and nothing can be escaped'],
	])('"%s" %s', (text, problem) => {
		expect(readIdempotencyPath(text)).toEqual({ kind: 'refused', problem });
	});
});

describe('the key of a call (K2)', () => {
	it.each<[string, PlainObject, string]>([
		['claim_id', { claim_id: 'C-7' }, 'C-7'],
		['claim.id', { claim: { id: 'C-7', other: 1 } }, 'C-7'],
		['id', { id: ' C:7 \n' }, ' C:7 \n'],
		['id', { id: ' ' }, ' '],
		['id', { id: 'null' }, 'null'],
		['id', { id: 'caf\u00e9' }, 'caf\u00e9'],
		['id', { id: 'cafe\u0301' }, 'cafe\u0301'],
		['id', { id: 7 }, '7'],
		['id', { id: 0 }, '0'],
		['id', { id: -0 }, '0'],
		['id', { id: -7.25 }, '-7.25'],
		['id', { id: 1e-7 }, '1e-7'],
		['id', { id: Number.MAX_SAFE_INTEGER }, '9007199254740991'],
		['id', { id: Number.MIN_SAFE_INTEGER }, '-9007199254740991'],
	])('%s in %j gives %j', (path, args, value) => {
		expect(derive(path, args)).toEqual({ ok: true, value: { key: `pay:${value}`, value } });
	});

	it('an own `__proto__`, as JSON can bring it, is a field like any other', () => {
		const args = JSON.parse('{"__proto__":{"id":"C-7"}}') as PlainObject;
		expect(derive('__proto__.id', args)).toMatchObject({ value: { value: 'C-7' } });
	});
});

describe('a call without its key did not happen (K2)', () => {
	it.each<[string, PlainObject, string, string]>([
		['claim_id', {}, 'nothing', 'claim_id'],
		['claim_id', { Claim_id: 'C-7' }, 'nothing', 'claim_id'],
		['claim.id', {}, 'nothing', 'claim'],
		['claim.id', { claim: {} }, 'nothing', 'claim.id'],
		['claim.id', { claim: null }, 'null', 'claim'],
		['claim.id', { claim: 'C-7' }, 'a text', 'claim'],
		['claim.id', { claim: 7 }, 'a number', 'claim'],
		['claim.0', { claim: ['C-7'] }, 'a list', 'claim'],
		['claim.length', { claim: ['C-7'] }, 'a list', 'claim'],
		['claim.id.x', { claim: { id: false } }, '`false`', 'claim.id'],
		['id', { id: null }, 'null', 'id'],
		['id', { id: true }, '`true`', 'id'],
		['id', { id: '' }, 'an empty text', 'id'],
		['id', { id: {} }, 'an object', 'id'],
		['id', { id: ['C-7'] }, 'a list', 'id'],
		['id', { id: Number.NaN }, 'no finite number', 'id'],
		['id', { id: Number.POSITIVE_INFINITY }, 'no finite number', 'id'],
		['id', { id: 2 ** 53 }, 'a number too large to have kept its digits', 'id'],
		['id', { id: -(2 ** 53) }, 'a number too large to have kept its digits', 'id'],
		['id', { id: 1e21 }, 'a number too large to have kept its digits', 'id'],
		['constructor', {}, 'nothing', 'constructor'],
		['constructor.name', {}, 'nothing', 'constructor'],
		['__proto__', {}, 'nothing', '__proto__'],
		['claim.toString', { claim: {} }, 'nothing', 'claim.toString'],
	])('%s in %j: %s stands at "%s"', (path, args, found, at) => {
		expect(derive(path, args)).toMatchObject({
			ok: false,
			failure: {
				code: 'key-missing',
				disposition: 'did-not-happen',
				message: `"pay" needs its idempotency key "${path}", but ${found} stands at "${at}"`,
			},
		});
	});

	it('a field of the prototype is not there', () => {
		const args = Object.create({ id: 'C-7' }) as PlainObject;
		expect(derive('id', args)).toMatchObject({ failure: { code: 'key-missing' } });
	});

	it('no word of the arguments stands in the message (I9)', () => {
		for (const args of [
			{ claim: 'hunter2' },
			{ claim: ['hunter2'] },
			{ claim: { x: 'hunter2' } },
		]) {
			expect(JSON.stringify(derive('claim.id', args))).not.toContain('hunter2');
		}
	});
});

const NAMES = ['id', 'claim', '__proto__', 'constructor', '0'] as const;

/** Nested objects with names that paths also draw, so that a good part of the walks ends at a value. */
function randomArguments(random: Random, depth = 3): Record<string, unknown> {
	const size = random.int(1, 6);
	return objectOf(
		Array.from({ length: size }, () => [
			random.pick(NAMES),
			depth > 0 && random.chance(0.4) ? randomArguments(random, depth - 1) : randomValue(random, 1),
		]),
	);
}

/** The value at a path, looked up the slow way: by JSON text, where nothing is inherited. */
function valueAt(args: unknown, [name, ...rest]: IdempotencyPath): unknown {
	if (name === undefined) return args;
	if (!isPlainObject(args)) return undefined;
	const entry = Object.entries(args).find(([key]) => key === name);
	return entry === undefined ? undefined : valueAt(entry[1], rest);
}

describe(`over ${String(CASES)} random arguments and paths of seed ${String(SEED)}`, () => {
	it('the key is the value at the path, or the call is refused (K2)', () => {
		let derived = 0;
		for (let at = 0; at < CASES; at += 1) {
			const random = randomFor(SEED, at);
			const args = randomArguments(random);
			const path = Array.from({ length: random.int(1, 3) }, () => random.pick(NAMES));
			const found = valueAt(args, path);
			const usable =
				(typeof found === 'string' && found !== '') ||
				(typeof found === 'number' && Math.abs(found) < 2 ** 53);
			const result = deriveKey('pay', path, args);
			expect({ at, ok: result.ok }).toEqual({ at, ok: usable });
			if (!result.ok) continue;
			derived += 1;
			expect(result.value.key).toBe(`pay:${result.value.value}`);
			if (typeof found === 'string') expect(result.value.value).toBe(found);
			else expect(result.value.value).toBe(JSON.stringify(found));
		}
		expect(derived).toBeGreaterThan(CASES / 40);
	});

	it('a text reads as a path exactly when its parts are names, and then says the same again (K1)', () => {
		const parts = ['id', 'claim', '.', '.', '[', ']', '*', '\\', ' ', '0', 'é'] as const;
		for (let at = 0; at < CASES; at += 1) {
			const random = randomFor(SEED + 1, at);
			const text = Array.from({ length: random.int(0, 6) }, () => random.pick(parts)).join('');
			const good = !/[[\]*\\]/.test(text) && text.split('.').every((name) => name.trim() !== '');
			const reading = readIdempotencyPath(text);
			expect({ text, kind: reading.kind }).toEqual({ text, kind: good ? 'path' : 'refused' });
			if (reading.kind === 'path') expect(reading.path.join('.')).toBe(text);
		}
	});
});
