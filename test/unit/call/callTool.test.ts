import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../nodes/shared/sha256';
import type { Claims } from '../../../src/call/claims';
import type { CallOutcome } from '../../../src/call/callOutcome';
import { callTool } from '../../../src/call/callTool';
import { type CallContext, type CallRequest, checkCall } from '../../../src/call/checkCall';
import type { McpSession, ToolRequest, ToolResult } from '../../../src/call/session';
import { type Failure, fail, type Result, succeed } from '../../../src/outcome/failure';
import type { ConnectionPolicy } from '../../../src/policy/connectionPolicy';
import { describeTool } from '../../../src/policy/describeTool';
import { fingerprintText } from '../../../src/policy/fingerprint';
import type { Pin } from '../../../src/policy/pin';
import type { ListedTool } from '../../../src/policy/tool';
import { retryingOn, virtualClock } from '../../support/virtualClock';

/** The call port of a session that answers every request alike and keeps what was sent. */
interface CountingSession extends Pick<McpSession, 'callTool'> {
	readonly sent: ToolRequest[];
	readonly signals: (AbortSignal | undefined)[];
}

function countingSession(answer: Result<ToolResult>): CountingSession {
	const sent: ToolRequest[] = [];
	const signals: (AbortSignal | undefined)[] = [];
	return {
		sent,
		signals,
		callTool: (request, signal) => {
			sent.push(request);
			signals.push(signal);
			return Promise.resolve(answer);
		},
	};
}

const inputSchema = { type: 'object', required: ['amount'] };
const tool = (name: string, annotations: unknown = {}): ListedTool => ({
	name,
	inputSchema,
	annotations,
	problems: [],
});

const policy: ConnectionPolicy = {
	tools: [
		{ name: 'pay', effect: 'write', access: 'allowed' },
		{ name: 'refund', effect: 'server', access: 'denied' },
		{ name: 'quote', effect: 'idempotent', access: 'allowed' },
		{ name: 'settle', effect: 'write', access: 'allowed', idempotencyKey: ['claim', 'id'] },
		{ name: 'ensure', effect: 'idempotent', access: 'allowed', idempotencyKey: ['id'] },
		{ name: 'find', effect: 'read', access: 'allowed', idempotencyKey: ['id'] },
	],
	unlistedTools: 'allow',
	useServerHints: true,
};
const offered = [
	...['pay', 'refund', 'quote', 'settle', 'ensure', 'find'].map((name) => tool(name)),
	tool('look', { readOnlyHint: true }),
];

/** Wants a number under `amount`. */
const wantsAmount: CallContext['checkArguments'] = (_schema, value) =>
	typeof (value as { amount?: unknown }).amount === 'number'
		? []
		: [{ path: '$.amount', message: 'must be a number, but nothing arrived' }];

const paid: ToolResult = { content: [{ type: 'text', text: 'paid' }] };

function contextOf(
	session: CountingSession,
	more: Partial<Omit<CallContext, 'session'>> = {},
): CallContext {
	return {
		session,
		serverName: 'Payments',
		tools: new Map(offered.map((listed) => [listed.name, describeTool(listed, policy)])),
		unoffered: { idle: [], broken: [] },
		checkArguments: wantsAmount,
		sha256,
		...more,
	};
}

const keyless = () => {
	throw new Error('a call without a key has nothing to do with the ledger');
};
const claims: Claims = {
	store: { claim: keyless, beat: keyless, settle: keyless, doubt: keyless, withdraw: keyless },
	newClaimId: keyless,
	hold: keyless,
	isGone: keyless,
	now: keyless,
};
const nobody = keyless;

/** Goes the whole way: checks, then sends what passed. */
async function call(
	context: CallContext,
	request: Partial<CallRequest> = {},
): Promise<CallOutcome> {
	const { facts, checked } = checkCall(context, {
		toolName: 'pay',
		arguments: { amount: 5 },
		...request,
	});
	return checked.ok
		? await callTool(
				{ ...context, retrying: retryingOn(virtualClock()), claims },
				checked.value,
				nobody,
			)
		: { kind: 'failed', failure: checked.failure, facts };
}

async function callWith(
	answer: Result<ToolResult>,
	request: Partial<CallRequest> = {},
): Promise<CallOutcome> {
	return await call(contextOf(countingSession(answer)), request);
}

const brokenRow = { idle: ['gone'], broken: ['Pay', 'lost'] };

interface Refusal {
	readonly request: Partial<CallRequest>;
	readonly code: Failure['code'];
	readonly message: string;
}

