/** Shorter values are too common in ordinary text to be blanked out. */
const shortestSecret = 4;

export type Redact = (text: string) => string;

/**
 * Makes a function that blanks out the given values in a text, also where they appear JSON-escaped or URL-encoded,
 * and the words of a value (a scheme and its token, say) on their own. Values under 4 characters are left alone.
 */
export function redactor(values: readonly string[]): Redact {
	const forms = values.flatMap((value) => [value, ...longWords(value)]).flatMap(spellings);
	const secrets = [...new Set(forms)]
		.filter((form) => form.length >= shortestSecret)
		.sort((a, b) => b.length - a.length);
	return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

const longWords = (value: string): readonly string[] =>
	value.split(/[\s,;=]+/).filter((word) => word.length >= 8);

const spellings = (value: string): readonly string[] => [
	value,
	JSON.stringify(value).slice(1, -1),
	encodeURIComponent(value.toWellFormed()),
];

/** The first `length` characters on one line, after redaction. */
export function excerpt(text: string, length: number, redact: Redact): string {
	return redact(text).trim().slice(0, length);
}
