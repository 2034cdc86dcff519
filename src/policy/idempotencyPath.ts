/** The field names that lead to the argument that identifies an operation, from the outside in (K1). */
export type IdempotencyPath = readonly string[];

export type PathReading =
	| { readonly kind: 'path'; readonly path: IdempotencyPath }
	/** What is wrong with the text, as the end of a sentence that begins with it. */
	| { readonly kind: 'refused'; readonly problem: string };

const FOREIGN: readonly (readonly [RegExp, string])[] = [
	[/[[\]]/, 'holds a bracket, and lists cannot be walked'],
	[/\*/, 'holds a `*`, and there are no wildcards'],
	[/\\/, 'holds a `\\`, and nothing can be escaped'],
];

/**
 * Reads a dotted path such as `claim_id` or `claim.id`; names are taken as they stand. Refuses an empty path or part (also
 * one of blanks alone), brackets, `*` and `\` (K1).
 */
export function readIdempotencyPath(text: string): PathReading {
	const foreign = FOREIGN.find(([pattern]) => pattern.test(text));
	if (foreign !== undefined) return { kind: 'refused', problem: foreign[1] };
	if (text.trim() === '') return { kind: 'refused', problem: 'is empty' };
	const path = text.split('.');
	return path.some((name) => name.trim() === '')
		? { kind: 'refused', problem: 'has an empty name before, between or after its dots' }
		: { kind: 'path', path };
}
