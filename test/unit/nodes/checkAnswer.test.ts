import { describe, expect, it } from 'vitest';
import { checkAnswer } from '../../../nodes/McpToolCall/checkAnswer';
import { compileSchema } from '../../../src/schema/checkSchema';

/** Within every cap, and more work than the time allows: each pattern has some thousand states. */
const slow = {
	allOf: Array.from({ length: 900 }, (_, at) => ({ pattern: `(a{1,30}){1,30}${String(at)}` })),
};

describe('an answer to a schema', () => {
	it('that was usable when the item parked, and takes too long now, is not accepted unchecked', () => {
		expect(compileSchema(slow)).toMatchObject({ kind: 'unusable', cause: 'time' });
		expect(checkAnswer(undefined)(slow, 'x')).toEqual([
			{ path: '$', message: expect.stringContaining('send the answer again') },
		]);
	});

	it('that was unusable when the item parked is accepted, whatever it is', () => {
		expect(checkAnswer('Any answer is accepted')(slow, 'x')).toEqual([]);
		expect(checkAnswer('Any answer is accepted')({ type: 'string' }, 1)).toEqual([]);
	});

	it('that cannot be used at all is accepted', () => {
		expect(checkAnswer(undefined)({ type: 'objekt' }, 1)).toEqual([]);
	});

	it('that can be used is checked', () => {
		expect(checkAnswer(undefined)({ type: 'string' }, 1)).toHaveLength(1);
		expect(checkAnswer(undefined)({ type: 'string' }, 'x')).toEqual([]);
	});
});
