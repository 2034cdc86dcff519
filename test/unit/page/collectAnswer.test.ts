import { describe, expect, it } from 'vitest';
import { collectAnswer, type ShownField } from '../../../src/page/client/collectAnswer';
import { nameTable } from '../../../src/page/client/nameTable';

const names = nameTable();
const [a, b, c] = ['a', 'b', '__proto__'].map((name) => names.alias(name));
const node = (...path: (string | number)[]): ShownField => ({
	path,
	isLeaf: false,
	isNullWhenEmpty: false,
});
const leaf = (...path: (string | number)[]): ShownField => ({
	path,
	isLeaf: true,
	isNullWhenEmpty: false,
});

describe('the answer in a form', () => {
	it('holds what is shown and filled, under the server’s names', () => {
		const shown = [node(), leaf(a ?? ''), leaf(b ?? ''), leaf(c ?? '')];
		const answer = collectAnswer({ [a ?? '']: 0, [c ?? '']: 'own' }, shown, names);
		expect(JSON.stringify(answer)).toBe('{"a":0,"__proto__":"own"}');
	});

	it('leaves out what a later choice took away', () => {
		expect(collectAnswer({ [a ?? '']: 1, [b ?? '']: 2 }, [node(), leaf(a ?? '')], names)).toEqual({
			a: 1,
		});
	});

	it('makes null of an empty field that must be there and may be null', () => {
		const shown = [node(), { ...leaf(a ?? ''), isNullWhenEmpty: true }];
		expect(collectAnswer({}, shown, names)).toEqual({ a: null });
	});

	it('keeps an empty list and an empty part that were added', () => {
		const shown = [node(), node(a ?? ''), node(b ?? '')];
		expect(collectAnswer({ [a ?? '']: [], [b ?? '']: {} }, shown, names)).toEqual({ a: [], b: {} });
	});

	it('sends an alternative’s own value', () => {
		expect(
			collectAnswer({ [a ?? '']: 12.5 }, [node(), node(a ?? ''), leaf(a ?? '')], names),
		).toEqual({ a: 12.5 });
	});
});
