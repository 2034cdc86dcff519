import { expect, it } from 'vitest';

import { tableUnder, textOf } from './tablesOf';

const page = textOf('docs/never-twice.md');

const rows = [
	'Inside one execution',
	'Across executions, workers and crashes',
	'What the operator does about a call in doubt',
	'What is kept of a decision',
].flatMap((heading) => tableUnder(page, heading));

/** The titles of the tests in a file, as they stand in its source. */
const titlesIn = (path: string): readonly string[] =>
	textOf(path)
		.split('\n')
		.flatMap((line) => {
			const title = /^\s*(?:(?:it|test)[^'"`]*\()?(['"`])(.*)\1,/.exec(line)?.[2];
			return title === undefined ? [] : [title];
		});

it.each(rows)('“%s”: %s, as the named tests show', (...row) => {
	const named = [...(row.at(-1) ?? '').matchAll(/`([^`]+)`: “([^”]+)”/g)];
	expect(named).not.toEqual([]);
	for (const [, file = '', title = ''] of named) {
		const titles = titlesIn(`test/${file}.test.ts`);
		expect(titles.some((known) => known.startsWith(title))).toBe(true);
	}
});
