import type { CallOutcome } from './callOutcome';
import type { CallFacts } from './callRecord';
import type { SettledClaim } from './standingClaim';

/** The outcome of an earlier call as that of one with the same key and equal arguments, which is not made (K6). */
export function copyOutcome(from: SettledClaim, facts: CallFacts): CallOutcome {
	const { outcome, claimId, answer } = from;
	const copied: CallFacts = {
		...facts,
		deduplicatedFrom: from.holder.executionId,
		warnings: [...facts.warnings, ...resolvedWarning(from)],
	};
	switch (outcome.kind) {
		case 'completed':
			return { ...outcome, facts: copied };
		case 'failed':
			return { ...outcome, facts: copied };
		case 'parked':
			return {
				...outcome,
				kind: 'parked-before',
				claimId,
				...(answer === undefined ? {} : { answer }),
				facts: copied,
			};
	}
}

/** Nobody saw this output come from the tool, so whoever reads it is told. */
function resolvedWarning({ resolvedBy }: SettledClaim): readonly string[] {
	if (resolvedBy === undefined) return [];
	const { who, at, why } = resolvedBy;
	return [
		`The output was recorded by ${who} on ${at.toISOString()}, as the call itself was in doubt: ${why}`,
	];
}
