import { expect, it } from 'vitest';
import { failureWords } from '../../../src/page/client/failureWords';
import { timeAhead } from '../../../src/page/client/localTime';

const AT = '2026-11-30T10:00:00.000Z';
const before = (seconds: number) => new Date(new Date(AT).getTime() - seconds * 1000);

it('an instant is ahead until it has come, also in its last minute', () => {
	expect(timeAhead(AT, before(38))).toBe('in less than a minute');
	expect(timeAhead(AT, before(0.001))).toBe('in less than a minute');
	expect(timeAhead(AT, before(60))).toMatch(/1 minute/);
	expect(timeAhead(AT, before(0))).toBeUndefined();
	expect(timeAhead(AT, before(-1))).toBeUndefined();
	expect(timeAhead('no instant', before(1))).toBeUndefined();
});

it('what n8n refuses after the deadline of the page is told as too late, and nothing else is', () => {
	const ofN8n = { status: 409, body: { message: 'The execution "14" has finished already.' } };
	expect(failureWords(ofN8n, AT)).toMatchObject({
		isFinal: true,
		title: 'The time for this answer is over',
		text: expect.stringContaining('It ended '),
	});
	expect(failureWords(ofN8n).title).toBe('This does not wait for an answer any more');
	const answered = { status: 409, body: { status: 'answered', answered_at: AT } };
	expect(failureWords(answered, AT).title).toBe('This was answered already');
});
