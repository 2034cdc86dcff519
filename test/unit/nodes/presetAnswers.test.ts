import { describe, expect, it } from 'vitest';

import { checkItemPresets } from '../../../nodes/McpToolCall/presetAnswers';
import { readPresetAnswers } from '../../../src/n8n/readArguments';
import { failureOf } from '../../support/connections';

describe('the option Preset Answers (C12)', () => {
	it.each<[unknown, unknown]>([
		['{"reason":"audit"}', { reason: 'audit' }],
		[{ reason: 'audit' }, { reason: 'audit' }],
	])('%j holds answers', (value, answers) => {
		expect(readPresetAnswers(value)).toEqual({ ok: true, value: answers });
	});

	it.each([undefined, null, '', ' ', '{}', [{}]].flat())('%j holds none: it stays off', (value) => {
		expect(readPresetAnswers(value)).toEqual({ ok: true, value: undefined });
	});

	it.each([
		['{"reason": s3cret}', 'Preset Answers is not valid JSON'],
		['[]', 'Preset Answers must be a JSON object, but an array arrived'],
		['"x"', 'Preset Answers must be a JSON object, but "x" arrived'],
		[5, 'Preset Answers must be a JSON object, but `5` arrived'],
	])('%j is refused', (value, message) => {
		const failure = failureOf(readPresetAnswers(value));
		expect(failure).toMatchObject({ code: 'arguments-invalid', disposition: 'did-not-happen' });
		expect(failure.message).toContain(message);
		expect(failure.message).not.toContain('s3cret');
	});

	it.each<[unknown, unknown]>([
		[null, null],
		['{"a":1}', '{"a":1}'],
		[
			{ a: 1, b: 2 },
			{ b: 2, a: 1 },
		],
	])('items of one run that give %j and %j agree', (run, item) => {
		expect(checkItemPresets(item, { given: run, answers: {} }).ok).toBe(true);
	});

	it.each<[unknown, unknown]>([
		['{"a":1}', '{"a":2}'],
		[{ a: 1 }, null],
		[null, { a: 1 }],
	])(
		'an item that gives other answers than its run (%j, %j) is refused: its server would not get them',
		(run, item) => {
			expect(failureOf(checkItemPresets(item, { given: run, answers: {} }))).toMatchObject({
				code: 'arguments-invalid',
				message: 'Preset Answers differ between the items of one run',
			});
		},
	);
});