const notAnObject = (arrived: string, value: unknown): [string, Refusal] => [
	`arguments are ${arrived}`,
	{
		request: { arguments: value },
		code: 'arguments-invalid',
		message: `Arguments must be a JSON object, but ${arrived} arrived`,
	},
];

const deeplyNested: unknown = JSON.parse('['.repeat(3000) + ']'.repeat(3000));

describe('a refused call did not happen, and nothing is sent', () => {
	it.each<[string, Refusal]>([
		[
			'arguments are nested too deep to be sent',
			{
				request: { arguments: { invoice: 'inv-7', deeply: deeplyNested } },
				code: 'arguments-invalid',
				message: 'The arguments cannot be sent: they are nested deeper than 200 levels',
			},
		],
		[
			'the tool is not listed',
			{
				request: { toolName: 'Pay' },
				code: 'tool-unknown',
				message: 'The server "Payments" does not list a tool "Pay"',
			},
		],
		[
			'the tool is named like a property of every object',
			{
				request: { toolName: 'constructor' },
				code: 'tool-unknown',
				message: 'The server "Payments" does not list a tool "constructor"',
			},
		],
		[
			'the tool is denied (G2)',
			{
				request: { toolName: 'refund' },
				code: 'policy-denied',
				message: 'The connection\'s policy does not allow "refund"',
			},
		],
		[
			'the effect is lowered by one (E5)',
			{
				request: { treatAs: 'idempotent' },
				code: 'policy-denied',
				message: 'Treat As must not be laxer than the connection: "pay" is write (operator) there',
			},
		],
		[
			'the effect is lowered to read (E5)',
			{
				request: { toolName: 'quote', treatAs: 'read' },
				code: 'policy-denied',
				message:
					'Treat As must not be laxer than the connection: "quote" is idempotent (operator) there',
			},
		],
		notAnObject('null', null),
		notAnObject('an array', [{ amount: 5 }]),
		notAnObject('"{}"', '{}'),
		notAnObject('`5`', 5),
		notAnObject('`false`', false),
		notAnObject('nothing', undefined),
		[
			'the arguments do not fit',
			{
				request: { arguments: {} },
				code: 'arguments-invalid',
				message: 'Arguments do not fit "pay": $.amount must be a number, but nothing arrived',
			},
		],
	])('%s', async (_, { request, code, message }) => {
		const session = countingSession(succeed(paid));
		const outcome = await call(contextOf(session), request);
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: { code, disposition: 'did-not-happen', message },
			facts: { attempts: 0 },
		});
		expect(session.sent).toEqual([]);
	});

	it('with Deny, a tool without a row is not called (G1)', async () => {
		const session = countingSession(succeed(paid));
		const closed: ConnectionPolicy = { ...policy, unlistedTools: 'deny' };
		const tools = new Map(offered.map((listed) => [listed.name, describeTool(listed, closed)]));
		expect(await call(contextOf(session, { tools }), { toolName: 'look' })).toMatchObject({
			failure: { code: 'policy-denied', disposition: 'did-not-happen' },
		});
		expect(session.sent).toEqual([]);
	});

	it('a server that lists nothing is named as such', async () => {
		const outcome = await call(contextOf(countingSession(succeed(paid)), { tools: new Map() }));
		expect(outcome).toMatchObject({
			failure: {
				code: 'tool-unknown',
				message: '"pay" cannot be called: the server "Payments" lists no tools',
			},
		});
	});

	it('further misfits are counted, not listed', async () => {
		const misfit = (path: string) => ({ path, message: 'is not allowed here' });
		const context = contextOf(countingSession(succeed(paid)), {
			checkArguments: () => [misfit('$.a'), misfit('$.b'), misfit('$.c')],
		});
		expect(await call(context)).toMatchObject({
			failure: { message: 'Arguments do not fit "pay": $.a is not allowed here (and 2 more)' },
		});
	});

	it('no refusal shows the arguments', async () => {
		const secret = { token: 'hunter2' };
		for (const given of [secret, [secret]]) {
			const outcome = await callWith(succeed(paid), { arguments: given });
			expect(JSON.stringify(outcome)).not.toContain('hunter2');
		}
	});
});

