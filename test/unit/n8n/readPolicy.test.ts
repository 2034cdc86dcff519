import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../../src/n8n/readPolicy';
import type { ConnectionPolicy } from '../../../src/policy/connectionPolicy';

/** What is wrong with the policy, as its reader sees it. */
function problem(data: Readonly<Record<string, unknown>>): string {
	const read = readPolicy(data);
	if (read.ok) throw new Error('the policy was taken');
	expect(read.failure).toMatchObject({
		code: 'connection-invalid',
		disposition: 'did-not-happen',
		remedy: expect.any(String) as unknown,
	});
	return read.failure.message.replace('The MCP connection cannot be used: ', '');
}

function policy(data: Readonly<Record<string, unknown>>): ConnectionPolicy {
	const read = readPolicy(data);
	if (!read.ok) throw new Error(read.failure.message);
	return read.value;
}

describe('the policy as the credential states it', () => {
	it('nothing stated: no rows, unlisted tools allowed, hints used', () => {
		expect(policy({})).toStrictEqual({ tools: [], unlistedTools: 'allow', useServerHints: true });
	});

	it('a row keeps every column', () => {
		const tool = [{ name: 'pay', effect: 'write', access: 'denied', idempotencyKey: 'claim.id' }];
		expect(policy({ toolPolicies: { tool } }).tools).toStrictEqual([
			{ name: 'pay', effect: 'write', access: 'denied', idempotencyKey: ['claim', 'id'] },
		]);
	});

	it("a row without columns leaves the effect to the server's hints and allows the tool", () => {
		const tool = [{ name: 'pay', idempotencyKey: '' }];
		expect(policy({ toolPolicies: { tool } }).tools).toStrictEqual([
			{ name: 'pay', effect: 'server', access: 'allowed' },
		]);
	});

	it('names stay byte for byte, so that case and blanks make other tools (E7)', () => {
		const names = ['pay', 'Pay', ' pay', 'pay ', 'caf\u00e9', 'cafe\u0301', '__proto__'];
		const tool = names.map((name) => ({ name }));
		expect(policy({ toolPolicies: { tool } }).tools.map(({ name }) => name)).toEqual(names);
	});

	it('Deny with no rows is kept as it is: nothing is allowed (G1, U24)', () => {
		expect(policy({ unlistedTools: 'deny', toolPolicies: {} })).toMatchObject({
			tools: [],
			unlistedTools: 'deny',
		});
	});

	it('hints are off only for `false` (E4)', () => {
		expect(policy({ useServerHints: false }).useServerHints).toBe(false);
		expect(policy({ useServerHints: undefined }).useServerHints).toBe(true);
	});
});

describe('a policy that cannot be kept to is refused and never dropped', () => {
	it.each<[string, unknown, string]>([
		['no name', { effect: 'read' }, 'Tool Policies has a row without a tool name'],
		['an empty name', { name: '' }, 'Tool Policies has a row without a tool name'],
		['a name that is no text', { name: 7 }, 'Tool Policies has a row without a tool name'],
		[
			'an unknown effect',
			{ name: 'pay', effect: 'Read' },
			'Tool Policies has an unknown effect for "pay"',
		],
		[
			'an empty effect',
			{ name: 'pay', effect: '' },
			'Tool Policies has an unknown effect for "pay"',
		],
		[
			'an unknown access',
			{ name: 'pay', access: 'deny' },
			'Tool Policies has an unknown access for "pay"',
		],
		[
			'a key path with an empty name (K1)',
			{ name: 'pay', idempotencyKey: 'claim..id' },
			'Tool Policies has an unusable Idempotency Key for "pay": "claim..id" has an empty name before, between or after its dots',
		],
		[
			'a key path of blanks (K1)',
			{ name: 'pay', idempotencyKey: ' ' },
			'Tool Policies has an unusable Idempotency Key for "pay": " " is empty',
		],
		[
			'a key path that is no text (K1)',
			{ name: 'pay', idempotencyKey: ['claim', 'id'] },
			'Tool Policies has an Idempotency Key for "pay" that is no text',
		],
		['a row that is no row', 'pay', 'Tool Policies is not a list of rows'],
	])('%s', (_, row, message) => {
		expect(problem({ toolPolicies: { tool: [{ name: 'first' }, row] } })).toBe(message);
	});

	it('two rows for one tool, whatever they say (E7)', () => {
		const same = { name: 'pay', effect: 'write' };
		for (const second of [same, { name: 'pay', access: 'denied' }]) {
			expect(problem({ toolPolicies: { tool: [same, { name: 'Pay' }, second] } })).toBe(
				'Tool Policies names the tool "pay" twice',
			);
		}
	});

	it.each([['[]'], [[]], [{ tool: { name: 'pay', access: 'denied' } }], [{ tool: 'pay' }]])(
		'%j is no list of rows',
		(toolPolicies) => {
			expect(problem({ toolPolicies })).toBe('Tool Policies is not a list of rows');
		},
	);

	it('an unknown word for Tools Not Listed (G1)', () => {
		expect(problem({ unlistedTools: 'denied' })).toBe('Tools Not Listed has an unknown value');
	});
});
