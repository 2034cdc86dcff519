import { median } from '../../../bench/statistics.ts';

/** The medians of the first and the last third of a row of readings. */
export interface Growth {
	readonly first: number;
	readonly last: number;
}

export function growthOf(values: readonly number[]): Growth {
	const third = Math.floor(values.length / 3);
	return { first: median(values.slice(0, third)), last: median(values.slice(-third)) };
}

/** Throws when the last third is above the first by more than is tolerated. */
export function expectNoGrowth(values: readonly number[], tolerated: number): void {
	const { first, last } = growthOf(values);
	if (last - first <= tolerated) return;
	throw new Error(
		`From ${String(first)} to ${String(last)}, by more than ${String(tolerated)}: ${values.join(', ')}`,
	);
}
