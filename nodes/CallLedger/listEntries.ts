import type { IExecuteFunctions } from 'n8n-workflow';

import type { StandingClaim } from '../../src/call/claimStore';
import type { PlainObject } from '../../src/json/plainObject';
import type { Ledger } from '../../src/ledger/ledger';
import { type Result, succeed } from '../../src/outcome/failure';
import { claimEntry } from './claimEntry';
import { doubtAbandoned } from './doubtAbandoned';
import { releaseEntry } from './releaseEntry';

const ALL = 100_000;

/** One entry for each call in the chosen states: those with a key, then releases, then the runs of this n8n that wait. */
export async function listEntries(
	context: IExecuteFunctions,
	ledger: Ledger,
	item: number,
): Promise<Result<readonly PlainObject[]>> {
	const chosen: unknown = context.getNodeParameter('states', item, ['in-doubt']);
	const states: readonly unknown[] = Array.isArray(chosen) ? chosen : [];
	const limit = readLimit(context, item);
	const abandoned = await doubtAbandoned(ledger, new Date());
	if (!abandoned.ok) return abandoned;
	const claimStates = CLAIM_STATES.filter((state) => states.includes(state));
	const claims = await ledger.listClaims({ states: claimStates, limit });
	if (!claims.ok) return claims;
	const entries = claims.value.map(claimEntry);
	if (states.includes('released') && entries.length < limit) {
		const releases = await ledger.listReleases({ limit: limit - entries.length });
		if (!releases.ok) return releases;
		entries.push(...releases.value.map(({ claim, releasedBy }) => releaseEntry(claim, releasedBy)));
	}
	if (!states.includes('parked') || entries.length >= limit) return succeed(entries);
	const waiting = await ledger.listWaiting({
		instanceId: context.getInstanceId(),
		limit: limit - entries.length,
	});
	if (!waiting.ok) return waiting;
	for (const { batchId, parkedAt, ...batch } of waiting.value) {
		const reading = await ledger.readAnswers(batchId);
		if (!reading.ok) return reading;
		const unanswered = reading.value.kind === 'batch' ? reading.value.unanswered : [];
		entries.push({ state: 'parked', ...batch, unanswered, since: parkedAt.toISOString() });
	}
	return succeed(entries);
}

const CLAIM_STATES: readonly StandingClaim['state'][] = ['in-doubt', 'in-flight', 'settled'];

function readLimit(context: IExecuteFunctions, item: number): number {
	if (context.getNodeParameter('returnAll', item, false)) return ALL;
	const limit = context.getNodeParameter('limit', item, 50);
	return typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : 50;
}
