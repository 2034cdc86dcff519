import { describe, expect, it } from 'vitest';

import { describeTools, indexByPublicName } from '../../../src/policy/describeTool';
import { isNamespace, publicNames } from '../../../src/policy/publicName';

const namesOf = (names: readonly string[], namespace?: string) =>
	publicNames(names, namespace).map(({ publicName }) => publicName);

describe('public names (C11)', () => {
	it("without a namespace a tool has the server's own name, whatever is in it", () => {
		const names = ['get', 'läden/öffnen', 'x'.repeat(200)];
		expect(publicNames(names, undefined)).toEqual(names.map((publicName) => ({ publicName })));
	});

	it('under a namespace it has that before it, and `_` for what such a name cannot carry', () => {
		expect(namesOf(['get', 'a.b-c_d', 'läden/öffnen', 'a 😀'], 'shop')).toEqual([
			'shop__get',
			'shop__a.b-c_d',
			'shop__l_den__ffnen',
			'shop__a__',
		]);
	});

	it('two tools that come to have one name both have a problem that names both', () => {
		const [first, plain, second] = publicNames(['a b', 'get', 'a/b'], 'shop');
		const nameProblem =
			'the tools "a b" and "a/b" have one name under the namespace "shop", "shop__a_b"';
		expect(first).toEqual({ publicName: 'shop__a_b', nameProblem });
		expect(second).toEqual(first);
		expect(plain).toEqual({ publicName: 'shop__get' });
	});

	it('a tool that the server lists twice is no collision: the stricter listing counts', () => {
		expect(publicNames(['get', 'get'], 'shop')).toEqual([
			{ publicName: 'shop__get' },
			{ publicName: 'shop__get' },
		]);
	});

	it('a name of 128 characters is taken, a longer one is a problem of its tool alone', () => {
		const [fits, over, other] = publicNames(['x'.repeat(122), 'x'.repeat(123), 'get'], 'shop');
		expect(fits?.publicName).toHaveLength(128);
		expect(fits).not.toHaveProperty('nameProblem');
		expect(over?.nameProblem).toBe('it has more than 128 characters with the namespace "shop"');
		expect(other).toEqual({ publicName: 'shop__get' });
	});

	it('no tool of one namespace has the name of a tool of another', () => {
		const taken = ['a', 'a_', 'a__b', 'a.', '_a', 'b'].filter(isNamespace);
		expect(taken).toEqual(['a', 'a.', '_a', 'b']);
		const tools = ['x', '_x', '__x', 'b__x', '_', '__'];
		const names = taken.flatMap((namespace) => namesOf(tools, namespace));
		expect(new Set(names).size).toBe(taken.length * tools.length);
	});
});

it("rows of the policy are for the server's own names, lookups for the public ones (E7, C11)", () => {
	const listed = (name: string) => ({ name, inputSchema: {}, problems: [] });
	const rowFor = (name: string) =>
		({ name, effect: 'read', access: 'denied', idempotencyKey: ['id'] }) as const;
	const policy = (name: string) =>
		({ tools: [rowFor(name)], unlistedTools: 'allow', useServerHints: true }) as const;
	const found = (row: string) =>
		indexByPublicName(describeTools([listed('pay')], policy(row), 'shop')).get('shop__pay');
	expect(found('pay')).toMatchObject({ granted: false, effect: 'read', keyPath: ['id'] });
	expect(found('shop__pay')).toMatchObject({ granted: true, effect: 'write' });
});
