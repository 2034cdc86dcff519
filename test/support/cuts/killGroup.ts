/** A run that is held where n8n is to be killed. */
export interface HeldRun {
	/** Present for a run that is cut after its answer: lets the server answer, and resolves when it has. */
	readonly letAnswer?: () => Promise<void>;
}

/** Runs that share one death of n8n, since a start takes long. */
export interface KillGroup {
	/** Holds a run; resolves when all others are held or have left, n8n was killed, and another one stands. */
	readonly arrive: (held: HeldRun) => Promise<void>;
	/** A run that cannot be held does not hold up the others. */
	readonly leave: () => void;
}

/** A group of `size` runs; `killAll` is called once, with all that are held. */
export function killGroup(
	size: number,
	killAll: (held: readonly HeldRun[]) => Promise<void>,
): KillGroup {
	const held: HeldRun[] = [];
	let missing = size;
	let open: () => void;
	const complete = new Promise<void>((resolve) => (open = resolve));
	const killed = complete.then(() => killAll(held));
	// Those that wait for it are told; there may be none.
	killed.catch(() => undefined);
	const one = () => {
		missing--;
		if (missing === 0) open();
	};
	return {
		arrive: async (run) => {
			held.push(run);
			one();
			await killed;
		},
		leave: one,
	};
}
