import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { openClaims } from '../../../nodes/McpToolCall/openClaims';
import type { InFlight } from '../../../src/call/claims';
import type { ClaimStore } from '../../../src/call/claimStore';
import { succeed } from '../../../src/outcome/failure';

/** Claims of this process; n8n's data says of the holder's execution what is given, and what it was asked for is kept. */
function claimsWhere(data: unknown) {
	const asked: string[] = [];
	const context = {
		getInstanceId: () => 'n8n',
		getExecutionDataById: (id: string) => {
			asked.push(id);
			return Promise.resolve(data);
		},
	};
	const store: Pick<ClaimStore, 'beat'> = { beat: () => Promise.resolve(succeed(1)) };
	return {
		asked,
		// No more of either is used to tell whether a holder is gone.
		claims: openClaims(context as unknown as IExecuteFunctions, store as ClaimStore),
	};
}

const claim = (claimId: string, silentForMs: number): InFlight => ({
	claimId,
	state: 'in-flight',
	key: { serverName: 'Payments', tool: 'pay', value: 'inv-7' },
	argumentsHash: 'h',
	holder: {
		instanceId: 'n8n',
		workflowId: 'w',
		executionId: '41',
		nodeName: 'Call',
		runIndex: 0,
		item: 0,
	},
	claimedAt: new Date(0),
	changedAt: new Date(Date.now() - silentForMs),
});

const ended = { resultData: { error: {}, runData: {} } };
const goesOn = { resultData: { runData: {} } };

describe('the holder of a key in flight (K8, K9)', () => {
	it('in this process is at work while it holds the claim, whatever is said of it, and gone after', async () => {
		const { claims } = claimsWhere(ended);
		const claimId = claims.newClaimId();
		const letGo = claims.hold(claimId);
		expect(await claims.isGone(claim(claimId, 3_600_000))).toBe(false);
		letGo();
		expect(await claims.isGone(claim(claimId, 0))).toBe(true);
	});

	it('in another process is at work while it was heard lately and nothing proves its end', async () => {
		const { claims, asked } = claimsWhere(goesOn);
		expect(await claims.isGone(claim('of another process', 20_000))).toBe(false);
		expect(asked).toEqual(['41']);
	});

	it("in another process is gone as soon as n8n's data proves its end", async () => {
		const { claims } = claimsWhere(ended);
		expect(await claims.isGone(claim('of another process', 0))).toBe(true);
	});

	it('in another process is gone after a minute of silence, whatever n8n says', async () => {
		const { claims } = claimsWhere(goesOn);
		expect(await claims.isGone(claim('of another process', 61_000))).toBe(true);
	});
});
