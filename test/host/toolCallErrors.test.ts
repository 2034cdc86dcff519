import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../../scripts/host/json';
import { fieldsCall, jsonCall } from '../support/calls';
import {
	host,
	httpConnection,
	itemsOf,
	jsonOf,
	runUntil,
	stdioConnection,
	toolCallType,
	toolPickerType,
} from '../support/host';
import { stdioPeerCommand } from '../support/hostPeers';
import { type Behaviour, type HttpPeer, startHttpPeer, well } from '../support/servers/httpPeer';
import {
	gate,
	listed,
	startToolServer,
	text,
	toolError,
	type SeenCall,
	type ServedTool,
	type ToolServer,
} from '../support/servers/toolServer';
import { items, manualTrigger, setFields, toolCall, workflow } from '../support/workflow';

const SECRET = 'hunter2-c0ffee';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

async function serve(...tools: readonly ServedTool[]): Promise<ToolServer> {
	const server = await startToolServer(tools);
	endings.push(() => server.stop());
	return server;
}

/** A server that answers calls as told, and behaves well otherwise. */
async function servePeer(onCall: (sent: number) => Behaviour): Promise<HttpPeer> {
	let sent = 0;
	const peer = await startHttpPeer(({ message }) =>
		message.method === 'tools/call' ? onCall(++sent) : well,
	);
	endings.push(() => peer.stop());
	return peer;
}

const callsTo = (peer: HttpPeer): number =>
	peer.seen.filter(({ message }) => message.method === 'tools/call').length;

/** An address of 127.0.0.1 where nobody listens any more. */
async function deadEndpoint(): Promise<string> {
	const server = await startToolServer([]);
	await server.stop();
	return server.endpoint;
}

/** Runs one call for each item over HTTP, and waits for the given end. */
async function run(
	connection: Json,
	parameters: Json,
	given: readonly Json[],
	settings: Json,
	status: 'success' | 'error',
) {
	const { rest } = host();
	const credential = await httpConnection(rest, connection);
	return await runUntil(
		rest,
		workflow([manualTrigger(), items(given), toolCall(credential, parameters, settings)]),
		[status],
	);
}

const regular = { onError: 'continueRegularOutput' };
const errorOutput = { onError: 'continueErrorOutput' };
const perItem = jsonCall('={{ $json.use }}', '={{ $json.with ?? {} }}');

