import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { host, httpConnection, jsonOf, runUntil } from '../support/host';
import { lookBack, lookedBack, manyItems } from '../support/manyParks';
import { answers, callJson } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';

let parkServer: ParkServer;
let credential: CredentialReference;

beforeAll(async () => {
	parkServer = await startParkServer();
	credential = await httpConnection(host().rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await parkServer.stop();
});

test('parameters that take longer to read than the server keeps an idle connection cost no call', async () => {
	const calls = Array.from({ length: 100 }, (_, x) => answers(`said ${String(x)}`));
	const slowly =
		'={{ ((until) => { while (Date.now() < until); return JSON.stringify($json.call); })(Date.now() + 80) }}';
	const spec = manyItems(calls, [callJson(credential, 'relay', slowly), lookBack()]);
	const done = await runUntil(host().rest, spec, ['success'], 120_000);
	expect(jsonOf(done, 'After')).toEqual(lookedBack(calls.map((_, item) => `said ${String(item)}`)));
	expect(calls.map(({ tag }) => parkServer.calls(tag).length)).toEqual(calls.map(() => 1));
});
