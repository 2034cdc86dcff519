import { describe, expect, it } from 'vitest';
import type { ConnectionPolicy, ToolPolicy } from '../../../src/policy/connectionPolicy';
import {
	decideEffect,
	type DecidedEffect,
	type Effect,
	isWithin,
} from '../../../src/policy/effect';
import { raiseEffect } from '../../../src/policy/raiseEffect';

const OPEN: ConnectionPolicy = { tools: [], unlistedTools: 'allow', useServerHints: true };

const ROWS = [undefined, 'server', 'read', 'idempotent', 'write'] as const;
const HINTS = [
	{ readOnly: undefined, idempotent: undefined },
	{ readOnly: true, idempotent: undefined },
	{ readOnly: undefined, idempotent: true },
	{ readOnly: true, idempotent: true },
	{ readOnly: false, idempotent: false },
	{ readOnly: false, idempotent: true },
	{ readOnly: true, idempotent: false },
] as const;

function policyWith(row: ToolPolicy['effect'] | undefined, useServerHints: boolean) {
	const tools: readonly ToolPolicy[] =
		row === undefined ? [] : [{ name: 'pay', effect: row, access: 'allowed' }];
	return { tools, unlistedTools: 'allow', useServerHints } as const;
}

/** The table of E2 and E4, written out: effect and source by hints, for a tool that no operator classified. */
const BY_HINTS: Readonly<Record<string, DecidedEffect>> = {
	'undefined/undefined': { effect: 'write', source: 'default' },
	'true/undefined': { effect: 'read', source: 'hint' },
	'undefined/true': { effect: 'idempotent', source: 'hint' },
	'true/true': { effect: 'read', source: 'hint' },
	'false/false': { effect: 'write', source: 'default' },
	'false/true': { effect: 'idempotent', source: 'hint' },
	'true/false': { effect: 'read', source: 'hint' },
};

const table = ROWS.flatMap((row) =>
	HINTS.flatMap((hints) =>
		[true, false].map((useServerHints) => {
			const decidedByHints = BY_HINTS[`${String(hints.readOnly)}/${String(hints.idempotent)}`];
			const unclassified = useServerHints ? decidedByHints : { effect: 'write', source: 'default' };
			const expected =
				row === undefined || row === 'server' ? unclassified : { effect: row, source: 'operator' };
			return { row, ...hints, useServerHints, expected };
		}),
	),
);

describe('the effect of a tool (E1 to E4, E6)', () => {
	it('has 70 combinations of row, hints and switch', () => {
		expect(table).toHaveLength(70);
	});

	it.each(table)(
		'row $row, readOnlyHint $readOnly, idempotentHint $idempotent, hints used $useServerHints: $expected.effect ($expected.source)',
		({ row, readOnly, idempotent, useServerHints, expected }) => {
			const annotations = { readOnlyHint: readOnly, idempotentHint: idempotent };
			expect(decideEffect({ name: 'pay', annotations }, policyWith(row, useServerHints))).toEqual(
				expected,
			);
		},
	);
});

describe('only the literal `true` is a promise (E3)', () => {
	it.each([['true'], [1], [{}], [[true]], [null], ['yes']])('%j is none', (hint) => {
		const annotations = { readOnlyHint: hint, idempotentHint: hint };
		expect(decideEffect({ name: 'pay', annotations }, OPEN)).toEqual({
			effect: 'write',
			source: 'default',
		});
	});

	it.each([[undefined], [null], ['readOnlyHint'], [true], [['readOnlyHint']]])(
		'annotations %j promise nothing',
		(annotations) => {
			expect(decideEffect({ name: 'pay', annotations }, OPEN).effect).toBe('write');
		},
	);

	it('hints under a `__proto__` key promise nothing', () => {
		const annotations: unknown = JSON.parse('{"__proto__":{"readOnlyHint":true}}');
		expect(decideEffect({ name: 'pay', annotations }, OPEN).effect).toBe('write');
	});

	it('destructiveHint, openWorldHint and title never change the effect', () => {
		for (const value of [true, false]) {
			const others = { destructiveHint: value, openWorldHint: value, title: 'read only' };
			expect(decideEffect({ name: 'pay', annotations: others }, OPEN).effect).toBe('write');
			const annotations = { ...others, readOnlyHint: true };
			expect(decideEffect({ name: 'pay', annotations }, OPEN).effect).toBe('read');
		}
	});
});

describe('a row is for one name, byte for byte (E7)', () => {
	it.each([
		['another case', 'Pay'],
		['a blank behind', 'pay '],
		['a namespace before', 'shop__pay'],
		['a star', 'p*'],
		['a part of it', 'pa'],
	])('%s: the row says nothing about `pay`', (_, name) => {
		const tools: readonly ToolPolicy[] = [{ name, effect: 'read', access: 'allowed' }];
		expect(decideEffect({ name: 'pay' }, { ...OPEN, tools })).toEqual({
			effect: 'write',
			source: 'default',
		});
	});

	it('two spellings of é are two names', () => {
		const tools: readonly ToolPolicy[] = [{ name: 'caf\u00e9', effect: 'read', access: 'allowed' }];
		expect(decideEffect({ name: 'caf\u00e9' }, { ...OPEN, tools }).effect).toBe('read');
		expect(decideEffect({ name: 'cafe\u0301' }, { ...OPEN, tools }).effect).toBe('write');
	});

	it.each(['__proto__', 'constructor', 'toString'])(
		'a tool named %s has no row unless given',
		(name) => {
			expect(decideEffect({ name }, OPEN)).toEqual({ effect: 'write', source: 'default' });
		},
	);
});

describe('a node may raise an effect and not lower it (E5)', () => {
	const effects: readonly Effect[] = ['read', 'idempotent', 'write'];
	const pairs = effects.flatMap((from, fromAt) =>
		effects.map((to, toAt) => ({ from, to, order: Math.sign(toAt - fromAt) })),
	);

	it.each(pairs.filter(({ order }) => order > 0))(
		'$from to $to: the node decides',
		({ from, to }) => {
			expect(raiseEffect({ effect: from, source: 'operator' }, to)).toEqual({
				effect: to,
				source: 'node',
			});
		},
	);

	it.each(pairs.filter(({ order }) => order === 0))(
		'$from again: the source stays',
		({ from, to }) => {
			expect(raiseEffect({ effect: from, source: 'hint' }, to)).toEqual({
				effect: from,
				source: 'hint',
			});
		},
	);

	it.each(pairs.filter(({ order }) => order < 0))('$from to $to is refused', ({ from, to }) => {
		expect(raiseEffect({ effect: from, source: 'default' }, to)).toBeUndefined();
	});

	it.each(pairs)('$from is within $to by the same order', ({ from, to, order }) => {
		expect(isWithin(from, to)).toBe(order >= 0);
	});
});
