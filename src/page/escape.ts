import { jsonText } from '../schema/jsonText';

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Text made safe for HTML content and for quoted attributes. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A value as JSON that can stand inside a script element: no character of it can end or open markup. */
export function jsonBlock(value: unknown): string {
	return (jsonText(value) ?? 'null').replace(
		/[<>&\u2028\u2029]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

/** Foreign text inside a sentence: its writing direction stays its own. */
export function isolated(text: string): string {
	return `<bdi>${escapeHtml(text)}</bdi>`;
}
