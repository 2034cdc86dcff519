import { describe, expect, it } from 'vitest';
import { filterByName, readNames } from '../../../src/policy/nameFilter';

const keep = (
	names: readonly string[],
	include: readonly string[],
	exclude: readonly string[] = [],
) => filterByName(names, (name) => name, { include, exclude });
const matches = (pattern: string, name: string) => keep([name], [pattern]).length === 1;

describe('patterns', () => {
	it.each([
		['get_invoice', 'get_invoice'],
		['*', ''],
		['*', 'anything'],
		['**', ''],
		['***', 'x'],
		['get_*', 'get_'],
		['get_*', 'get_invoice'],
		['*_invoice', 'get_invoice'],
		['g*e', 'get_invoice'],
		['*inv*', 'get_invoice'],
		['g*_*e', 'get_invoice'],
		['a*b*c', 'abbc'],
		['*ab', 'aab'],
		['*aab', 'aaab'],
		['a*a', 'aa'],
		['*a*a*', 'aa'],
		['a**b', 'ab'],
		['a.c', 'a.c'],
		['[a]*', '[a]x'],
		['$&*', '$&'],
		['日本*', '日本語'],
	])('%s takes "%s"', (pattern, name) => {
		expect(matches(pattern, name)).toBe(true);
	});

	it.each([
		['get_invoice', 'Get_invoice'],
		['get_invoice', 'get_invoices'],
		['get_invoice', 'xget_invoice'],
		['get_*', 'list_get_'],
		['*_invoice', 'get_invoice_x'],
		['a*a', 'a'],
		['*a*a*', 'a'],
		['ab*bc', 'abc'],
		['a*bb*b', 'abb'],
		['a*b*c', 'acb'],
		['a.c', 'abc'],
		['[a]*', 'a'],
		['g?t', 'get'],
		['', 'x'],
		['GET_*', 'get_invoice'],
	])('%s leaves "%s"', (pattern, name) => {
		expect(matches(pattern, name)).toBe(false);
	});
});

describe('include and exclude', () => {
	const names = ['get_invoice', 'get_user', 'pay', 'pay_back'];

	it('without patterns every name stays, in order', () => {
		expect(keep(names, [])).toEqual(names);
	});

	it('include keeps what one of its patterns takes, in the order of the values', () => {
		expect(keep(names, ['pay', 'get_u*'])).toEqual(['get_user', 'pay']);
	});

	it('exclude wins over include', () => {
		expect(keep(names, ['get_*'], ['*_user'])).toEqual(['get_invoice']);
		expect(keep(names, ['pay'], ['pay'])).toEqual([]);
	});

	it('exclude alone leaves the rest', () => {
		expect(keep(names, [], ['pay*'])).toEqual(['get_invoice', 'get_user']);
	});

	it('keeps the values, not their names', () => {
		const values = [{ n: 'a' }, { n: 'b' }];
		expect(filterByName(values, ({ n }) => n, { include: ['b'], exclude: [] })).toEqual([
			{ n: 'b' },
		]);
	});
});

describe('hostile patterns end soon', () => {
	const LIMIT_MS = 1000;

	it.each([
		['stars and one missing letter', `${'*a'.repeat(10_000)}*b`, 'a'.repeat(20_000)],
		['stars alone', '*'.repeat(100_000), 'a'.repeat(20_000)],
		['a pattern longer than the name', 'a*'.repeat(50_000), 'a'.repeat(20_000)],
		['a long part that nearly fits', `*${'a'.repeat(5000)}b*`, 'a'.repeat(20_000)],
	])('%s', (_, pattern, name) => {
		const before = performance.now();
		matches(pattern, name);
		expect(performance.now() - before).toBeLessThan(LIMIT_MS);
	});
});

describe('names in a parameter', () => {
	it.each([
		['', []],
		['  ', []],
		['get_*', ['get_*']],
		['get_*, list_*', ['get_*', 'list_*']],
		[' a ,\n b\r\n,,c\n', ['a', 'b', 'c']],
		['two words', ['two words']],
	])('%j reads as %j', (text, names) => {
		expect(readNames(text)).toEqual(names);
	});
});
