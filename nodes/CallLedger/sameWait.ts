import type { Ledger } from '../../src/ledger/ledger';
import { type Result, succeed } from '../../src/outcome/failure';
import { refuse } from './refuse';

const WAITS_AT_MOST = 1_000;

/** Refuses when the wait that somebody saw in the list, named by its `since`, is over: another may have taken its place. */
export async function sameWait(
	ledger: Pick<Ledger, 'listWaiting'>,
	seen: { readonly executionId: string; readonly instanceId: string; readonly since: string },
): Promise<Result<undefined>> {
	const { executionId, instanceId, since } = seen;
	const waiting = await ledger.listWaiting({ executionId, instanceId, limit: WAITS_AT_MOST });
	if (!waiting.ok) return waiting;
	const at = new Date(since).getTime();
	if (waiting.value.some(({ parkedAt }) => parkedAt.getTime() === at)) return succeed(undefined);
	return refuse(
		`Execution ${executionId} has no wait any more that began at ${since}`,
		'It may wait for something else now: list the parked runs again, and look at its page.',
	);
}
