import { type DecidedEffect, type Effect, isWithin } from './effect';

/** A node may make an effect stricter and not laxer (E5). Undefined when it would be lowered. */
export function raiseEffect(decided: DecidedEffect, treatAs: Effect): DecidedEffect | undefined {
	if (treatAs === decided.effect) return decided;
	return isWithin(decided.effect, treatAs) ? { effect: treatAs, source: 'node' } : undefined;
}
