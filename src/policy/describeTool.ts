import type { ConnectionPolicy } from './connectionPolicy';
import { decideEffect, type DecidedEffect, type Effect, isWithin } from './effect';
import { isGranted } from './grant';
import type { IdempotencyPath } from './idempotencyPath';
import { findOverclaims } from './overclaims';
import type { ListedTool } from './tool';

/** A listed tool under the operator's policy. */
export interface DescribedTool extends DecidedEffect {
	readonly tool: ListedTool;
	readonly granted: boolean;
	readonly overclaims: readonly string[];
	/** Where its idempotency key stands in the arguments, if the operator named it (K1). */
	readonly keyPath?: IdempotencyPath;
}

export function describeTool(tool: ListedTool, policy: ConnectionPolicy): DescribedTool {
	const decided = decideEffect(tool, policy);
	const keyPath = policy.tools.find(({ name }) => name === tool.name)?.idempotencyKey;
	return {
		tool,
		...decided,
		granted: isGranted(tool.name, policy),
		overclaims: findOverclaims(tool.annotations, decided),
		...(keyPath === undefined ? {} : { keyPath }),
	};
}

/** The tools by name; of a name that is listed twice, the stricter one counts. */
export function indexByName(tools: readonly DescribedTool[]): ReadonlyMap<string, DescribedTool> {
	const index = new Map<string, DescribedTool>();
	for (const described of tools) {
		const known = index.get(described.tool.name);
		if (known === undefined || !isWithin(described.effect, known.effect)) {
			index.set(described.tool.name, described);
		}
	}
	return index;
}

/** How many tools have each effect. */
export function countByEffect(tools: readonly DescribedTool[]): Readonly<Record<Effect, number>> {
	const count = { read: 0, idempotent: 0, write: 0 };
	for (const { effect } of tools) count[effect] += 1;
	return count;
}
