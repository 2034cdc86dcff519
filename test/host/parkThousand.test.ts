import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inParallel } from '../../bench/inParallel';
import type { Execution } from '../../scripts/host/executionData';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { openLedger } from '../../src/ledger/openLedger';
import { host, httpConnection, itemsOf, jsonOf, postAnswer, runUntil } from '../support/host';
import { valueOf } from '../support/connections';
import { listItems, lookBack, lookedBack, outcomesOf, runUrl } from '../support/manyParks';
import { callJson, newTag, shownUrl } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { manualTrigger, workflow } from '../support/workflow';
import type { NodeSpec } from '../support/workflow';

const COUNT = 1000;
const ANSWERERS = 8;
/** n8n reads the whole run for each answer, so as many as a test has time for go over it; the others to the ledger. */
const POSTED = 100;
const SCHEMA = {
	type: 'object',
	properties: {
		approved: { type: 'boolean' },
		note: { type: 'string', maxLength: 500 },
		amount: { type: 'number', minimum: 0 },
	},
	required: ['approved'],
};

let parkServer: ParkServer;
let credential: CredentialReference;

beforeAll(async () => {
	parkServer = await startParkServer();
	credential = await httpConnection(host().rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await parkServer.stop();
});

/** An item for each call, which it holds as a text; its tool suspends with a reason of its own. */
const before = (tag: string): NodeSpec => {
	const call = {
		tag,
		result: { content: [], _meta: { salvor: { suspend: suspend('Question #') } } },
	};
	const jsCode = `const call = ${JSON.stringify(JSON.stringify(call))};
return Array.from({ length: ${String(COUNT)} }, (_, x) => ({ json: { x: 'x' + x, call: call.replace('#', x) } }));`;
	return { name: 'Before', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
};

const suspend = (reason: string) => ({ reason, input_schema: SCHEMA });

const answerOf = (item: number) => ({ approved: item % 3 > 0, note: `by ${String(item % 8)}` });

/** Records answers as other processes of this n8n do. */
async function recordAnswers(parked: Execution, items: readonly number[]): Promise<void> {
	const file = path.join(host().userFolder, '.n8n', 'salvor-ledger.sqlite');
	const ledger = valueOf(await openLedger({ place: { kind: 'sqlite', file } }));
	try {
		const waiting = valueOf(await ledger.listWaiting({ limit: 10_000 }));
		const batchId = waiting.find(({ executionId }) => executionId === parked.id)?.batchId ?? '';
		for (const item of items) {
			const given = { batchId, item, answer: answerOf(item), answeredAt: new Date() };
			expect(valueOf(await ledger.recordAnswer(given)).kind).toBe('recorded');
		}
	} finally {
		await ledger.close();
	}
}

test('a thousand items of one run are answered by several at once, and leave once, in order, each with its own answer (P20, P21, P24)', async () => {
	const { rest } = host();
	const tag = newTag();
	const call = callJson(credential, 'look', '={{ $json.call }}');
	const spec = workflow([manualTrigger(), before(tag), call, lookBack()]);
	const parked = await runUntil(rest, spec, ['waiting'], 300_000);
	expect(outcomesOf(parked)).toEqual(Array.from({ length: COUNT }, () => 'suspended'));
	const urls = itemsOf(parked, 'Call').map((_, item) => shownUrl(parked, 'Call', item));
	expect(await listItems(runUrl(parked))).toHaveLength(COUNT);

	// Each step of 377 leads to another item, and in the end to all.
	const order = urls.map((_, at) => (at * 377) % COUNT);
	const [last = 0, ...posted] = order.slice(0, POSTED);
	const post = async (item: number) => {
		const response = await postAnswer(urls[item] ?? '', answerOf(item));
		await response.text();
		return response.status;
	};
	const begun = performance.now();
	const [statuses] = await Promise.all([
		inParallel(posted, ANSWERERS, post),
		recordAnswers(parked, order.slice(POSTED)),
	]);
	const msPerAnswer = (performance.now() - begun) / posted.length;
	console.info(`${String(COUNT)} parked items: ${msPerAnswer.toFixed(1)} ms per posted answer`);
	expect(new Set(statuses)).toEqual(new Set([202]));
	expect((await rest.execution(parked.id)).status).toBe('waiting');
	expect(await post(last)).toBe(200);

	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, 'After')).toEqual(lookedBack(urls.map((_, item) => answerOf(item))));
	expect(done.runData.Call).toHaveLength(1);
	expect(done.runData.After).toHaveLength(1);
	expect(parkServer.calls(tag)).toHaveLength(COUNT);
}, 600_000);
