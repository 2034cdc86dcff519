import { isPlainObject } from '../../json/plainObject';
import type { FieldPath } from './fieldPath';
import type { NameTable } from './nameTable';

/** A field that is on the page. */
export interface ShownField {
	readonly path: FieldPath;
	readonly isLeaf: boolean;
	/** It must be there and may be null, so null is what an empty one means. */
	readonly isNullWhenEmpty: boolean;
}

/**
 * The answer in a form: what stands in the fields that are shown, under the server's names. Empty fields that may be
 * absent are left out, and so is what was typed into a field that a later choice took away.
 */
export function collectAnswer(
	data: unknown,
	shown: readonly ShownField[],
	names: NameTable,
): unknown {
	const fields = new Map<string, Omit<ShownField, 'path'>>();
	const within = new Map<string, Set<string | number>>();
	for (const { path, isLeaf, isNullWhenEmpty } of shown) {
		const key = keyOf(path);
		// An alternative's own field stands at the same place as the choice between alternatives.
		const known = fields.get(key);
		fields.set(key, {
			isLeaf: isLeaf || known?.isLeaf === true,
			isNullWhenEmpty: isNullWhenEmpty || known?.isNullWhenEmpty === true,
		});
		const step = path.at(-1);
		if (step === undefined) continue;
		const parent = keyOf(path.slice(0, -1));
		const siblings = within.get(parent);
		if (siblings === undefined) within.set(parent, new Set([step]));
		else siblings.add(step);
	}
	const collect = (value: unknown, path: FieldPath): unknown => {
		const field = fields.get(keyOf(path));
		if (value === undefined) return field?.isNullWhenEmpty === true ? null : undefined;
		if (field?.isLeaf === true) return names.decode(value);
		if (Array.isArray(value)) {
			return value.map((entry: unknown, index) => collect(entry, [...path, index]));
		}
		if (!isPlainObject(value)) return value;
		const entries = [...(within.get(keyOf(path)) ?? [])].flatMap((step) => {
			const entry = collect(Object.hasOwn(value, step) ? value[step] : undefined, [...path, step]);
			const name = typeof step === 'string' ? names.nameOf(step) : undefined;
			return entry === undefined || name === undefined ? [] : [[name, entry] as const];
		});
		return Object.fromEntries(entries);
	};
	return collect(data, []);
}

const keyOf = (path: FieldPath): string => JSON.stringify(path);
