/** A flush for many: whoever asks while one runs shares the next one, which begins when that one has ended. */
export function sharedFlush(flush: () => Promise<void>): () => Promise<void> {
	let running: Promise<unknown> = Promise.resolve();
	let next: Promise<void> | undefined;
	return () => {
		if (next) return next;
		const mine = running.then(async () => {
			next = undefined;
			await flush();
		});
		next = mine;
		running = mine.catch(() => undefined);
		return mine;
	};
}
