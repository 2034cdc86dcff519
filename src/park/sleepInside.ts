import type { StoredPark } from './parkedBatch';

/** n8n looks for due executions once a minute, so it would wake a shorter sleep too late. */
const LONGEST_INSIDE_MS = 65_000;

/**
 * Until when a run sleeps inside the node before it ends or parks (P29); undefined when it need not. Never more than 65 s,
 * in which a restart ends the run. Sleepers leave together at the latest instant, so where that is farther off they park
 * at once; beside an item that awaits an answer those with a short way to go are waited for.
 */
export function sleepsInsideUntil(parks: readonly StoredPark[], now: Date): Date | undefined {
	const ahead = parks.flatMap((park) => {
		const remainingMs = park.kind === 'sleep' ? new Date(park.until).getTime() - now.getTime() : 0;
		return remainingMs > 0 ? [remainingMs] : [];
	});
	const short = ahead.filter((remainingMs) => remainingMs < LONGEST_INSIDE_MS);
	const parksAnyway = parks.some(({ kind }) => kind !== 'sleep');
	if (short.length === 0 || (short.length < ahead.length && !parksAnyway)) return undefined;
	return new Date(now.getTime() + Math.max(...short));
}
