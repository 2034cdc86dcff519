import type { Retrying } from '../../src/call/attempts';

/** Waits that are longer end when the test says so. */
const LONGEST_WAIT_MS = 60_000;

/** A clock for attempts: a wait is over as soon as everything else is done, and moves the clock by its length. */
export interface VirtualClock extends Pick<Retrying, 'delay' | 'monotonicMs'> {
	/** The waits between attempts so far, in milliseconds. */
	readonly waits: readonly number[];
	/** Ends the waits that are longer than a minute: those for the total limit. */
	readonly passLimit: () => void;
	/** Keeps short waits from ending, too. */
	readonly stop: () => void;
}

export function virtualClock(): VirtualClock {
	const waits: number[] = [];
	const limits = new Set<() => void>();
	let nowMs = 0;
	let stopped = false;
	return {
		waits,
		monotonicMs: () => nowMs,
		delay: (ms, signal) =>
			new Promise((resolve) => {
				if (signal?.aborted === true) {
					resolve(false);
					return;
				}
				const pass = () => {
					nowMs += ms;
					limits.delete(pass);
					resolve(true);
				};
				signal?.addEventListener('abort', () => {
					limits.delete(pass);
					resolve(false);
				});
				if (ms > LONGEST_WAIT_MS) {
					limits.add(pass);
					return;
				}
				waits.push(ms);
				if (!stopped) setImmediate(pass);
			}),
		passLimit: () => {
			for (const pass of [...limits]) pass();
		},
		stop: () => {
			stopped = true;
		},
	};
}

/** Three attempts within an hour, on a virtual clock, by a chance that takes nothing from the waits. */
export const retryingOn = (clock: VirtualClock, more: Partial<Retrying> = {}): Retrying => ({
	maxAttempts: 3,
	maxDurationMs: 3_600_000,
	retryToolErrors: false,
	delay: clock.delay,
	monotonicMs: clock.monotonicMs,
	random: () => 0,
	...more,
});
