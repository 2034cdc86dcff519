/** The value below which the given share (0 to 1) of the values lies, between two of them where it falls there. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	const at = (sorted.length - 1) * share;
	const below = sorted[Math.floor(at)];
	const above = sorted[Math.ceil(at)];
	if (below === undefined || above === undefined) throw new Error('There are no values.');
	return below + (above - below) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The mean of the middle half: for whole milliseconds, of which a median would be one or the next. */
export function middleMean(values: readonly number[]): number {
	const skipped = Math.floor(values.length / 4);
	const middle = values.toSorted((a, b) => a - b).slice(skipped, values.length - skipped);
	if (middle.length === 0) throw new Error('There are no values.');
	return sum(middle) / middle.length;
}

export const sum = (values: readonly number[]): number =>
	values.reduce((total, value) => total + value, 0);

/** With so many digits behind the point. */
export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));
