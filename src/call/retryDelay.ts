const FIRST_MS = 100;
const LONGEST_MS = 10_000;
const LONGEST_ASKED_MS = 60_000;

/**
 * How long to wait before the attempt that follows `attempts` failed ones, in milliseconds: 100 doubling to 10,000, of
 * which chance takes up to a half, so that callers who failed together do not come again together. What the server asked
 * for wins, up to a minute. `random` is from 0 to 1.
 */
export function retryDelayMs(
	attempts: number,
	random: number,
	retryAfterMs: number | undefined,
): number {
	if (retryAfterMs !== undefined) return Math.min(Math.max(0, retryAfterMs), LONGEST_ASKED_MS);
	const wholeMs = Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS);
	return Math.round(wholeMs * (1 - random / 2));
}
