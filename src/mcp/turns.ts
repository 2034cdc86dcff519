/** A number of turns, handed out in the order of asking. */
export interface Turns {
	/** Waits for a turn: `cancelled` when the signal aborts before it comes, `over` after `limitMs`. */
	take(limitMs: number, signal: AbortSignal | undefined): Promise<'taken' | 'cancelled' | 'over'>;
	/** Gives back a turn that was taken. */
	give(): void;
	/** How many wait. */
	waiting(): number;
	/** False while every turn is taken. */
	hasFree(): boolean;
}

export function createTurns(count: number): Turns {
	let free = count;
	const queue = new Set<() => void>();

	return {
		async take(limitMs, signal) {
			if (signal?.aborted === true) return 'cancelled';
			if (free > 0) {
				free -= 1;
				return 'taken';
			}
			return await new Promise((settle) => {
				const end = (outcome: 'taken' | 'cancelled' | 'over'): void => {
					queue.delete(pass);
					clearTimeout(timer);
					signal?.removeEventListener('abort', cancel);
					settle(outcome);
				};
				const pass = (): void => {
					end('taken');
				};
				const cancel = (): void => {
					end('cancelled');
				};
				const timer = setTimeout(() => {
					end('over');
				}, limitMs);
				signal?.addEventListener('abort', cancel);
				queue.add(pass);
			});
		},
		give() {
			const [next] = queue;
			// The turn goes on to the next in line without being free in between.
			if (next === undefined) free += 1;
			else next();
		},
		waiting: () => queue.size,
		hasFree: () => free > 0,
	};
}
