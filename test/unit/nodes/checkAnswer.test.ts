import { describe, expect, it } from 'vitest';
import { checkAnswer } from '../../../nodes/McpToolCall/checkAnswer';

/** What a machine does that is too busy for any schema. */
const tooBusy = () => ({ kind: 'unusable', reason: 'too slow', cause: 'time' }) as const;

describe('an answer to a schema', () => {
	it('that was usable when the item parked, and takes too long now, is not accepted unchecked', () => {
		expect(checkAnswer(undefined, tooBusy)(true, 'x')).toEqual([
			{ path: '$', message: expect.stringContaining('send the answer again') },
		]);
	});

	it('that was unusable when the item parked is accepted, whatever it is', () => {
		expect(checkAnswer('Any answer is accepted', tooBusy)(true, 'x')).toEqual([]);
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
