import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IExecuteFunctions } from 'n8n-workflow';
import { openClaims } from '../nodes/McpToolCall/openClaims';
import type { Settled } from '../nodes/McpToolCall/settled';
import { settleOutcome } from '../nodes/McpToolCall/settleOutcome';
import { openConnection } from '../nodes/shared/openConnection';
import { sha256 } from '../nodes/shared/sha256';
import { callTool } from '../src/call/callTool';
import { checkCall } from '../src/call/checkCall';
import type { McpSession } from '../src/call/session';
import { openLedger } from '../src/ledger/openLedger';
import { openJournal } from '../src/n8n/journal';
import { delay } from '../src/n8n/sleepInNode';
import { indexByName } from '../src/policy/describeTool';
import { rememberingCheck } from '../src/schema/rememberingCheck';

/** How long one call took, in milliseconds, and how much of it was not spent in the session. */
export interface Timed {
	readonly totalMs: number;
	readonly ownMs: number;
}

/** The ways to make one and the same call; each makes one, and throws unless it completed. */
export interface PolicyCalls {
	readonly sdk: () => Promise<Timed>;
	readonly session: () => Promise<Timed>;
	readonly unkeyed: () => Promise<Timed>;
	readonly keyed: () => Promise<Timed>;
	readonly deduplicated: () => Promise<Timed>;
	readonly close: () => Promise<void>;
}

/**
 * Opens what the ways need: one connection of the SDK's client, one of ours with a policy, and a ledger in a SQLite file. The
 * calls go the way of `callItems`, from the check to the journal; what n8n gives a node is stood in for by plain values.
 */
export async function openPolicyCalls(endpoint: string, file: string): Promise<PolicyCalls> {
	const client = new Client({ name: 'bench', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));

	const opened = must(
		await openConnection({ data: credential(endpoint) }, { egressFilter: undefined }),
	);
	const ledger = must(await openLedger({ place: { kind: 'sqlite', file } }));
	const context = standIn();
	const journal = openJournal<Settled>(context);
	let inSessionMs = 0;
	const session: Pick<McpSession, 'callTool'> = {
		callTool: async (request, signal) => {
			const begunAt = performance.now();
			const answer = await opened.session.callTool(request, signal);
			inSessionMs += performance.now() - begunAt;
			return answer;
		},
	};
	const calling = {
		session,
		claims: openClaims(context, ledger),
		retrying: {
			maxAttempts: 3,
			maxDurationMs: opened.connection.settings.maxDurationMs,
			retryToolErrors: false,
			delay,
			random: Math.random,
			monotonicMs: () => performance.now(),
		},
		serverName: opened.serverName,
		tools: indexByName(opened.tools),
		unoffered: opened.unoffered,
		sha256,
		checkArguments: rememberingCheck(),
		signal: new AbortController().signal,
	};
	const timed = async (work: () => Promise<void>): Promise<Timed> => {
		inSessionMs = 0;
		const begunAt = performance.now();
		await work();
		const totalMs = performance.now() - begunAt;
		return { totalMs, ownMs: totalMs - inSessionMs };
	};
	let item = 0;
	const ours = (toolName: string, claimId: string): Promise<Timed> =>
		timed(async () => {
			item += 1;
			const { checked } = checkCall(calling, { toolName, arguments: argumentsOf(claimId) });
			const holder = { ...HOLDER, item };
			const outcome = await callTool(calling, must(checked), () => holder);
			const options = { output: 'value', binary: true, toolErrors: 'fail' } as const;
			const at = { now: new Date(), parkId: undefined };
			const settled = await settleOutcome(context, outcome, options, at);
			journal.record(item, settled);
			if (settled.kind !== 'completed')
				throw new Error(`A call of ${toolName} is ${settled.kind}.`);
		});
	const repeated = randomUUID();
	await ours('pay_once', repeated);
	return {
		sdk: () =>
			timed(async () => {
				await client.callTool({ name: 'pay', arguments: argumentsOf(randomUUID()) });
			}),
		session: () =>
			timed(async () => {
				must(await session.callTool({ name: 'pay', arguments: argumentsOf(randomUUID()) }));
			}),
		unkeyed: () => ours('pay', randomUUID()),
		keyed: () => ours('pay_once', randomUUID()),
		deduplicated: () => ours('pay_once', repeated),
		close: async () => {
			await Promise.all([client.close(), opened.session.close(), ledger.close()]);
		},
	};
}

const HOLDER = {
	instanceId: 'bench',
	workflowId: 'bench',
	executionId: '1',
	nodeName: 'Pay',
	runIndex: 0,
};

const credential = (endpoint: string) => ({
	transport: 'streamableHttp',
	endpoint,
	serverName: 'bench',
	toolPolicies: {
		tool: [
			{ name: 'pay', effect: 'write', access: 'allowed', idempotencyKey: '' },
			{ name: 'pay_once', effect: 'write', access: 'allowed', idempotencyKey: 'claim_id' },
			{ name: 'list_claims', effect: 'read', access: 'allowed', idempotencyKey: '' },
		],
	},
	unlistedTools: 'deny',
});

const argumentsOf = (claimId: string) => ({
	claim_id: claimId,
	amount: 1250,
	currency: 'EUR',
	note: 'Invoice 2026-0417 of Northwind Traders',
	lines: [
		{ item: 'Chai', price: 250 },
		{ item: 'Ikura', price: 1000 },
	],
});

/** What the call path asks of n8n, for a node with Retry On Fail, so that its journal is kept. */
function standIn(): IExecuteFunctions {
	const kept = {};
	const asked = {
		getNode: () => ({ name: 'Pay', retryOnFail: true }),
		getContext: () => kept,
		evaluateExpression: () => 0,
		getInstanceId: () => HOLDER.instanceId,
	};
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the call path asks for nothing else
	return asked as unknown as IExecuteFunctions;
}

function must<T>(
	result:
		| { readonly ok: true; readonly value: T }
		| { readonly ok: false; readonly failure: { readonly message: string } },
): T {
	if (!result.ok) throw new Error(result.failure.message);
	return result.value;
}