describe('with Continue On Fail', () => {
	const tools: readonly ServedTool[] = [
		{ listed: listed('good', { readOnlyHint: true }), answer: () => text('fine') },
		{
			listed: listed('bad', { idempotentHint: true }),
			answer: () => ({
				...toolError('no paper'),
				structuredContent: { tray: 2 },
				_meta: { trace: 'x' },
			}),
		},
	];
	const badItem = {
		error: {
			message: 'The tool "bad" answered with an error: no paper',
			code: 'tool-error',
			disposition: 'landed',
			stage: 'call',
			attempts: 1,
		},
		details: {
			call: {
				tool: 'bad',
				serverName: 'demo',
				effect: 'idempotent',
				effectSource: 'hint',
				outcome: 'failed',
				attempts: 1,
				disposition: 'landed',
			},
			description: expect.stringContaining('Effect of the tool: idempotent (hint).') as unknown,
			toolError: { text: ['no paper'], structuredContent: { tray: 2 }, meta: { trace: 'x' } },
		},
	};

	test('on the regular output the failed item stands in its place, and only it is failed (P21, U28, U30)', async () => {
		const { endpoint } = await serve(...tools);
		const given = ['good', 'bad', 'good'].map((use) => ({ use }));
		const execution = await run({ endpoint }, perItem, given, regular, 'success');
		expect(itemsOf(execution, 'Call')).toEqual([
			{ json: expect.objectContaining({ output: 'fine' }) as unknown, pairedItem: { item: 0 } },
			{ json: badItem, pairedItem: { item: 1 } },
			{ json: expect.objectContaining({ output: 'fine' }) as unknown, pairedItem: { item: 2 } },
		]);
	});

	test('on the error output the failed items leave, beside their input, and pair with it', async () => {
		const { rest } = host();
		const { endpoint } = await serve(...tools);
		const credential = await httpConnection(rest, { endpoint });
		const given = ['bad', 'good', 'unheard', 'good'].map((use, n) => ({ use, n }));
		const execution = await runUntil(
			rest,
			workflow(
				[
					manualTrigger(),
					items(given),
					toolCall(credential, perItem, errorOutput),
					setFields({ n: "{{ $('Items').item.json.n }}" }, 'Went well'),
					setFields(
						{ n: "{{ $('Items').item.json.n }}", code: '{{ $json.error.code }}' },
						'Failed',
					),
				],
				[
					{ from: 'Start', to: 'Items' },
					{ from: 'Items', to: 'Call' },
					{ from: 'Call', to: 'Went well' },
					{ from: 'Call', output: 1, to: 'Failed' },
				],
			),
			['success'],
		);
		// n8n itself puts the input's fields beside the error.
		expect(jsonOf(execution, 'Call', 1)[0]).toEqual({ use: 'bad', n: 0, ...badItem });
		expect(jsonOf(execution, 'Failed')).toEqual([
			{ n: '0', code: 'tool-error' },
			{ n: '2', code: 'tool-unknown' },
		]);
		expect(jsonOf(execution, 'Went well')).toEqual([{ n: '1' }, { n: '3' }]);
	});

	test.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	])(
		'%s: a connection that fails gives one failed item for each (U28)',
		async (onError, output) => {
			const endpoint = await deadEndpoint();
			const given = [{ use: 'a' }, { use: 'b' }, { use: 'c' }];
			const execution = await run({ endpoint }, perItem, given, { onError }, 'success');
			const failed = jsonOf(execution, 'Call', output);
			expect(failed.map(({ error }) => error)).toEqual(
				given.map(() => ({
					message: expect.stringContaining('could not be reached') as unknown,
					code: 'unreachable',
					disposition: 'did-not-happen',
					stage: 'connect',
					attempts: 3,
				})),
			);
			const attempt = { code: 'unreachable', disposition: 'did-not-happen', stage: 'connect' };
			expect(failed.map(({ details }) => details)).toMatchObject(
				given.map(({ use }) => ({
					call: {
						tool: use,
						outcome: 'failed',
						attempts: 3,
						failedAttempts: [1, 2, 3].map((number) => ({ ...attempt, number })),
					},
				})),
			);
		},
	);

	test.each([
		['the Call node', toolCallType, jsonCall('work', {})],
		['the Picker node', toolPickerType, { operation: 'list' }],
	])('a credential that is gone fails each item of %s (U4, U28)', async (_, type, parameters) => {
		const { rest } = host();
		const credentials = { mcpConnectionApi: { id: 'gone-for-good', name: 'Gone' } };
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				items([{ n: 1 }, { n: 2 }]),
				{ name: 'Call', type, parameters, credentials, settings: regular },
			]),
			['success'],
		);
		expect(jsonOf(execution, 'Call').map(({ error }) => error)).toMatchObject([
			{ code: 'connection-invalid', disposition: 'did-not-happen', attempts: 0 },
			{ code: 'connection-invalid', disposition: 'did-not-happen', attempts: 0 },
		]);
	});

	test.each([
		['the Call node', toolCallType, jsonCall('work', {})],
		['the Picker node', toolPickerType, { operation: 'list' }],
	])(
		'a credential that n8n cannot decrypt fails each item of %s in its words, and nothing is sent without it (U4)',
		async (_, type, parameters) => {
			const { rest, userFolder } = host();
			const server = await serve({ listed: listed('work') });
			const credential = await httpConnection(rest, {
				endpoint: server.endpoint,
				bearerToken: SECRET,
			});
			const database = new DatabaseSync(path.join(userFolder, '.n8n', 'database.sqlite'));
			try {
				const { changes } = database
					.prepare('UPDATE credentials_entity SET data = ? WHERE id = ?')
					.run(Buffer.from('encrypted with another key').toString('base64'), credential.id);
				expect(changes).toBe(1);
			} finally {
				database.close();
			}
			const credentials = { mcpConnectionApi: credential };
			const execution = await runUntil(
				rest,
				workflow([
					manualTrigger(),
					items([{ n: 1 }, { n: 2 }]),
					{ name: 'Call', type, parameters, credentials, settings: regular },
				]),
				['success'],
			);
			const refused = {
				code: 'connection-invalid',
				disposition: 'did-not-happen',
				message: expect.stringMatching(/decrypt/i) as unknown,
			};
			expect(jsonOf(execution, 'Call').map(({ error }) => error)).toMatchObject([refused, refused]);
			expect(server.initialised()).toBe(0);
		},
	);

	test('an expression that fails for one item fails that item alone, and the others are called', async () => {
		const server = await serve({ listed: listed('work') });
		const wanted = "={{ $json.n === 2 ? $('Nowhere').item.json.x : 'work' }}";
		const given = [{ n: 1 }, { n: 2 }, { n: 3 }];
		const { endpoint } = server;
		const execution = await run({ endpoint }, jsonCall(wanted, {}), given, regular, 'success');
		const put = jsonOf(execution, 'Call');
		expect(put.map((json) => 'error' in json)).toEqual([false, true, false]);
		expect(put[1]?.error).toMatchObject({ disposition: 'did-not-happen', attempts: 0 });
		expect(server.calls).toHaveLength(2);
	});

	test('a server that dies in the middle takes one item with it, in doubt; the next call starts it anew', async () => {
		const { rest } = host();
		const credential = await stdioConnection(rest, stdioPeerCommand, {
			environment: { variable: [{ name: 'PEER_KEY', value: SECRET }] },
		});
		const given = ['pid', 'die', 'pid'].map((use) => ({ use }));
		const execution = await runUntil(
			rest,
			workflow([manualTrigger(), items(given), toolCall(credential, perItem, errorOutput)]),
			['success'],
		);
		const [first, third] = jsonOf(execution, 'Call').map(({ output }) => output);
		expect(first).toBeTypeOf('number');
		expect(third).toBeTypeOf('number');
		expect(third).not.toBe(first);
		const failed = jsonOf(execution, 'Call', 1);
		expect(failed.map(({ error }) => error)).toMatchObject([
			{ code: 'connection-lost', disposition: 'in-doubt', stage: 'call', attempts: 1 },
		]);
		// The last words hold the environment's value; the message does not (I: no secret leaves).
		expect(JSON.stringify(failed)).toContain('last words, the key is');
		expect(JSON.stringify(failed)).not.toContain(SECRET);
	});
});

