import { describe, expect, it } from 'vitest';
import { type AnswerIssue, judgeAnswer } from '../../../src/park/judgeAnswer';
import type { ParkedBatch, StoredPark } from '../../../src/park/parkedBatch';

const now = new Date('2026-11-29T12:00:00.000Z');
const inputSchema = { type: 'object', required: ['approved'] };

type Waiting = readonly [item: number, park: StoredPark];

/** A run in which the given items wait; all others are done. */
function batchOf(...waiting: readonly Waiting[]): ParkedBatch {
	const parked = waiting.map(([item, park]) => ({
		item,
		tool: 'request_payment',
		parkedAt: `2026-11-29T10:00:0${String(item)}.000Z`,
		park,
	}));
	return {
		version: 1,
		batchId: 'b1',
		executionId: '7',
		workflowId: 'w1',
		parked,
		items: Array.from({ length: 6 }, () => ({ json: { output: null } })),
	};
}

const suspend = (kind: 'person' | 'signal'): StoredPark => ({
	kind,
	reason: 'approve',
	inputSchema,
});
const sleep = (until: string): StoredPark => ({ kind: 'sleep', until });

const person = batchOf([0, suspend('person')]);
const signal = batchOf([0, suspend('signal')]);
const third = batchOf([2, suspend('person')]);
const sleeper = batchOf([0, sleep('2026-11-29T12:01:30.000Z')]);
const several = batchOf(
	[1, suspend('person')],
	[3, suspend('signal')],
	[4, sleep('2026-11-29T12:01:30.000Z')],
);

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
	])('that fits is accepted for the item that waits for %s (R1)', (_, batch) => {
		const verdict = judgeAnswer(batch, { answer: { approved: false }, now }, wantsApproved);
		expect(verdict).toStrictEqual({ kind: 'accepted', item: 0 });
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
		expect(kinds).toEqual(['rejected', 'rejected', 'rejected', 'accepted']);
	});

	it('is checked against the schema that the server sent, whole', () => {
		const seen: unknown[] = [];
		judgeAnswer(person, { answer: 'mine', now }, (schema, answer) => {
			seen.push([schema, answer]);
			return [];
		});
		expect(seen).toEqual([[inputSchema, 'mine']]);
	});

	it('that is nested too deep to be stored is refused before its schema is asked', () => {
		const answer: unknown = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000));
		const check = () => {
			throw new Error('the body was checked');
		};
		expect(judgeAnswer(person, { answer, now }, check)).toMatchObject({
			kind: 'rejected',
			issues: [{ path: '$', message: expect.stringContaining('nested deeper') }],
		});
	});

	it('may name the item that waits', () => {
		expect(judgeAnswer(third, { answer: 1, item: '2', now }, acceptAll)).toStrictEqual({
			kind: 'accepted',
			item: 2,
		});
	});

	it.each(['0', '3', '-1', '02', '2.0', '', 'two', '__proto__'])(
		'that names the item "%s", which does not wait, leaves the run parked',
		(item) => {
			expect(judgeAnswer(third, { answer: 1, item, now }, acceptAll)).toStrictEqual({
				kind: 'not-waiting',
				item,
			});
		},
	);
});

