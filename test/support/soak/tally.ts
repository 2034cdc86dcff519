/** Counts what went as it has to, and keeps what did not. */
export interface Tally {
	/** Does the work; when it throws that is a problem, and no more. */
	readonly attempt: (what: string, work: () => unknown) => Promise<void>;
	readonly passed: () => number;
	readonly problems: readonly string[];
}

/** Once the signal aborts, whatever throws ends it all. */
export function createTally(tell: (line: string) => void, signal: AbortSignal | undefined): Tally {
	const problems: string[] = [];
	let passed = 0;
	return {
		attempt: async (what, work) => {
			try {
				await work();
				passed += 1;
			} catch (error) {
				signal?.throwIfAborted();
				const problem = `${what}: ${error instanceof Error ? error.message : String(error)}`;
				problems.push(problem);
				tell(`FAILED ${problem}`);
			}
		},
		passed: () => passed,
		problems,
	};
}
