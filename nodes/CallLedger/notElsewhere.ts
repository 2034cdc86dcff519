import type { Ledger } from '../../src/ledger/ledger';
import { type Result, succeed } from '../../src/outcome/failure';
import { refuse } from './refuse';

const N8N_AT_MOST = 1_000;

/**
 * Refuses an execution's number under which only another n8n has a run that waits: this n8n would answer an execution of its
 * own. A run that no ledger knows yet, or that an earlier version registered, may be of this n8n.
 */
export async function notElsewhere(
	ledger: Pick<Ledger, 'listWaiting'>,
	executionId: string,
	instanceId: string,
): Promise<Result<undefined>> {
	const waiting = await ledger.listWaiting({ executionId, limit: N8N_AT_MOST });
	if (!waiting.ok) return waiting;
	const mayBeHere = waiting.value.some((batch) => ['', instanceId].includes(batch.instanceId));
	if (mayBeHere || waiting.value.length === 0) return succeed(undefined);
	return refuse(
		`Execution ${executionId} waits in another n8n that shares the ledger, and this n8n has none that waits under this number`,
		'Answer it in the n8n that it belongs to, or with its own address.',
	);
}