describe('without it the node fails, naming the field or the tool and the remedy', () => {
	const strict = {
		type: 'object',
		properties: { n: { type: 'integer' }, unit: { enum: ['kg', 'g'] } },
		required: ['n'],
		additionalProperties: false,
	};
	test.each([
		['an array', '[1]', 'Arguments must be a JSON object, but an array arrived'],
		['a text', '"n"', 'Arguments must be a JSON object, but "n" arrived'],
		['null as text', 'null', 'Arguments must be a JSON object, but null arrived'],
		['nothing by expression', '={{ $json.nothing }}', 'Arguments must be a JSON object, but '],
		['null by expression', '={{ null }}', 'Arguments must be a JSON object, but null arrived'],
		[
			'an array by expression',
			'={{ [1] }}',
			'Arguments must be a JSON object, but an array arrived',
		],
		['malformed JSON', '{"n": ', 'Arguments (JSON) is not valid JSON'],
		[
			'a misfit',
			'{"n": "one"}',
			'Arguments do not fit "weigh": $.n must be a whole number, but a string arrived',
		],
		['a missing argument', '{}', 'Arguments do not fit "weigh": $.n is required'],
		['one too many', '{"n": 1, "m": 2}', 'Arguments do not fit "weigh": $.m '],
		[
			'no choice of the list',
			'{"n": 1, "unit": "lb"}',
			'Arguments do not fit "weigh": $.unit must be one of "kg", "g"',
		],
	])('arguments: %s', async (_, json, message) => {
		const server = await serve({ listed: listed('weigh', undefined, strict) });
		const { endpoint } = server;
		const execution = await run({ endpoint }, jsonCall('weigh', json), [{}], {}, 'error');
		expect(execution.lastNode).toBe('Call');
		expect(execution.error?.message).toContain(message);
		expect(execution.error?.description).toMatch(/^(Give a|Correct)/);
		expect(execution.error?.description).toContain(
			'Code: arguments-invalid. Disposition: did-not-happen. The tool did not run.',
		);
		expect(server.calls).toEqual([]);
	});

	test('malformed JSON is refused without a word of what stands in it', async () => {
		const { endpoint } = await serve({ listed: listed('weigh') });
		const json = `{"pin": ${SECRET}}`;
		const { error } = await run({ endpoint }, jsonCall('weigh', json), [{}], {}, 'error');
		expect(error?.message).toMatch(/^Arguments \(JSON\) is not valid JSON/);
		expect(`${String(error?.message)} ${String(error?.description)}`).not.toContain(SECRET);
	});

	test('an argument that is missing among fields is named', async () => {
		const { endpoint } = await serve({ listed: listed('weigh', undefined, strict) });
		const parameters = fieldsCall('weigh', { unit: 'kg' });
		const { error } = await run({ endpoint }, parameters, [{}], {}, 'error');
		expect(error?.message).toMatch(/^Arguments do not fit "weigh": .*\bn\b/);
	});

	test('a tool of another spelling is unknown (E7)', async () => {
		const { endpoint } = await serve({ listed: listed('weigh') });
		const { error } = await run({ endpoint }, jsonCall('Weigh', {}), [{}], {}, 'error');
		expect(error?.message).toBe('The server "demo" does not list a tool "Weigh"');
		expect(error?.description).toContain('names match exactly, upper and lower case included');
		expect(error?.description).toContain('Code: tool-unknown. Disposition: did-not-happen.');
	});

	test('a server that lists nothing says so', async () => {
		const { endpoint } = await serve();
		const { error } = await run({ endpoint }, jsonCall('weigh', {}), [{}], {}, 'error');
		expect(error?.message).toBe('"weigh" cannot be called: the server "demo" lists no tools');
		expect(error?.description).toContain('Check that the connection leads to the right server.');
	});

	test('a tool name that an expression leaves empty', async () => {
		const { endpoint } = await serve({ listed: listed('weigh') });
		const { error } = await run({ endpoint }, jsonCall("={{ '' }}", {}), [{}], {}, 'error');
		expect(error?.message).toBe('Tool is empty');
		expect(error?.description).toContain('Pick a tool from the list or enter its name.');
	});

	test('an expression that cannot be evaluated', async () => {
		const server = await serve({ listed: listed('weigh') });
		const { endpoint } = server;
		const execution = await run({ endpoint }, jsonCall('weigh', '={{ nope( }}'), [{}], {}, 'error');
		expect(execution.error?.message).toContain('invalid syntax');
		expect(server.calls).toEqual([]);
	});

	test('a refused connection (U5)', async () => {
		const endpoint = await deadEndpoint();
		const { error } = await run({ endpoint }, jsonCall('weigh', {}), [{}], {}, 'error');
		expect(error?.message).toContain('(connection refused, ECONNREFUSED)');
		expect(error?.description).toContain('Check the field Endpoint');
		expect(error?.description).toContain('Stage: connect.');
	});

	test("a tool's own words stay, whatever error codes they hold", async () => {
		const said = 'ENOENT: no such file, ask for EPERM';
		const { endpoint } = await serve({
			listed: listed('open'),
			answer: () => toolError(said),
		});
		const { error } = await run({ endpoint }, jsonCall('open', {}), [{}], {}, 'error');
		expect(error?.message).toBe(`The tool "open" answered with an error: ${said}`);
	});

	test('an endpoint that answers HTML (U5)', async () => {
		const body = '<html>Sign in</html>';
		const peer = await startHttpPeer(() => ({
			kind: 'answer',
			status: 200,
			type: 'text/html',
			body,
		}));
		endings.push(() => peer.stop());
		const { error } = await run({ endpoint: peer.url }, jsonCall('weigh', {}), [{}], {}, 'error');
		expect(error?.message).toContain('does not look like MCP');
		expect(error?.description).toContain('the path often ends in /mcp');
		expect(error?.description).toContain('The answer began: &lt;html&gt;Sign in&lt;/html&gt;');
	});

	test('a 401, with no word of the token, even when the server repeats it', async () => {
		const server = await startToolServer([], { authorization: 'another' });
		endings.push(() => server.stop());
		const { endpoint } = server;
		const connection = { endpoint, bearerToken: SECRET };
		const execution = await run(connection, jsonCall('weigh', {}), [{}], {}, 'error');
		expect(execution.error?.message).toContain('HTTP 401');
		expect(execution.error?.description).toContain('Check the field Bearer Token');
		expect(JSON.stringify(execution)).not.toContain(SECRET);
	});

	test('a command that the operator does not allow (C8)', async () => {
		const { rest } = host();
		const credential = await stdioConnection(rest, ['/bin/sh', '-c', SECRET]);
		const execution = await runUntil(
			rest,
			workflow([manualTrigger(), toolCall(credential, jsonCall('weigh', {}))]),
			['error'],
		);
		expect(execution.error?.message).toContain("SALVOR_STDIO_COMMANDS in n8n's environment");
		expect(execution.error?.description).toContain('Code: spawn-failed.');
		expect(JSON.stringify(execution)).not.toContain(SECRET);
	});

	test('a server that dies under the call leaves it in doubt, with its last words (U6)', async () => {
		const { rest } = host();
		const credential = await stdioConnection(rest, stdioPeerCommand);
		const { error } = await runUntil(
			rest,
			workflow([manualTrigger(), toolCall(credential, jsonCall('die', {}))]),
			['error'],
		);
		expect(error?.message).toContain('Calling the tool "die" has no known outcome');
		expect(error?.message).toContain('(it ended, exit code 3)');
		expect(error?.description).toContain('Disposition: in-doubt.');
		expect(error?.description).toContain('Find out what the call did before calling again.');
		expect(error?.description).toContain('last words, the key is none');
	});

	test('a connection cut under the call', async () => {
		const peer = await servePeer(() => ({ kind: 'reset' }));
		const { error } = await run({ endpoint: peer.url }, jsonCall('work', {}), [{}], {}, 'error');
		expect(error?.message).toContain('has no known outcome');
		expect(error?.description).toContain('Code: connection-lost. Disposition: in-doubt.');
	});

	test('an answer that never comes: in doubt after Request Timeout, which is named (C3, U31)', async () => {
		const peer = await servePeer(() => ({ kind: 'hang' }));
		const connection = { endpoint: peer.url, requestTimeout: 1 };
		const { error } = await run(connection, jsonCall('work', {}), [{}], {}, 'error');
		expect(error?.message).toContain('within 1 s, the Request Timeout of the connection');
		expect(error?.description).toContain('Raise the field Request Timeout of the credential');
		expect(error?.description).toContain('Code: timed-out. Disposition: in-doubt.');
	});

	test('no credential at all: the error is n8n’s own, and nothing is sent (U4)', async () => {
		const { rest } = host();
		const { error, lastNode } = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				{ name: 'Call', type: toolCallType, parameters: jsonCall('weigh', {}) },
			]),
			['error'],
		);
		expect(lastNode).toBe('Call');
		expect(error?.message).toMatch(/credential/i);
	});
});

