/** What a benchmark gets. */
export interface BenchmarkContext {
	/** An empty folder, which goes when the benchmark ends. */
	readonly folder: string;
	/** Fewer rounds, to see that it works: its figures are good for nothing else. */
	readonly quick: boolean;
	/** Tells how far it is. */
	readonly say: (line: string) => void;
	/** Ends it early; the benchmark throws then. */
	readonly signal: AbortSignal;
}

/** What a benchmark found. Times are in milliseconds. */
export interface Measured {
	/** For people: a row of headings, then the rows. */
	readonly table: readonly (readonly string[])[];
	/** Every figure by its name, numbers or groups of them. */
	readonly figures: Readonly<Record<string, Figure>>;
	/** Ours by theirs where nothing else is said: below 1 ours is quicker. */
	readonly ratios: Readonly<Record<string, number>>;
}

export type Figure = number | { readonly [name: string]: Figure };

export interface Benchmark {
	readonly name: string;
	/** One sentence: what is compared with what. */
	readonly about: string;
	/** True when it starts an n8n: that is installed, and the package built, before it runs. */
	readonly needsN8n: boolean;
	readonly run: (context: BenchmarkContext) => Promise<Measured>;
}
