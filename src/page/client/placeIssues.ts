import { isPlainObject } from '../../json/plainObject';

/** A place in the answer and what is wrong there, as the server says it. */
export interface Issue {
	readonly path: string;
	readonly message: string;
}

/** The issues in a 422 reply; none when it is not one of ours. */
export function issuesOf(body: Readonly<Record<string, unknown>>): readonly Issue[] {
	const { status, issues } = body;
	if (status !== 'rejected' || !Array.isArray(issues)) return [];
	return issues
		.filter(isPlainObject)
		.map(({ path, message }) => ({ path: String(path), message: String(message) }));
}

/** An issue as a sentence beside the field at `place`, which it is about or lies in. */
export function issueText({ path, message }: Issue, place: string): string {
	if (path === place && message === 'is required') return 'This needs an answer.';
	if (path === place) return sentence(place === '$' ? `the answer ${message}` : message);
	const rest = path.slice(place.length).replace(/^\./, '');
	return `${rest} ${sentence(message, 'as it is')}`;
}

function sentence(text: string, start: 'capital' | 'as it is' = 'capital'): string {
	const begun = start === 'capital' ? text.charAt(0).toUpperCase() + text.slice(1) : text;
	return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