describe('without it nothing is sent in vain', () => {
	test('one misfit among the items fails the run before the first call is sent', async () => {
		const server = await serve({ listed: listed('work') });
		const given = [{ use: 'work' }, { use: 'work' }, { use: 'unheard' }];
		const execution = await run({ endpoint: server.endpoint }, perItem, given, {}, 'error');
		expect(execution.error?.message).toContain('unheard');
		expect(execution.error?.raw).toMatchObject({ context: { itemIndex: 2 } });
		expect(server.calls).toEqual([]);
	});

	test('no call is sent after the first that failed', async () => {
		const server = await serve({ listed: listed('ok') }, { listed: listed('no'), answer: refuse });
		const given = ['ok', 'no', 'ok', 'ok'].map((use) => ({ use }));
		await run({ endpoint: server.endpoint }, perItem, given, {}, 'error');
		expect(server.calls.map(({ tool }) => tool)).toEqual(['ok', 'no']);
	});
});

const refuse = () => toolError('no');
const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

describe('Retry On Fail', () => {
	test.each([
		['as it is', {}, 'error'],
		['with Continue On Fail', regular, 'success'],
		['with the error output', errorOutput, 'success'],
	] as const)(
		'a write whose tool reports an error is sent exactly once: %s (P20, J1, U35)',
		async (_, more, status) => {
			const server = await serve({ listed: listed('pay'), answer: refuse });
			const settings = { ...retry, ...more };
			await run({ endpoint: server.endpoint }, jsonCall('pay', {}), [{}], settings, status);
			expect(server.calls).toHaveLength(1);
		},
	);

	test('a write that is in doubt is sent once, and the last word is to look it up (J2, U34)', async () => {
		const peer = await servePeer(() => ({ kind: 'reset' }));
		const { error } = await run({ endpoint: peer.url }, jsonCall('work', {}), [{}], retry, 'error');
		expect(callsTo(peer)).toBe(1);
		expect(error?.message).toContain(
			'An earlier attempt of "work" may have happened, so it is not sent again',
		);
		expect(error?.description).toContain('Code: needs-reconciliation. Disposition: in-doubt.');
	});

	test('what went well before the failure is not sent again, and its output stands (J1)', async () => {
		let reads = 0;
		const server = await serve(
			{ listed: listed('pay'), answer: (call) => text(`paid ${String(call.arguments.n)}`) },
			{
				listed: listed('look', { readOnlyHint: true }),
				answer: () => (++reads < 3 ? toolError('busy') : text('seen')),
			},
		);
		const given = [
			{ use: 'pay', with: { n: 'a' } },
			{ use: 'look', with: { n: 'b' } },
			{ use: 'pay', with: { n: 'c' } },
		];
		const { endpoint } = server;
		const execution = await run({ endpoint }, perItem, given, retry, 'success');
		expect(jsonOf(execution, 'Call').map(({ output }) => output)).toEqual([
			'paid a',
			'seen',
			'paid c',
		]);
		expect(server.calls.map(({ tool, arguments: { n } }) => [tool, n])).toEqual([
			['pay', 'a'],
			['look', 'b'],
			['look', 'b'],
			['look', 'b'],
			['pay', 'c'],
		]);
	});

	test('a failed read may be sent again (J2)', async () => {
		const server = await serve({
			listed: listed('look', { readOnlyHint: true }),
			answer: refuse,
		});
		await run({ endpoint: server.endpoint }, jsonCall('look', {}), [{}], retry, 'error');
		expect(server.calls).toHaveLength(3);
	});

	test('a write that provably did not happen may be sent again (J2)', async () => {
		const peer = await servePeer((sent) =>
			sent === 1 ? { kind: 'answer', status: 429, type: 'text/plain', body: 'later' } : well,
		);
		const execution = await run(
			{ endpoint: peer.url },
			jsonCall('work', {}),
			[{}],
			retry,
			'success',
		);
		expect(jsonOf(execution, 'Call').map(({ output }) => output)).toEqual(['done']);
		expect(callsTo(peer)).toBe(2);
	});

	test('the next run of the node in the same execution calls anew (J1)', async () => {
		const { rest } = host();
		const server = await serve({ listed: listed('pay') });
		const credential = await httpConnection(rest, { endpoint: server.endpoint });
		const execution = await runUntil(
			rest,
			workflow(
				[
					manualTrigger(),
					items([{ n: 1 }], 'One'),
					items([{ n: 2 }], 'Two'),
					toolCall(credential, jsonCall('pay', '={{ { "n": $json.n } }}'), { ...retry }),
				],
				[
					{ from: 'Start', to: 'One' },
					{ from: 'Start', to: 'Two' },
					{ from: 'One', to: 'Call' },
					{ from: 'Two', to: 'Call' },
				],
			),
			['success'],
		);
		expect(execution.runData.Call).toHaveLength(2);
		expect(server.calls.map((call) => call.arguments)).toEqual([{ n: 1 }, { n: 2 }]);
	});
});

