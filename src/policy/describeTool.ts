import type { ConnectionPolicy } from './connectionPolicy';
import { decideEffect, type DecidedEffect, type Effect, isWithin } from './effect';
import { isGranted } from './grant';
import type { IdempotencyPath } from './idempotencyPath';
import { findOverclaims } from './overclaims';
import { type PublicName, publicNames } from './publicName';
import type { ListedTool } from './tool';

/** A listed tool under the operator's policy. */
export interface DescribedTool extends DecidedEffect, PublicName {
	readonly tool: ListedTool;
	readonly granted: boolean;
	readonly overclaims: readonly string[];
	/** Where its idempotency key stands in the arguments, if the operator named it (K1). */
	readonly keyPath?: IdempotencyPath;
}

/** A whole listing under the policy, its tools named under the connection's namespace (C11). */
export function describeTools(
	tools: readonly ListedTool[],
	policy: ConnectionPolicy,
	namespace?: string,
): readonly DescribedTool[] {
	const names = publicNames(
		tools.map(({ name }) => name),
		namespace,
	);
	return tools.map((tool, at) => describeTool(tool, policy, names[at]));
}

/** Rows of the policy are for the server's own name, whatever the public one is (E7). */
export function describeTool(
	tool: ListedTool,
	policy: ConnectionPolicy,
	named: PublicName = { publicName: tool.name },
): DescribedTool {
	const decided = decideEffect(tool, policy);
	const keyPath = policy.tools.find(({ name }) => name === tool.name)?.idempotencyKey;
	return {
		tool,
		...named,
		...decided,
		granted: isGranted(tool.name, policy),
		overclaims: findOverclaims(tool.annotations, decided),
		...(keyPath === undefined ? {} : { keyPath }),
	};
}

/** The tools by the server's own name; of a name that is listed twice, the stricter one counts. */
export const indexByName = (tools: readonly DescribedTool[]): ReadonlyMap<string, DescribedTool> =>
	indexBy(tools, ({ tool }) => tool.name);

/** The same by public name (C11). */
export const indexByPublicName = (
	tools: readonly DescribedTool[],
): ReadonlyMap<string, DescribedTool> => indexBy(tools, ({ publicName }) => publicName);

function indexBy(
	tools: readonly DescribedTool[],
	nameOf: (described: DescribedTool) => string,
): ReadonlyMap<string, DescribedTool> {
	const index = new Map<string, DescribedTool>();
	for (const described of tools) {
		const name = nameOf(described);
		const known = index.get(name);
		if (known === undefined || !isWithin(described.effect, known.effect)) {
			index.set(name, described);
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
