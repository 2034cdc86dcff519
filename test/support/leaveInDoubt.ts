import { createHash } from 'node:crypto';
import path from 'node:path';
import { canonicalJson } from '../../src/json/canonicalJson';
import { openSqliteLedger } from '../../src/ledger/sqliteLedger';

/** Leaves a call of the demo server's `settle_payment` in doubt in the ledger of an n8n, as execution 41 would have. */
export async function leaveInDoubt(userFolder: string, paymentId: string): Promise<void> {
	const ledger = await openSqliteLedger(path.join(userFolder, '.n8n', 'salvor-ledger.sqlite'));
	if (!ledger.ok) throw new Error(ledger.failure.message);
	const argumentsText = canonicalJson({ payment_id: paymentId });
	const claimed = await ledger.value.claim({
		claimId: paymentId,
		key: { serverName: 'demo', tool: 'settle_payment', value: paymentId },
		argumentsHash: createHash('sha256').update(argumentsText).digest('hex'),
		holder: {
			instanceId: 'another',
			workflowId: 'w1',
			executionId: '41',
			nodeName: 'Settle payment',
			runIndex: 0,
			item: 0,
		},
		claimedAt: new Date(),
	});
	if (!claimed.ok) throw new Error(claimed.failure.message);
	const failure = {
		code: 'connection-lost',
		disposition: 'in-doubt',
		message: 'The connection was lost after the call was sent',
	} as const;
	await ledger.value.doubt({ claimId: paymentId, failure, at: new Date() });
	await ledger.value.close();
}
