import { expect, it } from 'vitest';

import { replyWords } from '../../../nodes/CallLedger/replyWords';

it('tells what does not fit in sentences, and nothing in JSON (R2)', () => {
	const issues = [
		{ path: '$.approved', message: 'must be a boolean' },
		{ path: '$', message: 'must not be nested deeper than 64 levels' },
	];
	expect(replyWords({ status: 422, body: { status: 'rejected', issues } })).toBe(
		'$.approved must be a boolean; the answer must not be nested deeper than 64 levels',
	);
});

it.each([
	[401, 'n8n does not take the token of this execution'],
	[404, 'the execution is gone'],
	[409, 'the execution has gone on or ended, or has not parked yet'],
	[429, 'n8n answered with status 429'],
])('puts what n8n itself replies into own words: %i', (status, words) => {
	const body = { code: status, message: 'The execution "2 has finished already.' };
	expect(replyWords({ status, body })).toBe(words);
});

it('passes the words of the resume address on, and tells until when a sleeper sleeps (R5)', () => {
	const message = 'Item 5 does not wait here.';
	expect(replyWords({ status: 404, body: { status: 'not-waiting', message } })).toBe(message);
	const asleep = { status: 'sleeping', sleep_until: '2026-12-24T09:00:00.000Z' };
	expect(replyWords({ status: 409, body: asleep })).toBe(
		'it sleeps until 2026-12-24T09:00:00.000Z',
	);
});
