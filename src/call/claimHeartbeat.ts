/** How often a process says of its claims in flight that it is at work on them. */
export const BEAT_EVERY_MS = 10_000;

/** A claim that was not beaten for so long has lost its process. */
const ABANDONED_AFTER_MS = 60_000;

/** True for a claim in flight whose holder has not said for a minute that it is at work (K9). */
export const isAbandoned = (changedAt: Date, now: Date): boolean =>
	now.getTime() - changedAt.getTime() > ABANDONED_AFTER_MS;
