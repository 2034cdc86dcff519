import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ClaimStore, RecordedOutcome } from '../call/claimStore';
import { succeed, type Result } from '../outcome/failure';
import { claimSteps, type Steps } from './claimSteps';
import type { ClaimSql } from './claimSql';
import { encodeJson } from './jsonText';
import type { ToolMemory } from './ledger';

/** Claims, and what is remembered of servers, on a database that takes all of the steps in one transaction or none. */
export function claimStoreOn(
	sql: ClaimSql,
	take: <T>(steps: Steps<T>) => Promise<Result<T>>,
): ClaimStore & ToolMemory {
	const steps = claimSteps(sql);
	const encodeOutcome = (outcome: RecordedOutcome) =>
		encodeJson(outcome, 'The outcome of the call');
	return {
		claim: (claim) => take(steps.claim(claim)),
		beat: ({ claimIds, at }) => take(steps.beat(claimIds, at)),
		settle: async ({ claimId, outcome, at }) => {
			const text = encodeOutcome(outcome);
			return text.ok ? await take(steps.settle(claimId, text.value, at)) : text;
		},
		doubt: ({ claimId, failure, at }) =>
			take(steps.doubt(claimId, failure === undefined ? null : JSON.stringify(failure), at)),
		withdraw: (claimId) => take(steps.withdraw(claimId)),
		resolve: async ({ claimId, output, decision }) => {
			const text = encodeOutcome({ kind: 'completed', result: output });
			return text.ok ? await take(steps.resolve(claimId, text.value, decision)) : text;
		},
		release: ({ claimId, decision }) => take(steps.release(claimId, decision)),
		readClaim: (key) => take(steps.readClaim(key)),
		listClaims: ({ states, limit }) => take(steps.listClaims(states, limit)),
		listReleases: ({ limit }) => take(steps.listReleases(limit)),
		purgeClaims: async ({ before, parked }) => {
			let forgotten = 0;
			for (;;) {
				const part = await take(steps.purgeSome(before, parked));
				if (!part.ok) return part;
				forgotten += part.value.forgotten;
				if (!part.value.more) return succeed(forgotten);
				await nextTurn();
			}
		},
		rememberTools: async ({ serverName, tools, at }) => {
			const text = encodeJson(tools, 'The list of tools');
			return text.ok ? await take(steps.rememberTools(serverName, text.value, at)) : text;
		},
		recallTools: (serverName) => take(steps.recallTools(serverName)),
	};
}