describe('refusals come in this order: listed, rows, granted, effect, pin, object, schema, key', () => {
	const messageFor = async (request: Partial<CallRequest>) => {
		const outcome = await callWith(succeed(paid), request);
		return outcome.kind === 'failed' ? outcome.failure.message : outcome.kind;
	};
	const wrong = { treatAs: 'read', arguments: null } as const;

	it('not listed comes before everything else', async () => {
		expect(await messageFor({ ...wrong, toolName: 'gone' })).toContain('does not list');
	});

	it('a row that is for no tool comes before denied (E8)', async () => {
		const context = contextOf(countingSession(succeed(paid)), { unoffered: brokenRow });
		expect(await call(context, { ...wrong, toolName: 'refund' })).toMatchObject({
			failure: { message: expect.stringContaining('"Pay"') as unknown },
		});
	});

	it('denied comes before the lowered effect', async () => {
		expect(await messageFor({ ...wrong, toolName: 'refund' })).toContain('does not allow');
	});

	it('the lowered effect comes before the pin', async () => {
		const pin = { fingerprint: 'none', onDrift: 'refuse' } as const;
		expect(await messageFor({ ...wrong, pin })).toContain('Treat As');
	});

	it('the pin comes before the arguments', async () => {
		const pin = { fingerprint: 'none', onDrift: 'refuse' } as const;
		expect(await messageFor({ arguments: null, pin })).toContain('Pinned Fingerprint');
	});

	it('the schema comes before the key', async () => {
		expect(await messageFor({ toolName: 'settle', arguments: {} })).toContain('do not fit');
	});

	it('what is no object is never checked against the schema', async () => {
		const checkArguments = () => {
			throw new Error('the schema was asked');
		};
		const context = contextOf(countingSession(succeed(paid)), { checkArguments });
		expect(await call(context, { arguments: null })).toMatchObject({
			failure: { code: 'arguments-invalid' },
		});
	});
});

describe('a row of the policy that is for no tool of the server (E8)', () => {
	it('refuses every call over the connection when it states a grant or a key, and names the rows', async () => {
		const session = countingSession(succeed(paid));
		for (const toolName of ['pay', 'look']) {
			const outcome = await call(contextOf(session, { unoffered: brokenRow }), { toolName });
			expect(outcome).toMatchObject({
				kind: 'failed',
				failure: {
					code: 'policy-denied',
					disposition: 'did-not-happen',
					message:
						'No tool is called over this connection: its Tool Policies states an access or a key for tools that the server "Payments" does not offer: "Pay", "lost"',
				},
			});
		}
		expect(session.sent).toEqual([]);
	});

	it('refuses nothing when it states an effect', async () => {
		const session = countingSession(succeed(paid));
		const context = contextOf(session, { unoffered: { idle: ['gone'], broken: [] } });
		expect(await call(context)).toMatchObject({ kind: 'completed' });
	});
});

describe('a pinned fingerprint (G4)', () => {
	const present = sha256(fingerprintText(tool('pay')));
	const other = sha256('another');
	const withPin = async (pin: Pin) => {
		const session = countingSession(succeed(paid));
		return { outcome: await call(contextOf(session), { pin }), sent: session.sent.length };
	};

	it.each([present, ` ${present}\n`, present.toUpperCase()])(
		'that the tool has lets the call go without a word: "%s"',
		async (fingerprint) => {
			const { outcome, sent } = await withPin({ fingerprint, onDrift: 'refuse' });
			expect(outcome).toMatchObject({ kind: 'completed', facts: { warnings: [] } });
			expect(sent).toBe(1);
		},
	);

	it('that the tool no longer has warns', async () => {
		const { outcome, sent } = await withPin({ fingerprint: other, onDrift: 'warn' });
		expect(outcome).toMatchObject({
			kind: 'completed',
			facts: {
				warnings: [
					`"pay" has changed since its fingerprint was pinned: the present one is ${present}`,
				],
			},
		});
		expect(sent).toBe(1);
	});

	it('that the tool no longer has refuses when the node says so', async () => {
		const { outcome, sent } = await withPin({ fingerprint: other, onDrift: 'refuse' });
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: {
				code: 'policy-denied',
				disposition: 'did-not-happen',
				message: `"pay" has changed since its fingerprint was pinned: the present one is ${present}`,
				remedy: expect.stringContaining('Compare') as unknown,
			},
			facts: { warnings: [] },
		});
		expect(sent).toBe(0);
	});

	it.each(['undefined', 'abc', present.slice(1), `${present}0`, `sha256:${present}`])(
		'that is none refuses, also where drift only warns: "%s"',
		async (fingerprint) => {
			const { outcome, sent } = await withPin({ fingerprint, onDrift: 'warn' });
			expect(outcome).toMatchObject({
				failure: {
					code: 'policy-denied',
					disposition: 'did-not-happen',
					message:
						'Pinned Fingerprint of "pay" is no fingerprint: it must be 64 hexadecimal digits',
				},
			});
			expect(sent).toBe(0);
		},
	);
});

