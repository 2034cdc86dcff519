/** Random choices that the same seed gives again. */
export interface Random {
	/** From 0 up to, not including, 1. */
	readonly next: () => number;
	/** A whole number from `low` to `high`, both included. */
	readonly int: (low: number, high: number) => number;
	readonly chance: (probability: number) => boolean;
	readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
	readonly shuffled: <T>(entries: readonly T[]) => T[];
}

/** Choices for one case of a run: any case can be played again alone, from the run's seed and its number. */
export function randomFor(seed: number, caseNumber = 0): Random {
	let state = mix(mix(seed) ^ mix(caseNumber + 0x51ed));
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		return mix(state) / 2 ** 32;
	};
	const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
	return {
		next,
		int,
		chance: (probability) => next() < probability,
		pick: (choices) => choices[int(0, choices.length - 1)] ?? choices[0],
		shuffled: (entries) =>
			entries
				.map((entry) => ({ entry, at: next() }))
				.sort((a, b) => a.at - b.at)
				.map(({ entry }) => entry),
	};
}

/** A whole number from the environment, or the one given. */
export function numberFrom(variable: string, otherwise: number): number {
	const text = process.env[variable];
	if (text === undefined || text === '') return otherwise;
	const value = Number(text);
	if (!Number.isSafeInteger(value) || value < 0) {
		throw new Error(`${variable} must be a whole number, not "${text}".`);
	}
	return value;
}

/** Spreads every bit of a number over 32. */
function mix(value: number): number {
	let bits = value >>> 0;
	bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
	bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
	return (bits ^ (bits >>> 15)) >>> 0;
}
