import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { createVerifier } from '../../examples/demo-server/provenance.ts';
import type { Json } from '../../scripts/host/json';
import { jsonCall } from '../support/calls';
import { host, httpConnection, jsonOf } from '../support/host';
import {
	listed,
	refusal,
	type SeenCall,
	type ServedTool,
	startToolServer,
	type ToolServer,
} from '../support/servers/toolServer';
import { items, manualTrigger, toolCall, workflow } from '../support/workflow';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

async function serve(...tools: readonly ServedTool[]): Promise<ToolServer> {
	const server = await startToolServer(tools);
	endings.push(() => server.stop());
	return server;
}

const PREFIX = 'io.github.n8n-nodes-salvor/';

/** What a call said of itself, without the prefix of its keys. */
const said = ({ meta }: SeenCall): Json =>
	Object.fromEntries(
		Object.entries(meta).flatMap(([key, value]) =>
			key.startsWith(PREFIX) ? [[key.slice(PREFIX.length), value]] : [],
		),
	);

const paramsOf = ({ tool, arguments: args, meta }: SeenCall) => ({
	name: tool,
	arguments: args,
	_meta: meta,
});

/** Busy for the first calls, then it answers. */
const busyFor = (times: number): ServedTool => {
	let calls = 0;
	return {
		listed: listed('look', { readOnlyHint: true }),
		answer: () => (++calls <= times ? refusal(429, { 'retry-after': '0' }) : undefined),
	};
};

const provenance = { provenance: true };
const secret = 'a secret of this test that is long enough';

/** Runs one call for each item over a connection to the server. */
async function runCalls(
	server: ToolServer,
	{
		connection = {},
		options = provenance,
		settings = {},
		count = 1,
	}: {
		readonly connection?: Json;
		readonly options?: Json;
		readonly settings?: Json;
		readonly count?: number;
	},
) {
	const { rest } = host();
	const credential = await httpConnection(rest, { endpoint: server.endpoint, ...connection });
	const spec = workflow([
		manualTrigger(),
		items(Array.from({ length: count }, (_, n) => ({ n, text: `Grüße ${String(n)}` }))),
		toolCall(
			credential,
			jsonCall('look', '={{ { n: $json.n, text: $json.text, half: 0.5 } }}', options),
			settings,
			'Look "up"',
		),
	]);
	const { id } = await rest.createWorkflow(spec);
	const execution = await rest.waitForExecution(await rest.runManually(id), ['success', 'error']);
	return { workflowId: id, execution };
}

describe('the option Provenance (C15)', () => {
	test('on: each call says where it comes from; the call of an item is none of another', async () => {
		const server = await serve(busyFor(0));
		const { workflowId, execution } = await runCalls(server, { count: 2 });
		const seen = server.calls.map(said).toSorted((a, b) => Number(a.item) - Number(b.item));
		expect(seen).toEqual(
			[0, 1].map((item) => ({
				workflow: workflowId,
				execution: execution.id,
				node: 'Look "up"',
				item,
				attempt: 1,
				call: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
			})),
		);
		expect(new Set(seen.map(({ call }) => call)).size).toBe(2);
	});

	test('a call that is tried again is the same call, another attempt', async () => {
		const server = await serve(busyFor(2));
		const { execution } = await runCalls(server, {});
		const seen = server.calls.map(said);
		expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
		expect(new Set(seen.map(({ call }) => call)).size).toBe(1);
		expect(jsonOf(execution, 'Look "up"')[0]?.call).toMatchObject({ attempts: 3 });
	});

	test("so is one that n8n's Retry On Fail has the node make again (J2)", async () => {
		const server = await serve(busyFor(3));
		const { execution } = await runCalls(server, {
			options: { ...provenance, maxAttempts: 2 },
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(execution.status).toBe('success');
		const seen = server.calls.map(said);
		expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
		expect(new Set(seen.map(({ call }) => call)).size).toBe(1);
	});

	test('off: nothing is said, whatever the connection has', async () => {
		const server = await serve(busyFor(0));
		await runCalls(server, { options: {}, connection: { signingKey: secret } });
		expect(server.calls.map(said)).toEqual([{}]);
	});

	test('the resume URL is sent only where the operator shares it, with provenance or without', async () => {
		const server = await serve(busyFor(0));
		await runCalls(server, {});
		await runCalls(server, { connection: { shareResumeUrl: true } });
		await runCalls(server, { connection: { shareResumeUrl: true }, options: {} });
		const seen = server.calls.map(said);
		expect(seen.map((meta) => ['resume-url' in meta, 'call' in meta])).toEqual([
			[false, true],
			[true, true],
			[true, false],
		]);
	});
});

const pair = generateKeyPairSync('ed25519');
const privatePem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();

describe('a signing key (C15)', () => {
	test.each([
		['a secret', secret, secret],
		['an Ed25519 key in PEM', privatePem, publicPem],
		['one that lost its line breaks', privatePem.replaceAll('\n', ' '), publicPem],
		['one in JWK', JSON.stringify(pair.privateKey.export({ format: 'jwk' })), publicPem],
	])('%s signs every attempt so that the server can verify it', async (_, signingKey, key) => {
		const server = await serve(busyFor(1));
		const { execution } = await runCalls(server, { connection: { signingKey }, count: 2 });
		const verdicts = server.calls.map((call) => createVerifier(key)(paramsOf(call)));
		expect(verdicts).toHaveLength(3);
		expect(verdicts.map(({ kind }) => kind)).toEqual(['verified', 'verified', 'verified']);
		const forged = server.calls.map((call) =>
			createVerifier(key)({ ...paramsOf(call), arguments: { ...call.arguments, n: 9 } }),
		);
		expect(forged.map(({ kind }) => kind)).toEqual(['refused', 'refused', 'refused']);
		expect(JSON.stringify(execution.runData)).not.toContain(signingKey);
	});

	test('without one nothing is signed', async () => {
		const server = await serve(busyFor(0));
		await runCalls(server, { connection: { signingKey: '' } });
		expect(server.calls.map((call) => createVerifier(secret)(paramsOf(call)).kind)).toEqual([
			'unproven',
		]);
	});

	test.each([
		['a short secret', 'hunter2'],
		['half a key', privatePem.slice(0, 70)],
		['a public key', publicPem],
	])('%s is an error that names the field, and nothing is sent', async (_, signingKey) => {
		const server = await serve(busyFor(0));
		const { execution } = await runCalls(server, { connection: { signingKey } });
		expect(execution.error?.message).toMatch(/^The MCP connection cannot be used: Signing Key /);
		expect(execution.error?.message).not.toContain(signingKey);
		expect(server.initialised()).toBe(0);
		const { rest } = host();
		const { id } = await httpConnection(rest, { endpoint: server.endpoint, signingKey });
		const tested = await rest.testCredential(id);
		expect(tested).toMatchObject({ status: 'Error' });
		expect(tested.message).toContain('Signing Key');
	});
});