describe('the facts of a call (E5, E6)', () => {
	it.each([
		['pay', undefined, { effect: 'write', source: 'operator' }],
		['pay', 'write', { effect: 'write', source: 'operator' }],
		['quote', 'write', { effect: 'write', source: 'node' }],
		['look', undefined, { effect: 'read', source: 'hint' }],
		['look', 'idempotent', { effect: 'idempotent', source: 'node' }],
		['gone', undefined, { effect: 'write', source: 'default' }],
		['quote', 'read', { effect: 'idempotent', source: 'operator' }],
	] as const)('%s, treated as %s: %o', (toolName, treatAs, decided) => {
		const { facts } = checkCall(contextOf(countingSession(succeed(paid))), {
			toolName,
			arguments: {},
			...(treatAs === undefined ? {} : { treatAs }),
		});
		expect(facts).toEqual({
			tool: toolName,
			serverName: 'Payments',
			decided,
			attempts: 0,
			warnings: [],
		});
	});
});

describe('the idempotency key of a checked call (K2, K11)', () => {
	const checkedCall = (toolName: string, args: unknown, treatAs?: CallRequest['treatAs']) =>
		checkCall(contextOf(countingSession(succeed(paid))), {
			toolName,
			arguments: args,
			...(treatAs === undefined ? {} : { treatAs }),
		});

	it.each([
		['settle', { amount: 5, claim: { id: 'C-7' } }, 'C-7'],
		['ensure', { amount: 5, id: 7 }, '7'],
	])('%s with %j has it, and its facts say it', (toolName, args, value) => {
		const key = `${toolName}:${value}`;
		const { facts, checked } = checkedCall(toolName, args);
		expect(facts.idempotencyKey).toBe(key);
		expect(checked).toMatchObject({
			ok: true,
			value: { idempotencyKey: { key, value }, facts: { idempotencyKey: key } },
		});
	});

	it.each([
		['a read, whose row names one', 'find', { amount: 5, id: 'C-7' }],
		['a read, whose row names one that is missing', 'find', { amount: 5 }],
		['a write without one in its row', 'pay', { amount: 5, id: 'C-7' }],
		['a tool without a row', 'look', { amount: 5, id: 'C-7' }],
	])('%s has none', (_, toolName, args) => {
		const { facts, checked } = checkedCall(toolName, args);
		expect(facts).not.toHaveProperty('idempotencyKey');
		expect(checked.ok && checked.value).not.toHaveProperty('idempotencyKey');
		expect(checked.ok).toBe(true);
	});

	it('a read that the node treats as write has it, and is refused without', () => {
		expect(checkedCall('find', { amount: 5, id: 'C-7' }, 'write')).toMatchObject({
			checked: { value: { idempotencyKey: { key: 'find:C-7' } } },
		});
		expect(checkedCall('find', { amount: 5 }, 'write')).toMatchObject({
			checked: { failure: { code: 'key-missing' } },
		});
	});

	it('without its argument the call is refused and never sent without a key', async () => {
		const session = countingSession(succeed(paid));
		const outcome = await call(contextOf(session), {
			toolName: 'settle',
			arguments: { amount: 5, claim: null },
		});
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: {
				code: 'key-missing',
				disposition: 'did-not-happen',
				message: '"settle" needs its idempotency key "claim.id", but null stands at "claim"',
			},
			facts: { attempts: 0 },
		});
		expect(session.sent).toEqual([]);
	});
});

describe('a checked call', () => {
	it('is sent once, with its arguments and `_meta` as given', async () => {
		const session = countingSession(succeed(paid));
		const given = { amount: 5, note: '', nested: { a: [null] } };
		const meta = { 'io.github.n8n-nodes-salvor/resume-url': 'https://n8n.example/7' };
		await call(contextOf(session), { arguments: given, meta });
		expect(session.sent).toStrictEqual([{ name: 'pay', arguments: given, meta }]);
	});

	it('has no `_meta` when none is given', async () => {
		const session = countingSession(succeed(paid));
		await call(contextOf(session));
		expect(session.sent).toStrictEqual([{ name: 'pay', arguments: { amount: 5 } }]);
	});

	it('carries the signal that cancels it', async () => {
		const session = countingSession(succeed(paid));
		const { signal } = new AbortController();
		await call(contextOf(session, { signal }));
		expect(session.signals).toEqual([signal]);
	});

	it('is checked against the schema as the server listed it (U18)', async () => {
		const seen: unknown[] = [];
		const checkArguments: CallContext['checkArguments'] = (schema) => {
			seen.push(schema);
			return [];
		};
		await call(contextOf(countingSession(succeed(paid)), { checkArguments }));
		expect(seen).toHaveLength(1);
		expect(seen[0]).toBe(inputSchema);
	});
});

