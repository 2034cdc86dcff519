import { describe, expect, it } from 'vitest';
import type { ConnectionPolicy, ToolPolicy } from '../../../src/policy/connectionPolicy';
import { countByEffect, describeTool } from '../../../src/policy/describeTool';
import { isGranted } from '../../../src/policy/grant';
import { findOverclaims } from '../../../src/policy/overclaims';
import type { ListedTool } from '../../../src/policy/tool';

const row = (name: string, more: Partial<ToolPolicy> = {}): ToolPolicy => ({
	name,
	effect: 'server',
	access: 'allowed',
	...more,
});
const policy = (
	unlistedTools: ConnectionPolicy['unlistedTools'],
	...tools: readonly ToolPolicy[]
): ConnectionPolicy => ({ tools, unlistedTools, useServerHints: true });
const listed = (name: string, annotations?: unknown): ListedTool => ({
	name,
	inputSchema: { type: 'object' },
	annotations,
	problems: [],
});

describe('grants (G1, G2)', () => {
	it.each([
		['no row, Allow', policy('allow'), true],
		['no row, Deny: an empty list allows nothing (U24)', policy('deny'), false],
		['a row of another tool, Deny', policy('deny', row('read')), false],
		['a row in another case, Deny', policy('deny', row('Pay')), false],
		['an allowing row, Deny', policy('deny', row('pay')), true],
		['an allowing row, Allow', policy('allow', row('pay')), true],
		['a denying row, Allow', policy('allow', row('pay', { access: 'denied' })), false],
		['a denying row, Deny', policy('deny', row('pay', { access: 'denied' })), false],
		[
			'a denying row that also states an effect',
			policy('allow', row('pay', { access: 'denied', effect: 'read' })),
			false,
		],
	])('%s: %3$s', (_, given, granted) => {
		expect(isGranted('pay', given)).toBe(granted);
	});

	it('a read hint grants nothing', () => {
		const tool = listed('pay', { readOnlyHint: true });
		expect(describeTool(tool, policy('deny'))).toMatchObject({ effect: 'read', granted: false });
	});
});

describe('overclaims (G3)', () => {
	const stated = { effect: 'write', source: 'operator' } as const;

	it.each([
		[{ readOnlyHint: true }, ['readOnlyHint: true']],
		[{ idempotentHint: true }, ['idempotentHint: true']],
		[{ destructiveHint: false }, ['destructiveHint: false']],
		[
			{ destructiveHint: false, idempotentHint: true, readOnlyHint: true },
			['readOnlyHint: true', 'idempotentHint: true', 'destructiveHint: false'],
		],
		[{ readOnlyHint: 'true', idempotentHint: 1, destructiveHint: null }, []],
		[{ readOnlyHint: false, idempotentHint: false, destructiveHint: true }, []],
		[{ openWorldHint: false, title: 'harmless' }, []],
		[undefined, []],
		['readOnlyHint', []],
	])("an operator's write tool with %j claims too much: %j", (annotations, expected) => {
		expect(findOverclaims(annotations, stated)).toEqual(expected);
	});

	it.each([
		{ effect: 'read', source: 'operator' },
		{ effect: 'idempotent', source: 'operator' },
		{ effect: 'write', source: 'default' },
		{ effect: 'write', source: 'node' },
	] as const)('$effect ($source) has none', (decided) => {
		expect(findOverclaims({ readOnlyHint: true, destructiveHint: false }, decided)).toEqual([]);
	});

	it('are shown and never block (U25)', () => {
		const tool = listed('pay', { readOnlyHint: true });
		expect(describeTool(tool, policy('allow', row('pay', { effect: 'write' })))).toEqual({
			tool,
			publicName: 'pay',
			effect: 'write',
			source: 'operator',
			granted: true,
			overclaims: ['readOnlyHint: true'],
		});
	});

	it('are found also when the connection does not use hints', () => {
		const given = { ...policy('allow', row('pay', { effect: 'write' })), useServerHints: false };
		expect(describeTool(listed('pay', { readOnlyHint: true }), given).overclaims).toEqual([
			'readOnlyHint: true',
		]);
	});
});

describe('listings', () => {
	it('count the tools of each effect, absent ones as 0', () => {
		const given = policy('allow', row('a', { effect: 'read' }), row('b', { effect: 'read' }));
		const tools = ['a', 'b', 'c'].map((name) => describeTool(listed(name), given));
		expect(countByEffect(tools)).toEqual({ read: 2, idempotent: 0, write: 1 });
		expect(countByEffect([])).toEqual({ read: 0, idempotent: 0, write: 0 });
	});
});
