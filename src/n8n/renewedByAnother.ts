import { setTimeout } from 'node:timers/promises';

const LEAST_MS = 500;
const EVERY_MS = 50;

/**
 * The token of whoever was quicker with a refresh token that is good once, as soon as `look` finds it; undefined when there is
 * none. n8n lets one process renew at a time, but waits for it no longer than 10 s and asks as well then. So whoever was kept
 * waiting, and was refused, waits as long again for the other's token. Never rejects.
 */
export async function renewedByAnother(
	look: () => Promise<string | undefined>,
	refused: string | undefined,
	keptWaitingMs: number,
	until: AbortSignal,
): Promise<string | undefined> {
	const deadlineMs = performance.now() + Math.max(LEAST_MS, keptWaitingMs);
	while (!until.aborted) {
		const token = await look().catch(() => undefined);
		if (token !== undefined && token !== refused) return token;
		if (performance.now() >= deadlineMs) break;
		await setTimeout(EVERY_MS);
	}
	return undefined;
}
