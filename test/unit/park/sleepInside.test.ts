import { describe, expect, it } from 'vitest';
import type { StoredPark } from '../../../src/park/parkedBatch';
import { sleepsInsideUntil } from '../../../src/park/sleepInside';

const now = new Date('2026-11-29T10:00:00.000Z');
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const sleeps = (seconds: number): StoredPark => ({
	kind: 'sleep',
	until: inSeconds(seconds).toISOString(),
});
const person: StoredPark = { kind: 'person', reason: 'x', inputSchema: true };
const insideUntil = (...parks: readonly StoredPark[]) => sleepsInsideUntil(parks, now);

describe('how long a run sleeps inside the node (P29)', () => {
	it('until the latest of sleeps under 65 s, in whatever order they stand', () => {
		expect(insideUntil(sleeps(10))).toEqual(inSeconds(10));
		expect(insideUntil(sleeps(64.999), sleeps(10), sleeps(30))).toEqual(inSeconds(64.999));
	});

	it('not at all for an instant at 65 s or later, or one that has come', () => {
		expect(insideUntil(sleeps(65))).toBeUndefined();
		expect(insideUntil(sleeps(3600))).toBeUndefined();
		expect(insideUntil(sleeps(0), sleeps(-5))).toBeUndefined();
	});

	it('not at all when a later sleeper parks the run anyway: all leave at the latest instant (P23)', () => {
		expect(insideUntil(sleeps(10), sleeps(90))).toBeUndefined();
	});

	it('does not follow a chain of sleepers, each less than 65 s after the one before', () => {
		const chain = Array.from({ length: 1000 }, (_, step) => sleeps((step + 1) * 60));
		expect(insideUntil(...chain)).toBeUndefined();
		expect(insideUntil(person, ...chain)).toEqual(inSeconds(60));
	});

	it('not for an item that awaits an answer, but for the short sleepers beside it (P25)', () => {
		expect(insideUntil(person)).toBeUndefined();
		expect(insideUntil(person, sleeps(30), sleeps(20))).toEqual(inSeconds(30));
		expect(insideUntil(person, sleeps(90))).toBeUndefined();
		expect(insideUntil()).toBeUndefined();
	});
});
