import { expect, it } from 'vitest';

import { isDeeperThan } from '../../../src/json/isDeeperThan';

const nested = (levels: number, innermost: string): unknown =>
	JSON.parse('['.repeat(levels) + innermost + ']'.repeat(levels));

it.each([
	['a scalar has no level', 1, 0, false],
	['an empty array is one level', [], 0, true],
	['an empty array is not more than one level', [], 1, false],
	['levels count the same around nothing', nested(201, ''), 200, true],
	['and around a scalar', nested(201, '1'), 200, true],
	['as many as allowed are not more', nested(200, ''), 200, false],
	['the deepest branch counts', { a: 1, b: [[{}]], c: [] }, 3, true],
	['a depth that recursion could not walk', nested(50_000, '1'), 200, true],
])('%s', (_, value, levels, deeper) => {
	expect(isDeeperThan(value, levels)).toBe(deeper);
});
