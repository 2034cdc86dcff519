import { describe, expect, it } from 'vitest';

import type { ConnectionPolicy, ToolPolicy } from '../../../src/policy/connectionPolicy';
import { describeUnofferedRows, findUnofferedRows } from '../../../src/policy/unofferedRows';

type Unlisted = ConnectionPolicy['unlistedTools'];

function find(unlistedTools: Unlisted, rows: readonly Partial<ToolPolicy>[]) {
	const tools = rows.map((row): ToolPolicy => ({
		name: 'gone',
		effect: 'server',
		access: 'allowed',
		...row,
	}));
	const listed = [{ name: 'pay', inputSchema: {}, problems: [] }];
	return findUnofferedRows({ tools, unlistedTools, useServerHints: true }, listed);
}

const idempotencyKey = ['id'];

describe('a row whose tool the server does not offer (E8)', () => {
	it.each<[string, Unlisted, Partial<ToolPolicy>]>([
		['states nothing', 'allow', {}],
		['states an effect', 'allow', { effect: 'read' }],
		['allows what is allowed anyway', 'allow', { access: 'allowed', effect: 'write' }],
	])('is idle when it %s', (_, unlistedTools, row) => {
		expect(find(unlistedTools, [row])).toEqual({ idle: ['gone'], broken: [] });
	});

	it.each<[string, Unlisted, Partial<ToolPolicy>]>([
		['denies it', 'allow', { access: 'denied' }],
		['denies it, where everything is', 'deny', { access: 'denied' }],
		['allows it, where nothing else is', 'deny', { access: 'allowed' }],
		['names a key', 'allow', { idempotencyKey }],
		['names a key of a read', 'allow', { effect: 'read', idempotencyKey }],
	])('is broken when it %s', (_, unlistedTools, row) => {
		expect(find(unlistedTools, [row])).toEqual({ idle: [], broken: ['gone'] });
	});

	it('is one whose name differs in a byte: case, blanks, the form of an accent (E7)', () => {
		const rows = ['pay', 'Pay', 'pay ', 'p\u00e4y', 'pa\u0308y'].map((name) => ({ name }));
		expect(find('allow', rows).idle).toEqual(['Pay', 'pay ', 'p\u00e4y', 'pa\u0308y']);
	});

	it('whatever it states, one whose tool is offered is neither', () => {
		const stated = { name: 'pay', access: 'denied', idempotencyKey } as const;
		expect(find('deny', [stated])).toEqual({ idle: [], broken: [] });
	});
});

it('each kind is told in one sentence, and none where there is none (E8)', () => {
	expect(describeUnofferedRows({ idle: ['a', 'b'], broken: ['c'] }, 'demo')).toEqual([
		'Tool Policies names tools that demo does not offer: a, b.',
		'Tool Policies states an access or a key for tools that demo does not offer: c. No tool is called over this connection until those rows are corrected or removed.',
	]);
	expect(describeUnofferedRows({ idle: [], broken: [] }, 'demo')).toEqual([]);
});
