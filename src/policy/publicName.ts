const LONGEST = 128;

/** A tool's name as people and models see it, and what is wrong with it, if anything (C11). */
export interface PublicName {
	readonly publicName: string;
	/** Why no tool can be called by this name, as the end of a sentence. */
	readonly nameProblem?: string;
}

/**
 * True for a namespace that public names can begin with: letters, digits, `_`, `-` and `.`, at most 64. `__` ends it, so
 * it neither holds nor ends with one: `a` and `a_` would share the name `a___b`.
 */
export const isNamespace = (text: string): boolean =>
	/^[A-Za-z0-9_.-]{1,64}$/.test(text) && !text.includes('__') && !text.endsWith('_');

/**
 * The public names of a whole listing, in its order (C11): without a namespace the server's own; else `namespace__name`,
 * with `_` for each character that such a name cannot carry. Tools of different names that come to have the same one have
 * a problem that names them all.
 */
export function publicNames(
	names: readonly string[],
	namespace: string | undefined,
): readonly PublicName[] {
	if (namespace === undefined) return names.map((publicName) => ({ publicName }));
	const sources = new Map<string, Set<string>>();
	const named = names.map((name) => {
		const publicName = `${namespace}__${name.replace(/[^A-Za-z0-9_.-]/gu, '_')}`;
		const known = sources.get(publicName) ?? new Set();
		sources.set(publicName, known.add(name));
		return publicName;
	});
	return named.map((publicName) => {
		const nameProblem = problemOf(publicName, namespace, [...(sources.get(publicName) ?? [])]);
		return { publicName, ...(nameProblem === undefined ? {} : { nameProblem }) };
	});
}

function problemOf(
	publicName: string,
	namespace: string,
	names: readonly string[],
): string | undefined {
	if (publicName.length > LONGEST) {
		return `it has more than ${String(LONGEST)} characters with the namespace "${namespace}"`;
	}
	if (names.length < 2) return undefined;
	const quoted = names.map((name) => `"${name}"`).join(' and ');
	return `the tools ${quoted} have one name under the namespace "${namespace}", "${publicName}"`;
}
