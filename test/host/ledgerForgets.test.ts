import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Execution } from '../../scripts/host/executionData';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { host, httpConnection, jsonOf, postAnswer, runUntil } from '../support/host';
import { callEach, lookBack, lookedBack, manyItems } from '../support/manyParks';
import { shownUrl, suspends } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';

/** A process looks for executions once a minute, when one of them parks. */
const FORGOTTEN_MS = 150_000;

let parkServer: ParkServer;
let credential: CredentialReference;

beforeAll(async () => {
	parkServer = await startParkServer();
	credential = await httpConnection(host().rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await parkServer.stop();
});

async function park(): Promise<Execution> {
	const spec = manyItems([suspends('One'), suspends('Two')], [callEach(credential), lookBack()]);
	return await runUntil(host().rest, spec, ['waiting']);
}

/** The executions of which the ledger holds a batch, after `change` was done to it from outside. */
function ledgerAfter(change = 'SELECT 1'): readonly string[] {
	const db = new DatabaseSync(path.join(host().userFolder, '.n8n', 'salvor-ledger.sqlite'));
	try {
		db.exec(`PRAGMA busy_timeout = 5000; ${change}`);
		const rows = db.prepare('SELECT execution_id FROM salvor_batch').all();
		return rows.map(({ execution_id: id }) => String(id));
	} finally {
		db.close();
	}
}

/** As if the batches of these executions had been parked two hours ago. */
const letHoursPass = (executions: readonly Execution[]): readonly string[] =>
	ledgerAfter(
		`UPDATE salvor_batch SET check_at = '2000-01-01T00:00:00.000Z'
		WHERE execution_id IN (${executions.map(({ id }) => `'${id}'`).join(', ')})`,
	);

test('the ledger forgets an execution that n8n has no more when another one parks, and none that waits or is stored', async () => {
	const { rest } = host();
	const [deleted, waiting, finished] = [await park(), await park(), await park()];
	for (const parked of [deleted, waiting, finished]) {
		expect((await postAnswer(shownUrl(parked), 'one')).status).toBe(202);
	}
	expect((await postAnswer(shownUrl(finished, 'Call', 1), 'two')).status).toBe(200);
	await rest.waitForExecution(finished.id, ['success']);
	await rest.deleteExecution(deleted.id);
	const ids = [deleted.id, waiting.id, finished.id];
	expect(letHoursPass([deleted, waiting, finished])).toEqual(expect.arrayContaining(ids));

	const last = await until(
		async () => {
			const parked = await park();
			return ledgerAfter().includes(deleted.id) ? undefined : parked;
		},
		FORGOTTEN_MS,
		() => 'The ledger forgot nothing.',
	);
	expect(ledgerAfter()).toEqual(expect.arrayContaining([waiting.id, finished.id, last.id]));

	expect((await postAnswer(shownUrl(waiting, 'Call', 1), 'two')).status).toBe(200);
	for (const [item, status] of [
		[0, 202],
		[1, 200],
	] as const) {
		expect((await postAnswer(shownUrl(last, 'Call', item), item ? 'two' : 'one')).status).toBe(
			status,
		);
	}
	for (const { id } of [waiting, last]) {
		const done = await rest.waitForExecution(id, ['success']);
		expect(jsonOf(done, 'After')).toEqual(lookedBack(['one', 'two']));
	}
}, 240_000);
