/** How the items of one run are worked through. */
export interface ItemRun<T> {
	readonly count: number;
	/** How many that may overlap run at once; at least 1. */
	readonly concurrency: number;
	/** False: the item runs alone, after all before it and before all behind it (writes, C10). */
	mayOverlap(item: number): boolean;
	/** Items with the same lane never overlap: the later one begins when the earlier one has ended. */
	laneOf?(item: number): string | undefined;
	/** Never rejects. */
	run(item: number): Promise<T>;
	/** True: no further item is started. */
	stopsRun(outcome: T): boolean;
}

/** Works through the items in order, overlapping where allowed; gives the outcomes in item order, with gaps after a stop (P21). */
export async function runItems<T>(plan: ItemRun<T>): Promise<readonly (T | undefined)[]> {
	const outcomes: (T | undefined)[] = Array.from({ length: plan.count }, () => undefined);
	const running = new Set<Promise<void>>();
	const lanes = new Map<string, Promise<void>>();
	const state = { stopped: false };
	const runOne = async (item: number, before: Promise<void> | undefined): Promise<void> => {
		await before;
		if (state.stopped) return;
		const outcome = await plan.run(item);
		outcomes[item] = outcome;
		state.stopped ||= plan.stopsRun(outcome);
	};
	for (let item = 0; item < plan.count; item += 1) {
		const overlaps = plan.mayOverlap(item);
		if (!overlaps) await Promise.all(running);
		while (running.size >= plan.concurrency) await Promise.race(running);
		if (state.stopped) break;
		const lane = plan.laneOf?.(item);
		const task: Promise<void> = runOne(item, lane === undefined ? undefined : lanes.get(lane)).then(
			() => {
				running.delete(task);
			},
		);
		running.add(task);
		if (lane !== undefined) lanes.set(lane, task);
		if (!overlaps) await task;
	}
	await Promise.all(running);
	return outcomes;
}
