/** Keeps the names that match one of `include` (all when empty) and none of `exclude`; `*` stands for any characters. */
export function filterByName<T>(
	values: readonly T[],
	nameOf: (value: T) => string,
	filter: { readonly include: readonly string[]; readonly exclude: readonly string[] },
): readonly T[] {
	const included = filter.include.map(toMatcher);
	const excluded = filter.exclude.map(toMatcher);
	return values.filter((value) => {
		const name = nameOf(value);
		if (excluded.some((matches) => matches(name))) return false;
		return included.length === 0 || included.some((matches) => matches(name));
	});
}

/** Splits a parameter such as `get_*, list_*` at commas and line breaks; blanks around a name do not count. */
export function readNames(text: string): readonly string[] {
	return text
		.split(/[,\n]/)
		.map((name) => name.trim())
		.filter((name) => name !== '');
}

/** Greedy left-to-right match over the parts between stars, so no pattern can backtrack. */
function toMatcher(pattern: string): (name: string) => boolean {
	const parts = pattern.split('*');
	const first = parts[0] ?? '';
	const last = parts.at(-1) ?? '';
	if (parts.length === 1) return (name) => name === pattern;
	const middle = parts.slice(1, -1);
	return (name) => {
		if (name.length < first.length + last.length) return false;
		if (!name.startsWith(first) || !name.endsWith(last)) return false;
		const end = name.length - last.length;
		let from = first.length;
		for (const part of middle) {
			const at = name.indexOf(part, from);
			if (at === -1 || at + part.length > end) return false;
			from = at + part.length;
		}
		return true;
	};
}
