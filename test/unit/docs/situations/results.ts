import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { IExecuteFunctions } from 'n8n-workflow';

import { expiryFailures } from '../../../../nodes/McpToolCall/expiryFailures';
import { settleOutcome } from '../../../../nodes/McpToolCall/settleOutcome';
import { inAttempts } from '../../../../src/call/attempts';
import { interpretResult } from '../../../../src/call/interpretResult';
import type { ToolResult } from '../../../../src/call/session';
import { failureTitle } from '../../../../src/n8n/failureText';
import { rememberingCheck } from '../../../../src/schema/rememberingCheck';
import { valueOf } from '../../../support/connections';
import { openMemorySession } from '../../../support/memorySession';
import { retryingOn, virtualClock } from '../../../support/virtualClock';
import type { Situations } from './situations';

/** What is said of a result of a tool that lists this schema. */
function reading(result: ToolResult, outputSchema?: unknown): string {
	const read = interpretResult({ name: 'pay', outputSchema }, result, rememberingCheck());
	if (read.kind !== 'failed') throw new Error(read.kind);
	return failureTitle(read.failure);
}

const asText = (text: string): ToolResult => ({ isError: true, content: [{ type: 'text', text }] });

/** What a server of the SDK says when its tool asks something, and the node has no Preset Answers. */
async function asking(): Promise<string> {
	const server = new McpServer({ name: 'asking', version: '0.0.1' });
	server.registerTool('pay', {}, async () => {
		await server.server.elicitInput({
			message: 'Sure?',
			requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } },
		});
		return { content: [] };
	});
	const session = await openMemorySession(server);
	try {
		return reading(valueOf(await session.callTool({ name: 'pay', arguments: {} })));
	} finally {
		await session.close();
	}
}

function nested(levels: number): unknown {
	let value: unknown = null;
	for (let level = 0; level < levels; level += 1) value = [value];
	return value;
}

/** What is said where n8n cannot store a file of the result. */
async function storing(): Promise<string> {
	const context = {
		helpers: { prepareBinaryData: () => Promise.reject(new Error('no space left on device')) },
	} as unknown as IExecuteFunctions;
	const outcome = {
		kind: 'completed',
		result: { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
		facts: {
			tool: 'pay',
			serverName: 'billing',
			decided: { effect: 'write', source: 'operator' },
			attempts: 1,
			warnings: [],
		},
	} as const;
	const options = { output: 'value', binary: true, toolErrors: 'fail' } as const;
	const at = { now: new Date(), parkId: undefined };
	const settled = await settleOutcome(context, outcome, options, at);
	if (settled.kind !== 'failed') throw new Error(settled.kind);
	return failureTitle(settled.failure);
}

/** What is said of attempts whose time is over: the first one did not happen, the second one gets no answer. */
async function takingLong(): Promise<string> {
	const clock = virtualClock();
	const retrying = retryingOn(clock);
	const failure = { disposition: 'did-not-happen', message: 'As asked' } as const;
	const tried = await inAttempts({ retrying, effect: 'read', keyed: false }, (signal, number) => {
		if (number === 1) {
			return Promise.resolve({ kind: 'failed', failure: { ...failure, code: 'unreachable' } });
		}
		return new Promise((resolve) => {
			signal?.addEventListener('abort', () => {
				resolve({ kind: 'failed', failure: { ...failure, code: 'cancelled' } });
			});
			clock.passLimit();
		});
	});
	if (tried.kind !== 'failed') throw new Error(tried.kind);
	return failureTitle(tried.failure);
}

const DEADLINE = '2026-01-02T03:04:05.000Z';

/** What is said of an item that nobody answered in time. */
function waiting(lost: boolean): string {
	const park = { kind: 'person', reason: 'Pay?', inputSchema: true } as const;
	const batch = {
		version: 2,
		batchId: 'b',
		executionId: '7',
		workflowId: 'w',
		parked: [{ item: 0, tool: 'pay', parkedAt: DEADLINE, park }],
		items: [{ json: {} }],
		limit: { deadline: DEADLINE, onExpiry: 'fail' },
	} as const;
	const [[, failure] = []] = expiryFailures(batch, [], { at: new Date(DEADLINE), lost });
	if (failure === undefined) throw new Error('Nothing failed');
	return failureTitle(failure);
}

export const results: Situations = {
	'attempts that take too long together': takingLong,
	'a tool that reports an error': () => reading(asText('No such invoice')),
	'a tool that asks, without Preset Answers': asking,
	'a tool that reports an error and says nothing': () => reading({ isError: true, content: [] }),
	'a result that misses its schema': () =>
		reading({ content: [], structuredContent: { id: 7 } }, idText),
	'a result without what its schema asks for': () => reading({ content: [] }, idText),
	'a result that is nested too deep': () =>
		reading({ content: [], structuredContent: { deep: nested(1_000) } }),
	'a file that n8n cannot store': storing,
	'a park that is none': () => reading({ content: [], _meta: { salvor: { sleepUntil: 5 } } }),
	'nobody who answered in time': () => waiting(false),
	'a ledger that has forgotten a wait': () => waiting(true),
};

const idText = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
