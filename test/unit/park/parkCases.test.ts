import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { interpretResult } from '../../../src/call/interpretResult';
import type { ToolResult } from '../../../src/call/session';

/** The decode table of parks as data: one result frame and its verdict a row. */
interface ParkCase {
	readonly name: string;
	readonly result: ToolResult;
	readonly verdict: 'none' | 'tool-error' | 'refused' | 'suspend' | 'sleep';
	readonly expect?: { readonly mentions?: string; readonly kind?: string; readonly until?: string };
}

const table = new URL('../../fixtures/park-cases.json', import.meta.url);
const cases = JSON.parse(readFileSync(table, 'utf8')) as readonly ParkCase[];

const interpret = (row: ParkCase) =>
	interpretResult({ name: 'register_claim' }, row.result, () => []);

const failureOf = (row: ParkCase) => {
	const interpretation = interpret(row);
	if (interpretation.kind !== 'failed') throw new Error(`${row.name}: ${interpretation.kind}`);
	return interpretation;
};

const parkOf = (row: ParkCase) => {
	const interpretation = interpret(row);
	if (interpretation.kind !== 'parked') throw new Error(`${row.name}: ${interpretation.kind}`);
	return interpretation.park;
};

describe('the decode table of parks (P1 to P15)', () => {
	it('has 63 rows, each with a name of its own', () => {
		expect(cases).toHaveLength(63);
		expect(new Set(cases.map(({ name }) => name)).size).toBe(63);
	});

	it.each(cases.map((row) => [row.name, row.verdict, row] as const))(
		'%s: %s',
		(_, verdict, row) => {
			switch (verdict) {
				case 'none':
					expect(interpret(row)).toEqual({
						kind: 'completed',
						result: row.result,
					});
					return;
				case 'tool-error': {
					const { failure, result } = failureOf(row);
					expect(failure).toMatchObject({ code: 'tool-error', disposition: 'landed' });
					expect(result).toBe(row.result);
					return;
				}
				case 'refused': {
					const { failure, result } = failureOf(row);
					expect(failure).toMatchObject({ code: 'park-malformed', disposition: 'landed' });
					expect(failure.message).toMatch(/^_meta\.salvor(?:[ .[])/);
					expect(failure.message).toContain(row.expect?.mentions ?? '');
					expect(result).toBeUndefined();
					return;
				}
				case 'suspend':
					expect(parkOf(row)).toMatchObject({ kind: row.expect?.kind });
					return;
				case 'sleep':
					expect(parkOf(row)).toEqual({ kind: 'sleep', until: new Date(row.expect?.until ?? '') });
			}
		},
	);
});
