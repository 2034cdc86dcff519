import { randomUUID } from 'node:crypto';

import { afterEach, describe, expect, test, vi } from 'vitest';

import type { Execution } from '../../scripts/host/executionData';
import { asJson, type Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { callWebhook } from '../support/callWebhook';
import { jsonCall } from '../support/calls';
import { isRunning } from '../support/connections';
import {
	host,
	httpConnection,
	jsonOf,
	postAnswer,
	runUntil,
	stdioConnection,
} from '../support/host';
import { stdioPeerCommand } from '../support/hostPeers';
import { shownUrl } from '../support/parkRuns';
import {
	listed,
	type ServedTool,
	startToolServer,
	text,
	type ToolServer,
} from '../support/servers/toolServer';
import {
	items,
	manualTrigger,
	setFields,
	toolCall,
	toolPicker,
	webhookTrigger,
	workflow,
} from '../support/workflow';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

async function serve(...tools: readonly ServedTool[]): Promise<ToolServer> {
	const server = await startToolServer(tools);
	endings.push(() => server.stop());
	return server;
}

/** A tool that only reads and answers with its own arguments. */
const echo: ServedTool = {
	listed: listed('echo', { readOnlyHint: true }),
	answer: ({ arguments: given }) => text(JSON.stringify(given)),
};

const suspends: ServedTool = {
	listed: listed('ask'),
	answer: () => ({
		...text('dropped'),
		_meta: { salvor: { suspend: { reason: 'Say something', input_schema: true } } },
	}),
};

/** A child that no other test shares: its last argument means nothing to it. */
const childConnection = async (data: Json = {}): Promise<CredentialReference> =>
	await stdioConnection(host().rest, [...stdioPeerCommand, randomUUID()], data);

const askPid = (credential: CredentialReference, name = 'Call') =>
	toolCall(credential, jsonCall('pid', {}), {}, name);

const pidIn = (execution: Execution, node = 'Call'): number =>
	Number(jsonOf(execution, node)[0]?.['output']);

const succeeds = async (spec: ReturnType<typeof workflow>): Promise<Execution> =>
	await runUntil(host().rest, spec, ['success']);

describe('a connection is shared (C9)', () => {
	test('by nodes and executions: one child, one session', async () => {
		const server = await serve(echo);
		const byPipe = await childConnection();
		const byHttp = await httpConnection(host().rest, { endpoint: server.endpoint });
		const spec = workflow([
			manualTrigger(),
			askPid(byPipe, 'One'),
			askPid(byPipe, 'Two'),
			toolCall(byHttp, jsonCall('echo', {})),
		]);
		const [first, second] = [await succeeds(spec), await succeeds(spec)];
		const pids = [first, second].flatMap((run) => [pidIn(run, 'One'), pidIn(run, 'Two')]);
		expect(new Set(pids).size).toBe(1);
		expect(pids[0]).toBeGreaterThan(0);
		expect([server.initialised(), server.calls.length]).toEqual([1, 2]);
	});

	test('by credentials that say the same to the server, each under its own policy', async () => {
		const server = await serve(echo);
		const { endpoint } = server;
		const { rest } = host();
		const open = await httpConnection(rest, { endpoint, serverName: 'open' });
		const closed = await httpConnection(rest, {
			endpoint,
			serverName: 'closed',
			toolPolicies: { tool: [{ name: 'echo', access: 'denied' }] },
		});
		const goOn = { onError: 'continueRegularOutput' };
		const execution = await succeeds(
			workflow([
				manualTrigger(),
				toolCall(open, jsonCall('echo', {}), {}, 'Open'),
				toolCall(closed, jsonCall('echo', {}), goOn, 'Closed'),
			]),
		);
		expect(jsonOf(execution, 'Open')[0]).toMatchObject({ call: { serverName: 'open' } });
		expect(jsonOf(execution, 'Closed')[0]).toMatchObject({ error: { code: 'policy-denied' } });
		expect([server.initialised(), server.calls.length]).toEqual([1, 1]);
	});

	test('by 200 executions at once, each of which gets its own answers, and opened for none before the first (C2)', async () => {
		const server = await serve(echo);
		const { rest, baseUrl } = host();
		const byPipe = await childConnection({ requestTimeout: 120 });
		const byHttp = await httpConnection(rest, { endpoint: server.endpoint, requestTimeout: 120 });
		const hook = randomUUID();
		const { id } = await rest.createWorkflow(
			workflow([
				webhookTrigger(hook, 'lastNode'),
				toolCall(byHttp, jsonCall('echo', '={{ { "n": $json.body.n } }}'), {}, 'Http'),
				toolCall(
					byPipe,
					jsonCall('echo', '={{ { "value": $json.output.n, "of": 1 } }}'),
					{},
					'Pipe',
				),
				setFields({ http: "{{ $('Http').item.json.output.n }}", pipe: '{{ $json.output }}' }),
			]),
		);
		await rest.activate(id);
		expect(server.initialised()).toBe(0);
		const numbers = Array.from({ length: 200 }, (_, n) => n);
		const answers = await Promise.all(
			numbers.map(async (n) => {
				const response = await fetch(`${baseUrl}/webhook/${hook}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ n }),
				});
				return await response.json();
			}),
		);
		expect(answers).toEqual(numbers.map((n) => ({ http: String(n), pipe: String(n) })));
		expect([server.initialised(), server.calls.length]).toEqual([1, 200]);
		const look = toolCall(byPipe, jsonCall('seen', {}));
		const execution = await succeeds(workflow([manualTrigger(), look]));
		const seen = jsonOf(execution, 'Call')[0]?.['output'] as { params: { name?: string } | null }[];
		expect(seen.filter(({ params }) => params?.name === 'echo')).toHaveLength(200);
	});
});

describe('an expression in the credential gives each item its own connection (C9)', () => {
	const byItem = { endpoint: '={{ $json.endpoint }}' };
	const withTenant = {
		header: [{ name: 'X-Tenant', value: '={{ $json.tenant }}' }],
	};

	test('each call goes to its server with its header, and the tools are those of its server', async () => {
		const other: ServedTool = { listed: listed('echo', { readOnlyHint: false }) };
		const [a, b] = [await serve(echo), await serve(other)];
		const credential = await httpConnection(host().rest, { ...byItem, headers: withTenant });
		const given = [
			{ endpoint: a.endpoint, tenant: 'one', n: 1 },
			{ endpoint: b.endpoint, tenant: 'one', n: 2 },
			{ endpoint: a.endpoint, tenant: 'two', n: 3 },
			{ endpoint: a.endpoint, tenant: 'one', n: 4 },
		];
		const execution = await succeeds(
			workflow([
				manualTrigger(),
				items(given),
				toolCall(credential, jsonCall('echo', '={{ { "n": $json.n } }}')),
			]),
		);
		const effects = jsonOf(execution, 'Call').map(({ call }) => asJson(call, 'The call').effect);
		expect(effects).toEqual(['read', 'write', 'read', 'read']);
		const sent = ({ calls }: ToolServer) =>
			calls
				.map(({ arguments: { n }, headers }) => [n, headers['x-tenant']])
				.sort(([one], [two]) => Number(one) - Number(two));
		expect(sent(a)).toEqual([
			[1, 'one'],
			[3, 'two'],
			[4, 'one'],
		]);
		expect(sent(b)).toEqual([[2, 'one']]);
		expect([a.initialised(), b.initialised()]).toEqual([2, 1]);
	});

	test('an item whose server is not there fails alone, or fails the run before anything is sent', async () => {
		const server = await serve(echo);
		const credential = await httpConnection(host().rest, byItem);
		const given = [server.endpoint, 'http://127.0.0.1:9/mcp', server.endpoint];
		const parameters = jsonCall('echo', {}, { maxAttempts: 1 });
		const run = (settings: Json) =>
			workflow([
				manualTrigger(),
				items(given.map((endpoint) => ({ endpoint }))),
				toolCall(credential, parameters, settings),
			]);
		await runUntil(host().rest, run({}), ['error']);
		expect(server.calls).toHaveLength(0);
		const execution = await succeeds(run({ onError: 'continueRegularOutput' }));
		expect(jsonOf(execution, 'Call').map(({ error }) => error)).toEqual([
			undefined,
			expect.objectContaining({ code: 'unreachable', disposition: 'did-not-happen', attempts: 1 }),
			undefined,
		]);
		expect(server.calls).toHaveLength(2);
	});

	test('the picker lists the tools of each server', async () => {
		const [a, b] = [await serve(echo), await serve(suspends)];
		const credential = await httpConnection(host().rest, byItem);
		const execution = await succeeds(
			workflow([
				manualTrigger(),
				items([a, b, a].map(({ endpoint }) => ({ endpoint }))),
				toolPicker(credential, { operation: 'list' }),
			]),
		);
		expect(jsonOf(execution, 'Pick').map(({ tool }) => tool)).toEqual(['echo', 'ask', 'echo']);
		expect([a.pagesRead(), b.pagesRead()]).toEqual([1, 1]);
	});
});

describe('Session = Per Execution (C9)', () => {
	test('each execution has a child of its own for all its nodes, gone when it ends', async () => {
		const credential = await childConnection({ session: 'perExecution' });
		const spec = workflow([manualTrigger(), askPid(credential, 'One'), askPid(credential, 'Two')]);
		const [first, second] = [await succeeds(spec), await succeeds(spec)];
		const pids = [first, second].map((run) => [pidIn(run, 'One'), pidIn(run, 'Two')]);
		expect(pids[0]?.[0]).toBe(pids[0]?.[1]);
		expect(pids[1]?.[0]).toBe(pids[1]?.[1]);
		expect(pids[0]?.[0]).not.toBe(pids[1]?.[0]);
		await vi.waitFor(() => {
			expect(pids.flat().filter(isRunning)).toEqual([]);
		}, 10_000);
	});

	test('the child of an execution that fails is gone too', async () => {
		const credential = await childConnection({ session: 'perExecution' });
		const execution = await runUntil(
			host().rest,
			workflow([
				manualTrigger(),
				askPid(credential),
				toolCall(credential, jsonCall('unreadable', {}), {}, 'Fails'),
			]),
			['error'],
		);
		await vi.waitFor(() => {
			expect(isRunning(pidIn(execution))).toBe(false);
		}, 10_000);
	});

	test('a parked run holds no connection, and goes on with another one', async () => {
		const server = await serve(suspends, echo);
		const { rest } = host();
		const { endpoint } = server;
		const credential = await httpConnection(rest, { endpoint, session: 'perExecution' });
		const hook = randomUUID();
		const { parked } = await callWebhook(
			rest,
			workflow([
				webhookTrigger(hook),
				toolCall(credential, jsonCall('echo', {}), {}, 'Before'),
				toolCall(credential, jsonCall('ask', {})),
				toolCall(credential, jsonCall('echo', {}), {}, 'After'),
			]),
			hook,
		);
		await vi.waitFor(() => {
			expect([server.initialised(), server.open()]).toEqual([1, 0]);
		}, 10_000);
		await postAnswer(shownUrl(parked), { yes: true });
		await rest.waitForExecution(parked.id, ['success']);
		expect(server.initialised()).toBe(2);
		const [before, ask, after] = server.calls.map(({ session }) => session);
		expect(before).toBe(ask);
		expect(after).not.toBe(ask);
	});
});

test('a parked run gives a shared connection back, so that others go on with it (C9)', async () => {
	const server = await serve(suspends, echo);
	const { rest } = host();
	const credential = await httpConnection(rest, { endpoint: server.endpoint });
	const hook = randomUUID();
	await callWebhook(
		rest,
		workflow([webhookTrigger(hook), toolCall(credential, jsonCall('ask', {}))]),
		hook,
	);
	await succeeds(workflow([manualTrigger(), toolCall(credential, jsonCall('echo', {}))]));
	expect(server.initialised()).toBe(1);
});