describe('an answer while several items wait (P24)', () => {
	it.each([
		['1', 1],
		['3', 3],
	])('is accepted for the item "%s" that it names, in any order', (item, accepted) => {
		expect(judgeAnswer(several, { answer: 1, item, now }, acceptAll)).toStrictEqual({
			kind: 'accepted',
			item: accepted,
		});
	});

	it('that names no item is asked which, and its body is not looked at (R7)', () => {
		const check = () => {
			throw new Error('the body was checked');
		};
		expect(judgeAnswer(several, { answer: 1, now }, check)).toStrictEqual({ kind: 'which' });
	});

	it.each(['0', '2', '5', 'list'])('for the item "%s", which is done, is refused', (item) => {
		expect(judgeAnswer(several, { answer: 1, item, now }, acceptAll).kind).toBe('not-waiting');
	});

	it('is checked against the schema of its own item', () => {
		const mixed = batchOf(
			[0, { kind: 'person', reason: 'a', inputSchema: true }],
			[1, { kind: 'person', reason: 'b', inputSchema: false }],
		);
		const seen: unknown[] = [];
		judgeAnswer(mixed, { answer: 1, item: '1', now }, (schema) => {
			seen.push(schema);
			return [];
		});
		expect(seen).toEqual([false]);
	});

	it('that is meant for an earlier park of the same item is stale, whatever it says', () => {
		const judged = (meantFor: string) =>
			judgeAnswer(several, { answer: 1, item: '3', meantFor, now }, acceptAll).kind;
		expect(judged('2026-11-29T10:00:01.000Z')).toBe('stale');
		expect(judged('2026-11-29T09:00:00.000Z')).toBe('stale');
		expect(judged('')).toBe('stale');
		expect(judged('2026-11-29T10:00:03.000Z')).toBe('accepted');
	});

	it('names the sleeper among them: asleep before its instant, awake after it, and it never ends the wait (R5, P25)', () => {
		const judgedAt = (instant: string) =>
			judgeAnswer(several, { answer: 1, item: '4', now: new Date(instant) }, acceptAll);
		expect(judgedAt('2026-11-29T12:01:29.000Z')).toStrictEqual({
			kind: 'asleep',
			until: '2026-11-29T12:01:30.000Z',
			remainingSeconds: 1,
		});
		expect(judgedAt('2026-11-29T12:01:30.000Z')).toStrictEqual({ kind: 'awake' });
		expect(judgedAt('2027-11-29T12:01:30.000Z')).toStrictEqual({ kind: 'awake' });
	});
});

describe('a request while every item sleeps', () => {
	const dormitory = batchOf(
		[0, sleep('2026-11-29T13:00:00.000Z')],
		[1, sleep('2026-11-29T14:00:00.000Z')],
	);
	const judgedAt = (item: string, instant: string) =>
		judgeAnswer(dormitory, { answer: 1, item, now: new Date(instant) }, acceptAll).kind;

	it('wakes the run only when the last instant has come (P25, R5)', () => {
		expect(judgedAt('0', '2026-11-29T12:59:59.999Z')).toBe('asleep');
		expect(judgedAt('0', '2026-11-29T13:00:00.000Z')).toBe('awake');
		expect(judgedAt('1', '2026-11-29T13:00:00.000Z')).toBe('asleep');
		expect(judgedAt('0', '2026-11-29T14:00:00.000Z')).toBe('due');
		expect(judgedAt('1', '2026-11-29T14:00:00.000Z')).toBe('due');
	});
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
		'at %s finds it due (R5, P23)',
		(instant) => {
			expect(judgedAt(instant)).toStrictEqual({ kind: 'due' });
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

describe('an answer to a wait with a limit (P26)', () => {
	const deadline = '2026-11-29T12:00:00.000Z';
	const limited = (batch: ParkedBatch): ParkedBatch => ({
		...batch,
		limit: { deadline, onExpiry: 'continue' },
	});
	const at = (ms: number) => new Date(new Date(deadline).getTime() + ms);
	const verdictAt = (batch: ParkedBatch, when: Date, item?: string) =>
		judgeAnswer(
			limited(batch),
			{ answer: { approved: true }, now: when, ...(item === undefined ? {} : { item }) },
			acceptAll,
		);

	it('is accepted up to the deadline and expired from then on', () => {
		expect(verdictAt(person, at(-1))).toStrictEqual({ kind: 'accepted', item: 0 });
		expect(verdictAt(person, at(0))).toStrictEqual({ kind: 'expired', deadline });
		expect(verdictAt(signal, at(1))).toStrictEqual({ kind: 'expired', deadline });
	});

	it('one that does not fit is expired too, not rejected: there is nothing left to correct', () => {
		const verdict = judgeAnswer(limited(person), { answer: 1, now: at(1) }, wantsApproved);
		expect(verdict.kind).toBe('expired');
	});

	it('a sleeper beside is judged by its own instant', () => {
		expect(verdictAt(several, at(1), '4').kind).toBe('asleep');
		expect(verdictAt(several, at(3_600_000), '4').kind).toBe('awake');
	});

	it('an item that does not wait is not said to have expired', () => {
		expect(verdictAt(several, at(1), '9').kind).toBe('not-waiting');
	});
});
