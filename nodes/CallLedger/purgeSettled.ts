import type { IExecuteFunctions } from 'n8n-workflow';

import type { PlainObject } from '../../src/json/plainObject';
import type { Ledger } from '../../src/ledger/ledger';
import { fail, type Result, succeed } from '../../src/outcome/failure';
import { readDecision } from './readDecision';
import { refuse } from './refuse';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Forgets settled calls and releases that are older; a call in doubt, in flight or parked stays. */
export async function purgeSettled(
	context: IExecuteFunctions,
	ledger: Ledger,
	item: number,
): Promise<Result<readonly PlainObject[]>> {
	const days: unknown = context.getNodeParameter('olderThanDays', item, 90);
	if (typeof days !== 'number' || !Number.isFinite(days) || days < 1) {
		return refuse('Older Than (Days) must be a number of at least 1', 'Enter a number of days.');
	}
	const now = new Date();
	const decision = readDecision(context, item, now);
	if (!decision.ok) return decision;
	const before = new Date(Math.max(0, now.getTime() - days * DAY_MS));
	const forgotten = await ledger.purgeClaims({ before, parked: 'keep' });
	// It forgets part by part, and the first ones may be gone.
	if (!forgotten.ok) return fail({ ...forgotten.failure, disposition: 'in-doubt' });
	return succeed([
		{
			operation: 'purge',
			before: before.toISOString(),
			forgotten: forgotten.value,
			decision: decision.value,
		},
	]);
}
