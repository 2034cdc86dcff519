/** Waits until an instant inside the node, as n8n's own Wait does for short sleeps (P29). Ends early, false, when cancelled. */
export async function sleepInNode(until: Date, signal?: AbortSignal): Promise<boolean> {
	const remainingMs = until.getTime() - Date.now();
	if (signal?.aborted === true) return false;
	if (remainingMs <= 0) return true;
	return await new Promise((resolve) => {
		const cancel = () => {
			clearTimeout(timer);
			resolve(false);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener('abort', cancel);
			resolve(true);
		}, remainingMs);
		signal?.addEventListener('abort', cancel, { once: true });
	});
}
