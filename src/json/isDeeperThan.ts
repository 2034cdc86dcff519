const isContainer = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;

/** n8n and its store walk values by recursion; deeper ones would break the execution that holds them. */
export const DEEPEST_VALUE = 200;

/** True when arrays and objects nest more than `levels` deep; walks without recursion, so any depth is safe to ask about. */
export function isDeeperThan(value: unknown, levels: number): boolean {
	let containers = [value].filter(isContainer);
	for (let level = 0; level < levels && containers.length > 0; level += 1) {
		containers = containers
			.flatMap((container): readonly unknown[] => Object.values(container))
			.filter(isContainer);
	}
	return containers.length > 0;
}
