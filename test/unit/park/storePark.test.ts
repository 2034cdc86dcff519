import { expect, it } from 'vitest';

import { storePark } from '../../../src/park/storePark';

const nested = (levels: number): Record<string, unknown> =>
	JSON.parse('{"not":'.repeat(levels) + '{}' + '}'.repeat(levels)) as Record<string, unknown>;

it('stores an instant as UTC text (P12)', () => {
	const until = new Date('2030-01-01T01:00:00+01:00');
	expect(storePark({ kind: 'sleep', until })).toEqual({
		kind: 'sleep',
		until: '2030-01-01T00:00:00.000Z',
	});
});

it('keeps a schema that can be stored as it came', () => {
	const inputSchema = nested(100);
	expect(storePark({ kind: 'person', reason: 'x', inputSchema })).toEqual({
		kind: 'person',
		reason: 'x',
		inputSchema,
	});
});

it('accepts any answer in place of a schema that is too deep to store, so that the run is not lost', () => {
	const stored = storePark({ kind: 'signal', reason: 'x', inputSchema: nested(5_000) });
	expect(stored).toEqual({ kind: 'signal', reason: 'x', inputSchema: true });
});
