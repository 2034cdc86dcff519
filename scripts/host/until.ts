/**
 * Asks `condition` every `pollMs` until it gives a value other than undefined, and returns it.
 * Throws with `what` when `timeoutMs` have passed.
 */
export async function until<T>(
	condition: () => Promise<T | undefined> | T | undefined,
	timeoutMs: number,
	what: () => string,
	pollMs = 100,
): Promise<T> {
	const giveUpAt = Date.now() + timeoutMs;
	for (;;) {
		const value = await condition();
		if (value !== undefined) return value;
		if (Date.now() > giveUpAt) {
			throw new Error(`${what()} (waited ${String(Math.round(timeoutMs / 1000))} s)`);
		}
		await new Promise((resolve) => setTimeout(resolve, pollMs));
	}
}
