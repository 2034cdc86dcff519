import { expect, it } from 'vitest';

import { findUnsendable } from '../../../src/json/findUnsendable';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const circle: Record<string, unknown> = {};
circle['twice'] = [circle, circle];
const tree = Array.from({ length: 150 }).reduce((branch: unknown) => [branch, branch], 1);

it.each([
	['plain JSON', { a: [1, 'x', true, null, { b: {} }] }],
	['what is left out', { a: undefined }],
	['what makes a text of itself', { at: new Date(0), own: { toJSON: () => 1, big: 1n } }],
	['nesting as deep as allowed', nested(200)],
	['parts that many share', tree],
])('%s can be sent', (_, value) => {
	expect(findUnsendable(value)).toBeUndefined();
});

it.each([
	['a bigint', { ids: [1n] }, 'the kind "bigint"'],
	['a function', { call: () => 1 }, 'the kind "function"'],
	['a symbol', [Symbol('x')], 'the kind "symbol"'],
	['nesting that recursion cannot walk', nested(50_000), 'deeper than 200 levels'],
	['a circle', circle, 'deeper than 200 levels'],
])('%s cannot', (_, value, problem) => {
	expect(findUnsendable(value)).toContain(problem);
});
