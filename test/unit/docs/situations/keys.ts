import { reuse } from '../../../../nodes/McpToolCall/settled';
import { callInFlight, judgeStanding } from '../../../../src/call/standingClaim';
import { failureTitle } from '../../../../src/n8n/failureText';
import type { Failure } from '../../../../src/outcome/failure';
import type { Situations } from './situations';

const AT = new Date('2026-01-02T03:04:05Z');
const CLAIM = {
	claimId: 'c',
	key: { serverName: 'billing', tool: 'pay', value: 'P-7' },
	argumentsHash: 'abc',
	holder: {
		instanceId: 'A',
		workflowId: 'w',
		executionId: '41',
		nodeName: 'Pay',
		runIndex: 0,
		item: 0,
	},
	claimedAt: AT,
	changedAt: AT,
} as const;
const SETTLED = {
	...CLAIM,
	state: 'settled',
	outcome: { kind: 'completed', result: { content: [] } },
} as const;

function standing(claim: Parameters<typeof judgeStanding>[0], argumentsHash: string): string {
	const judged = judgeStanding(claim, argumentsHash);
	if (judged.kind !== 'refused') throw new Error('It is copied');
	return failureTitle(judged.failure);
}

const LOST: Failure = {
	code: 'connection-lost',
	disposition: 'in-doubt',
	message: 'The connection was closed',
};

/** What a further try of Retry On Fail says of a write that is in doubt. */
function tryingAgain(): string {
	const facts = {
		tool: 'pay',
		serverName: 'billing',
		decided: { effect: 'write', source: 'operator' },
		attempts: 1,
		warnings: [],
	} as const;
	const again = reuse({ kind: 'failed', failure: LOST, facts });
	if (again?.kind !== 'failed') throw new Error('It is sent again');
	return failureTitle(again.failure);
}

export const keys: Situations = {
	'a key that is under way': () => failureTitle(callInFlight(CLAIM)),
	'a key with other arguments': () => standing(SETTLED, 'def'),
	'a key in doubt': () => standing({ ...CLAIM, state: 'in-doubt' }, 'abc'),
	'Retry On Fail after a doubt': tryingAgain,
};
