import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import {
	agentWorkflow,
	answered,
	finalText,
	modelConnection,
	relays,
	relayTool,
	repeats,
	waitsFor,
} from '../support/agentRuns';
import { host, httpConnection, postAnswer, runUntil } from '../support/host';
import { answers, suspends } from '../support/parkRuns';
import { startModelServer } from '../support/servers/modelServer';
import type { ModelScript, ModelServer } from '../support/servers/modelServer';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import type { NodeSpec } from '../support/workflow';

// They wait for n8n to look, all at once.
vi.setConfig({ testTimeout: 300_000 });

const SCHEMA = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };

let models: ModelServer;
let parkServer: ParkServer;
let modelCredential: CredentialReference;
let relayCredential: CredentialReference;

beforeAll(async () => {
	const { rest } = host();
	models = await startModelServer();
	parkServer = await startParkServer();
	modelCredential = await modelConnection(rest, models);
	relayCredential = await httpConnection(rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await models.stop();
	await parkServer.stop();
});

/** An agent whose model follows the script. */
function agentOf(script: ModelScript, tools: readonly NodeSpec[]) {
	const model = models.model(script);
	return {
		spec: agentWorkflow({ model, modelCredential, tools }),
		requests: () => models.requests(model),
	};
}

describe.concurrent('a limit on the wait of a tool (P26, P28)', () => {
	const limited = (seconds: number, onExpiry: string) => ({
		options: { limitWait: { values: { amount: seconds / 60, unit: 'minutes', onExpiry } } },
	});

	test('the model is told that nobody answered in time, and goes on; the next call waits anew', async () => {
		const { rest } = host();
		const [first, second] = [suspends('First', SCHEMA), suspends('Second', SCHEMA)];
		const { spec, requests } = agentOf(
			(got) =>
				got.length === 0 ? relays(first) : got.length === 1 ? relays(second) : repeats(got),
			[relayTool(relayCredential, limited(1, 'continue'))],
		);
		const parked = await runUntil(rest, spec, ['waiting']);
		const url = await rest.resumeUrl(parked.id);
		await waitsFor(url, 'Second', 120_000);
		const done = await rest.waitForExecution(parked.id, ['success'], 120_000);
		const told = expect.stringContaining('nobody answered in time');
		expect(requests()[2]?.toolAnswers.map((text) => JSON.parse(text) as unknown)).toEqual([
			[{ expired: true, message: told }],
			[{ expired: true, message: told }],
		]);
		expect(finalText(done)).toContain('nobody answered in time');
		for (const { tag } of [first, second]) expect(parkServer.calls(tag)).toHaveLength(1);
	});

	test('answers in time reach the model, each that of its call', async () => {
		const { rest } = host();
		const [first, second] = [suspends('First', SCHEMA), suspends('Second', SCHEMA)];
		const { spec, requests } = agentOf(
			(got) => (got.length === 0 ? relays(first, second) : repeats(got)),
			[relayTool(relayCredential, limited(75, 'fail'))],
		);
		const parked = await runUntil(rest, spec, ['waiting']);
		const url = await rest.resumeUrl(parked.id);
		await waitsFor(url, 'First');
		expect((await postAnswer(url, { yes: true })).status).toBe(200);
		await waitsFor(url, 'Second');
		expect((await postAnswer(url, { yes: false })).status).toBe(200);
		await rest.waitForExecution(parked.id, ['success']);
		expect(requests()[1]?.toolAnswers).toEqual([answered({ yes: true }), answered({ yes: false })]);
		for (const { tag } of [first, second]) expect(parkServer.calls(tag)).toHaveLength(1);
	});

	test('with On Expiry = Fail the model gets the failure in one sentence, also of the second of two calls of a turn', async () => {
		const { rest } = host();
		const [first, second] = [suspends('First', SCHEMA), answers('said')];
		const { spec, requests } = agentOf(
			(got) => (got.length === 0 ? relays(first, second) : repeats(got)),
			[relayTool(relayCredential, limited(1, 'fail'))],
		);
		const parked = await runUntil(rest, spec, ['waiting']);
		const done = await rest.waitForExecution(parked.id, ['success'], 120_000);
		expect(requests()[1]?.toolAnswers.map((text) => JSON.parse(text) as unknown)).toEqual([
			[{ error: expect.stringMatching(/^Nobody answered "relay" \(item 0\) by .*Z$/) }],
			[{ output: 'said' }],
		]);
		expect(finalText(done)).toContain('Nobody answered');
		for (const { tag } of [first, second]) expect(parkServer.calls(tag)).toHaveLength(1);
	});
});
