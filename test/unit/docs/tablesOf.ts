import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The text of a file, by its path from the project's folder. */
export const textOf = (path: string): string =>
	readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

/** The rows of the first table under a heading of a Markdown page, without its head; cells are trimmed. */
export function tableUnder(page: string, heading: string): readonly (readonly string[])[] {
	const lines = page.split('\n');
	const start = lines.findIndex((line) => /^#+ /.test(line) && line.endsWith(` ${heading}`));
	if (start < 0) throw new Error(`No heading "${heading}"`);
	const head = lines.findIndex((line, index) => index > start && line.startsWith('|'));
	const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'));
	return lines.slice(head + 2, end < 0 ? undefined : end).map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}
