/** Waits until an instant inside the node, as n8n's own Wait does for short sleeps (P29). Ends early, false, when cancelled. */
export const sleepInNode = (until: Date, signal?: AbortSignal): Promise<boolean> =>
	delay(until.getTime() - Date.now(), signal);

/** Waits for a time in milliseconds, 24 days at most; true when it has passed, false as soon as the signal ends the wait. */
export async function delay(ms: number, signal?: AbortSignal): Promise<boolean> {
	if (signal?.aborted === true) return false;
	if (ms <= 0) return true;
	return await new Promise((resolve) => {
		const cancel = () => {
			clearTimeout(timer);
			resolve(false);
		};
		const timer = setTimeout(
			() => {
				signal?.removeEventListener('abort', cancel);
				resolve(true);
			},
			Math.min(ms, LONGEST_TIMER_MS),
		);
		signal?.addEventListener('abort', cancel, { once: true });
	});
}

/** Node's timers cannot wait longer than this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
