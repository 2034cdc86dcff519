import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../nodes/McpToolCall/pageOf';
import type { ParkedItem } from '../../../src/park/parkedBatch';

const NOW = new Date('2026-11-03T10:00:00.000Z');
const EARLIER = '2026-11-03T09:59:59.000Z';
const LATER = '2026-11-03T10:00:01.000Z';
const person: ParkedItem = {
	item: 0,
	tool: 'request_payment',
	parkedAt: '2026-11-03T09:00:00.000Z',
	park: { kind: 'person', reason: 'May this be paid?', inputSchema: true },
};
const sleeper = (until: string): ParkedItem => ({ ...person, park: { kind: 'sleep', until } });

describe('the page of a parked item (R8)', () => {
	it('asks until the deadline, and says afterwards that the time is over (P26)', () => {
		expect(pageOf(person, { now: NOW, deadline: LATER })).toMatchObject({
			kind: 'person',
			deadline: LATER,
		});
		expect(pageOf(person, { now: NOW, deadline: EARLIER })).toMatchObject({
			kind: 'expired',
			deadline: EARLIER,
		});
	});

	it('tells when it was answered, whatever the deadline says (R6)', () => {
		const facts = { now: NOW, deadline: EARLIER, answeredAt: new Date(EARLIER) };
		expect(pageOf(person, facts)).toMatchObject({ kind: 'answered', answeredAt: EARLIER });
	});

	it('tells a sleeper from one that woke', () => {
		expect(pageOf(sleeper(LATER), { now: NOW }).kind).toBe('sleep');
		expect(pageOf(sleeper(EARLIER), { now: NOW }).kind).toBe('woke');
	});
});
