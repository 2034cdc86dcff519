import type { DecidedEffect } from './effect';
import { isPlainObject } from '../json/plainObject';

/** The annotations that make an operator's write tool look harmless, as `name: value` texts; shown, never blocking (G3). */
export function findOverclaims(annotations: unknown, decided: DecidedEffect): readonly string[] {
	if (decided.source !== 'operator' || decided.effect !== 'write') return [];
	if (!isPlainObject(annotations)) return [];
	return [
		...(annotations['readOnlyHint'] === true ? ['readOnlyHint: true'] : []),
		...(annotations['idempotentHint'] === true ? ['idempotentHint: true'] : []),
		...(annotations['destructiveHint'] === false ? ['destructiveHint: false'] : []),
	];
}
