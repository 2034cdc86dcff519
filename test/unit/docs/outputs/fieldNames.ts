import { isPlainObject, type PlainObject } from '../../../../src/json/plainObject';

/** The names of an item's fields; those inside the objects that are named here stand with a dot behind their object. */
export function fieldNames(
	json: PlainObject,
	opened: readonly string[] = [],
	before = '',
): readonly string[] {
	return Object.entries(json).flatMap(([key, value]) => {
		const name = before + key;
		return opened.includes(name) && isPlainObject(value)
			? fieldNames(value, opened, `${name}.`)
			: [name];
	});
}

/** A row `[field, when]` for each field that stands in one of the items: `always` if it stands in all of them. */
export function fieldRows(
	items: readonly (readonly string[])[],
): readonly (readonly [string, 'always' | 'sometimes'])[] {
	return [...new Set(items.flat())]
		.map((name) => {
			const always = items.every((names) => names.includes(name));
			return [`\`${name}\``, always ? 'always' : 'sometimes'] as const;
		})
		.toSorted();
}

/** The same of a table whose second column says when a field is there. */
export const statedRows = (
	table: readonly (readonly string[])[],
): readonly (readonly [string, 'always' | 'sometimes'])[] =>
	table
		.map(([name = '', when]) => [name, when === 'always' ? 'always' : 'sometimes'] as const)
		.toSorted();
