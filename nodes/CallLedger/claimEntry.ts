import type { RecordedOutcome, StandingClaim } from '../../src/call/claimStore';
import { simpleOutput } from '../../src/call/simpleOutput';
import type { PlainObject } from '../../src/json/plainObject';

const UNANSWERED = 'Its execution ended before the call was answered';

/** A claim as an item: what was called, by whom, and how it stands. */
export const claimEntry = (claim: StandingClaim): PlainObject => ({
	state: claim.state,
	serverName: claim.key.serverName,
	tool: claim.key.tool,
	key: claim.key.value,
	executionId: claim.holder.executionId,
	workflowId: claim.holder.workflowId,
	nodeName: claim.holder.nodeName,
	item: claim.holder.item,
	since: claim.claimedAt.toISOString(),
	changedAt: claim.changedAt.toISOString(),
	...standing(claim),
});

function standing(claim: StandingClaim): PlainObject {
	switch (claim.state) {
		case 'in-flight':
			return {};
		case 'in-doubt':
			return {
				reason: claim.failure?.message ?? UNANSWERED,
				...(claim.failure === undefined ? {} : { code: claim.failure.code }),
			};
		case 'settled': {
			const { answer, outcome, resolvedBy } = claim;
			return {
				outcome: outcome.kind,
				...outcomeEntry(outcome),
				...(answer === undefined
					? {}
					: { answer: answer.value, answeredAt: answer.answeredAt.toISOString() }),
				...(resolvedBy === undefined
					? {}
					: { resolvedBy: { ...resolvedBy, at: resolvedBy.at.toISOString() } }),
			};
		}
	}
}

function outcomeEntry(outcome: RecordedOutcome): PlainObject {
	switch (outcome.kind) {
		case 'completed':
			return { output: simpleOutput(outcome.result) };
		case 'failed':
			return { reason: outcome.failure.message, code: outcome.failure.code };
		case 'parked':
			return { park: outcome.park };
	}
}
