/** One of several that are measured side by side. */
export interface Contender {
	readonly name: string;
	/** Does its work once and gives the figure. */
	readonly run: () => Promise<number>;
}

export interface Rounds {
	/** Rounds that do not count. */
	readonly warmUp: number;
	readonly rounds: number;
	readonly signal: AbortSignal;
}

/** Runs each contender once a round, each round beginning with the next one, and gives their figures by their names. */
export async function inTurns(
	contenders: readonly Contender[],
	{ warmUp, rounds, signal }: Rounds,
): Promise<ReadonlyMap<string, readonly number[]>> {
	const samples = new Map(contenders.map(({ name }) => [name, [] as number[]]));
	for (let round = 0; round < warmUp + rounds; round += 1) {
		const first = round % contenders.length;
		for (const { name, run } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
			signal.throwIfAborted();
			const figure = await run();
			if (round >= warmUp) samples.get(name)?.push(figure);
		}
	}
	return samples;
}
