import { describe, expect, it } from 'vitest';
import { type AnswerIssue, judgeAnswer } from '../../../src/park/judgeAnswer';
import type { ParkedBatch, StoredPark } from '../../../src/park/parkedBatch';

const now = new Date('2026-11-29T12:00:00.000Z');
const inputSchema = { type: 'object', required: ['approved'] };

function batchOf(park: StoredPark, item = 0): ParkedBatch {
	const json = { output: null, call: { outcome: 'suspended', park } };
	return {
		version: 1,
		parkedAt: '2026-11-29T10:00:00.000Z',
		parked: { item, tool: 'request_payment', park },
		items: Array.from({ length: item + 1 }, () => ({ json })),
	};
}

const person = batchOf({ kind: 'person', reason: 'approve', inputSchema });
const signal = batchOf({ kind: 'signal', reason: 'the quote', inputSchema });
const sleeper = batchOf({ kind: 'sleep', until: '2026-11-29T12:01:30.000Z' });

const acceptAll = () => [];
const issue: AnswerIssue = {
	path: '$.approved',
	message: 'must be a boolean, but a string arrived',
};
/** Accepts an answer whose `approved` is a boolean. */
const wantsApproved = (_schema: unknown, answer: unknown): readonly AnswerIssue[] =>
	typeof (answer as { approved?: unknown }).approved === 'boolean' ? [] : [issue];

describe('an answer to a suspend', () => {
	it.each([
		['a person', person],
		['a signal', signal],
	])('that fits resumes a run that waits for %s (R1)', (_, batch) => {
		const verdict = judgeAnswer(batch, { answer: { approved: false }, now }, wantsApproved);
		expect(verdict).toMatchObject({
			kind: 'resumed',
			items: [
				{
					json: {
						output: { approved: false },
						call: { outcome: 'resumed', park: { answeredAt: '2026-11-29T12:00:00.000Z' } },
					},
				},
			],
		});
	});

	it('that does not fit leaves the run parked, with every issue (R2)', () => {
		const second = { path: '$.note', message: 'must be a string, but nothing arrived' };
		const verdict = judgeAnswer(person, { answer: {}, now }, () => [issue, second]);
		expect(verdict).toStrictEqual({ kind: 'rejected', issues: [issue, second] });
	});

	it('may be corrected any number of times (R2)', () => {
		const kinds = ['x', 'y', 'z', true].map(
			(approved) => judgeAnswer(person, { answer: { approved }, now }, wantsApproved).kind,
		);
		expect(kinds).toEqual(['rejected', 'rejected', 'rejected', 'resumed']);
	});

	it('is checked against the schema that the server sent, whole', () => {
		const seen: unknown[] = [];
		judgeAnswer(person, { answer: 'mine', now }, (schema, answer) => {
			seen.push([schema, answer]);
			return [];
		});
		expect(seen).toEqual([[inputSchema, 'mine']]);
	});

	it('may name the item that waits', () => {
		const third = batchOf({ kind: 'person', reason: 'approve', inputSchema }, 2);
		expect(judgeAnswer(third, { answer: 1, item: '2', now }, acceptAll).kind).toBe('resumed');
	});

	it.each(['0', '3', '-1', '02', '2.0', '', 'two', '__proto__'])(
		'that names the item "%s", which does not wait, leaves the run parked',
		(item) => {
			const third = batchOf({ kind: 'person', reason: 'approve', inputSchema }, 2);
			expect(judgeAnswer(third, { answer: 1, item, now }, acceptAll)).toStrictEqual({
				kind: 'not-waiting',
				item,
			});
		},
	);
});

describe('a request for a sleeper', () => {
	const judgedAt = (instant: string) =>
		judgeAnswer(sleeper, { answer: { approved: true }, now: new Date(instant) }, acceptAll);

	it.each([
		['2026-11-29T12:00:00.000Z', 90],
		['2026-11-29T12:00:00.001Z', 90],
		['2026-11-29T12:00:01.000Z', 89],
		['2026-11-29T12:01:29.999Z', 1],
		['2026-11-28T12:01:30.000Z', 86_400],
	])('at %s leaves it asleep, with %d seconds to go (R5)', (instant, remainingSeconds) => {
		expect(judgedAt(instant)).toStrictEqual({
			kind: 'asleep',
			until: '2026-11-29T12:01:30.000Z',
			remainingSeconds,
		});
	});

	it.each(['2026-11-29T12:01:30.000Z', '2027-01-01T00:00:00.000Z'])(
		'at %s wakes it, and the body is no answer (R5, P23)',
		(instant) => {
			expect(judgedAt(instant)).toMatchObject({
				kind: 'resumed',
				items: [
					{
						json: {
							output: { slept_until: '2026-11-29T12:01:30.000Z' },
							call: { outcome: 'woke' },
						},
					},
				],
			});
		},
	);

	it('that names another item wakes nothing, also after the instant', () => {
		const late = new Date('2027-01-01T00:00:00Z');
		expect(judgeAnswer(sleeper, { answer: 1, item: '1', now: late }, acceptAll).kind).toBe(
			'not-waiting',
		);
	});

	it('never has its body checked', () => {
		const check = () => {
			throw new Error('the body was checked');
		};
		expect(judgeAnswer(sleeper, { answer: {}, now }, check).kind).toBe('asleep');
	});
});
