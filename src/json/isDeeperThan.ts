/** True when arrays and objects nest more than `levels` deep; walks without recursion, so any depth is safe to ask about. */
export function isDeeperThan(value: unknown, levels: number): boolean {
	let current: readonly unknown[] = [value];
	for (let level = 0; level <= levels; level += 1) {
		current = current.flatMap((entry): readonly unknown[] =>
			typeof entry === 'object' && entry !== null ? Object.values(entry) : [],
		);
		if (current.length === 0) return false;
	}
	return true;
}
