import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../../src/n8n/readPolicy';
import type { ConnectionPolicy } from '../../../src/policy/connectionPolicy';

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
			{ name: 'pay', effect: 'write', access: 'denied', idempotencyKey: 'claim.id' },
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
