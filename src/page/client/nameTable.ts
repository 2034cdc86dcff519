import { isPlainObject } from '../../json/plainObject';

/**
 * Property names as the form library sees them. A name such as `__proto__` or `constructor` means something to
 * JavaScript, and one with dots or markup to a library; `f0`, `f1` and so on mean nothing to anybody.
 */
export interface NameTable {
	readonly alias: (name: string) => string;
	/** Undefined for a key that the form library made up for a property without a name. */
	readonly nameOf: (alias: string) => string | undefined;
	/** A value with every property name replaced by its alias. */
	readonly encode: (value: unknown) => unknown;
	/** The value as it was: exactly its own properties, and none that hold undefined. */
	readonly decode: (value: unknown) => unknown;
}

export function nameTable(): NameTable {
	const aliases = new Map<string, string>();
	const names = new Map<string, string>();
	const alias = (name: string) => {
		const known = aliases.get(name);
		if (known !== undefined) return known;
		const made = `f${String(aliases.size)}`;
		aliases.set(name, made);
		names.set(made, name);
		return made;
	};
	const nameOf = (made: string) => names.get(made);
	const rename = (value: unknown, to: (name: string) => string): unknown => {
		if (Array.isArray(value)) return value.map((entry) => rename(entry, to));
		if (!isPlainObject(value)) return value;
		// fromEntries defines each property as the object's own, whatever its name.
		return Object.fromEntries(
			Object.entries(value)
				.filter(([, entry]) => entry !== undefined)
				.map(([name, entry]) => [to(name), rename(entry, to)]),
		);
	};
	return {
		alias,
		nameOf,
		encode: (value) => rename(value, alias),
		decode: (value) => rename(value, (made) => nameOf(made) ?? made),
	};
}