describe('a call without a key that is in doubt (failures.md, Retry by effect)', () => {
	const lost: Failure = {
		code: 'connection-lost',
		disposition: 'in-doubt',
		stage: 'call',
		message: 'The server closed the connection',
	};

	it.each([
		['look', 'read', 3],
		['quote', 'idempotent', 1],
		['pay', 'write', 1],
	] as const)('%s, which is %s, is sent %i times in all', async (toolName, effect, times) => {
		const session = countingSession(fail(lost));
		const outcome = await call(contextOf(session), { toolName });
		expect(outcome.facts.decided.effect).toBe(effect);
		expect(outcome).toMatchObject({ failure: { disposition: 'in-doubt' } });
		expect(session.sent).toHaveLength(times);
	});
});

describe('what came of a sent call', () => {
	it('an ordinary result completes it, and stays as it came (C5)', async () => {
		const odd: ToolResult = { content: [{ type: 'hologram' }], structuredContent: 3, extra: 1 };
		const outcome = await callWith(succeed(odd));
		expect(outcome).toMatchObject({ kind: 'completed', facts: { attempts: 1 } });
		expect(outcome.kind === 'completed' && outcome.result).toBe(odd);
	});

	it('a park parks it, without the content beside (P15)', async () => {
		const salvor = { suspend: { reason: 'approve', input_schema: true } };
		const outcome = await callWith(succeed({ ...paid, _meta: { salvor } }));
		expect(outcome).toStrictEqual({
			kind: 'parked',
			park: { kind: 'person', reason: 'approve', inputSchema: true },
			facts: {
				tool: 'pay',
				serverName: 'Payments',
				decided: { effect: 'write', source: 'operator' },
				attempts: 1,
				warnings: [],
			},
		});
	});

	it('a malformed park fails it as landed and is never output (P14)', async () => {
		const session = countingSession(succeed({ ...paid, _meta: { salvor: {} } }));
		const outcome = await call(contextOf(session), { toolName: 'look' });
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: { code: 'park-malformed', disposition: 'landed', stage: 'call' },
			facts: { attempts: 1 },
		});
		expect(outcome).not.toHaveProperty('result');
		expect(session.sent).toHaveLength(1);
	});

	it("a tool's own error fails it as landed, and keeps what the tool said (U27, U30)", async () => {
		const content = [
			{ type: 'text', text: 'no such invoice' },
			{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
			{ type: 'text', text: 'try another' },
		];
		const result = { isError: true, content, structuredContent: [7], _meta: { 'x/y': 1 } };
		const outcome = await callWith(succeed(result));
		expect(outcome).toMatchObject({
			kind: 'failed',
			failure: {
				code: 'tool-error',
				disposition: 'landed',
				stage: 'call',
				message: 'The tool "pay" answered with an error: no such invoice\ntry another',
				toolError: {
					text: ['no such invoice', 'try another'],
					structuredContent: [7],
					meta: { 'x/y': 1 },
				},
			},
		});
		expect(outcome.kind === 'failed' && outcome.result).toBe(result);
	});

	it.each([
		['no content', { isError: true }],
		['content that is no list', { isError: true, content: 'oops' }],
		['blank text', { isError: true, content: [{ type: 'text', text: ' \n' }] }],
		[
			'blocks that are no blocks',
			{ isError: true, content: [null, 'x', { type: 'text', text: 1 }] },
		],
	])("a tool's own error with %s says so", async (_, result) => {
		expect(await callWith(succeed(result))).toMatchObject({
			failure: { message: 'The tool "pay" answered with an error and no text' },
		});
	});

	it.each(['true', 1, null, false])('`isError: %s` is no error', async (isError) => {
		expect((await callWith(succeed({ ...paid, isError }))).kind).toBe('completed');
	});

	it("the session's failure stays as it is, with one attempt counted", async () => {
		const failure: Failure = {
			code: 'connection-lost',
			disposition: 'in-doubt',
			stage: 'call',
			message: 'The server closed the connection',
			evidence: { stderr: 'out of memory' },
		};
		const outcome = await callWith(fail(failure));
		expect(outcome).toMatchObject({ kind: 'failed', facts: { attempts: 1 } });
		expect(outcome.kind === 'failed' && outcome.failure).toBe(failure);
	});
});
