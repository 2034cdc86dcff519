import { expect, it } from 'vitest';

import { interpretResult } from '../../../src/call/interpretResult';

const nested = (levels: number): unknown =>
	JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

it('a result that n8n could not store landed, and is said to be unreadable', () => {
	expect(interpretResult('look', { content: [], structuredContent: nested(50_000) })).toMatchObject(
		{
			kind: 'failed',
			failure: { code: 'result-unreadable', disposition: 'landed' },
		},
	);
});

it('a long text of a tool error is cut in the message and whole in the data (U30)', () => {
	const text = 'x'.repeat(100_000);
	const read = interpretResult('look', { isError: true, content: [{ type: 'text', text }] });
	if (read.kind !== 'failed') throw new Error('not failed');
	expect(read.failure.message.length).toBeLessThan(600);
	expect(read.failure.toolError?.text).toEqual([text]);
});

it('a schema that is nested without end still parks', () => {
	const suspend = { reason: 'Say', input_schema: { a: nested(5_000) } };
	expect(interpretResult('ask', { content: [], _meta: { salvor: { suspend } } }).kind).toBe(
		'parked',
	);
});