describe('concurrency (C10)', () => {
	test('reads overlap up to Concurrency, and the output keeps the order of the input', async () => {
		const { rest } = host();
		const pass = gate(4);
		const server = await serve({
			listed: listed('look', { readOnlyHint: true }),
			answer: async (call: SeenCall) => {
				await pass();
				return text(String(call.arguments.n));
			},
		});
		const credential = await httpConnection(rest, {
			endpoint: server.endpoint,
			requestTimeout: 10,
		});
		const numbers = Array.from({ length: 12 }, (_, n) => n);
		const parameters = jsonCall('look', '={{ { "n": $json.n } }}', { concurrency: 4 });
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				items(numbers.map((n) => ({ n }))),
				toolCall(credential, parameters),
			]),
			['success'],
		);
		expect(jsonOf(execution, 'Call').map(({ output }) => output)).toEqual(numbers);
		expect(server.mostAtOnce()).toBe(4);
		expect(server.initialised()).toBe(1);
	});

	test('Concurrency is 8 unless told otherwise', async () => {
		const pass = gate(8);
		const server = await serve({
			listed: listed('look', { idempotentHint: true }),
			answer: async () => {
				await pass();
				return text('x');
			},
		});
		const given = Array.from({ length: 16 }, () => ({}));
		const connection = { endpoint: server.endpoint, requestTimeout: 10 };
		await run(connection, jsonCall('look', {}), given, {}, 'success');
		expect(server.mostAtOnce()).toBe(8);
	});

	test('writes go one at a time, in the order of the items, and no read overlaps them', async () => {
		const underWay = new Set<SeenCall>();
		const overlaps: (readonly string[])[] = [];
		/** Long enough under way for another call to arrive if it were sent. */
		const linger = async (call: SeenCall) => {
			underWay.add(call);
			const tools = [...underWay].map(({ tool }) => tool);
			if (tools.length > 1 && tools.includes('pay')) overlaps.push(tools);
			await new Promise((resolve) => setTimeout(resolve, 40));
			underWay.delete(call);
			return text(String(call.arguments.n));
		};
		const server = await serve(
			{ listed: listed('pay'), answer: linger },
			{ listed: listed('look', { readOnlyHint: true }), answer: linger },
		);
		const uses = ['look', 'look', 'pay', 'look', 'pay', 'pay', 'look', 'look'];
		const given = uses.map((use, n) => ({ use, with: { n } }));
		const execution = await run(
			{ endpoint: server.endpoint },
			jsonCall('={{ $json.use }}', '={{ $json.with }}', { concurrency: 64 }),
			given,
			{},
			'success',
		);
		expect(overlaps).toEqual([]);
		expect(server.mostAtOnce()).toBe(2);
		expect(jsonOf(execution, 'Call').map(({ output }) => output)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
		const writes = server.calls.filter(({ tool }) => tool === 'pay');
		expect(writes.map((call) => call.arguments.n)).toEqual([2, 4, 5]);
	});
});
