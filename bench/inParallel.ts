/** Does the work for every entry, at most so many at a time, and gives the results in the entries' order. */
export async function inParallel<T, R>(
	entries: readonly T[],
	atOnce: number,
	work: (entry: T) => Promise<R>,
): Promise<readonly R[]> {
	const results = new Map<number, R>();
	const queue = entries.entries();
	const worker = async () => {
		for (const [index, entry] of queue) results.set(index, await work(entry));
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}
