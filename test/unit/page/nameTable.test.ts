import { describe, expect, it } from 'vitest';
import { nameTable } from '../../../src/page/client/nameTable';

const HOSTILE: unknown = JSON.parse(
	'{"__proto__":{"constructor":[1,{"toString":null}]},"":2,"a.b":"c"}',
);

describe('the names of a form', () => {
	it('gives every value back as it was, own properties and all', () => {
		const names = nameTable();
		const encoded = names.encode(HOSTILE);
		expect(JSON.stringify(encoded)).not.toMatch(/__proto__|constructor|toString|a\.b/);
		const decoded = names.decode(encoded);
		expect(JSON.stringify(decoded)).toBe(JSON.stringify(HOSTILE));
		expect(Object.hasOwn(decoded as object, '__proto__')).toBe(true);
		expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
	});

	it('knows no name for a key that it did not make', () => {
		expect(nameTable().nameOf('newKey')).toBeUndefined();
	});

	it('leaves out what is undefined', () => {
		const names = nameTable();
		expect(names.decode({ [names.alias('a')]: undefined, [names.alias('b')]: 0 })).toEqual({
			b: 0,
		});
	});
});
