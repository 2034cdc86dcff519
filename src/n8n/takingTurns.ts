import { setImmediate as nextTurn } from 'node:timers/promises';

const LONGEST_TURN_MS = 20;

/**
 * For work that goes on for long without waiting for anything: call the function between its pieces. It gives way once
 * the work has held the thread for a while. n8n serves everybody in this thread, and it takes a turn to notice that a
 * server closed a connection, which the next request would else be written into.
 */
export function takingTurns(): () => Promise<void> {
	let turnBegunAt = performance.now();
	return async () => {
		if (performance.now() - turnBegunAt < LONGEST_TURN_MS) return;
		await nextTurn();
		turnBegunAt = performance.now();
	};
}
