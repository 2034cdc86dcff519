import type { Measured } from './benchmark.ts';

interface Result extends Measured {
	readonly name: string;
	readonly machine: Readonly<Record<string, unknown>>;
}

/** Prints the table, and as the last line everything as one line of JSON. */
export function printResult({ name, machine, table, figures, ratios }: Result): void {
	console.log(`\n${layOut(table)}\n`);
	console.log(JSON.stringify({ name, machine, figures, ratios }));
}

/** The first column to the left, all others to the right. */
function layOut(table: readonly (readonly string[])[]): string {
	const columns = Math.max(...table.map((row) => row.length));
	const widths = Array.from({ length: columns }, (_, column) =>
		Math.max(...table.map((row) => (row[column] ?? '').length)),
	);
	return table
		.map((row) =>
			widths
				.map((width, column) => {
					const cell = row[column] ?? '';
					return column === 0 ? cell.padEnd(width) : cell.padStart(width);
				})
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
