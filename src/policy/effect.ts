import type { ConnectionPolicy } from './connectionPolicy';
import { isPlainObject } from '../json/plainObject';
import type { ListedTool } from './tool';

/** What a repeat of a call may do (E1). */
export type Effect = 'read' | 'idempotent' | 'write';

/** Who decided the effect (E6). */
export type EffectSource = 'operator' | 'hint' | 'default' | 'node';

export interface DecidedEffect {
	readonly effect: Effect;
	readonly source: EffectSource;
}

const STRICTNESS: readonly Effect[] = ['read', 'idempotent', 'write'];

/** True when `effect` is at most as strict as `limit`, in the order read, idempotent, write. */
export const isWithin = (effect: Effect, limit: Effect): boolean =>
	STRICTNESS.indexOf(effect) <= STRICTNESS.indexOf(limit);

/** The effect of a tool: the operator's word, else a hint that is literally `true`, else write (E2, E3, E4). */
export function decideEffect(
	tool: Pick<ListedTool, 'name' | 'annotations'>,
	policy: ConnectionPolicy,
): DecidedEffect {
	const row = policy.tools.find(({ name }) => name === tool.name);
	if (row !== undefined && row.effect !== 'server') {
		return { effect: row.effect, source: 'operator' };
	}
	if (policy.useServerHints && isPlainObject(tool.annotations)) {
		if (tool.annotations['readOnlyHint'] === true) return { effect: 'read', source: 'hint' };
		if (tool.annotations['idempotentHint'] === true) {
			return { effect: 'idempotent', source: 'hint' };
		}
	}
	return { effect: 'write', source: 'default' };
}
