import type { IExecuteFunctions } from 'n8n-workflow';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { McpToolCall } from '../../../nodes/McpToolCall/McpToolCall.node';
import { missingFunctions } from '../../../src/n8n/supportedHost';

const PARKED = {
	output: null,
	call: {
		tool: 'pay',
		serverName: 'billing',
		attempts: 1,
		outcome: 'suspended',
		park: {
			kind: 'person',
			reason: 'Pay?',
			inputSchema: true,
			parkedAt: '2026-01-02T03:04:05.000Z',
		},
	},
};
const DONE = { output: 'paid', call: { tool: 'pay', outcome: 'completed' } };
const PLAIN = { n: 1 };

const stopped = { continueOnFail: () => false };

/** What the node puts out for these items with On Error: Continue, unless the context says otherwise. */
async function putOut(
	parameters: Readonly<Record<string, unknown>>,
	items: readonly object[],
	host: Readonly<Record<string, unknown>> = {},
	lacks: readonly string[] = [],
): Promise<unknown> {
	const n8n = Object.fromEntries(
		missingFunctions({}).map((name) => [name, () => undefined] as const),
	);
	const context = {
		...n8n,
		isToolExecution: () => false,
		getExecuteData: () => ({ metadata: {}, data: {} }),
		getContext: () => ({}),
		getNode: () => ({ name: 'Call', parameters: {} }),
		getInputData: () => items.map((json) => ({ json })),
		getNodeParameter: (name: string, _item: number, otherwise: unknown) =>
			parameters[name] ?? otherwise,
		continueOnFail: () => true,
		evaluateExpression: () => 0,
		logger: { warn: () => undefined, error: () => undefined },
		...host,
	};
	for (const name of lacks) Reflect.deleteProperty(context, name);
	const node = new McpToolCall();
	const [out] = await node.execute.call(context as unknown as IExecuteFunctions);
	return out;
}

const failedPark = (code: string, message: string) => ({
	json: {
		error: { code, disposition: 'landed', message: expect.stringContaining(message) as unknown },
		details: {
			call: { tool: 'pay', outcome: 'failed', disposition: 'landed', park: PARKED.call.park },
		},
	},
});

const unsent = (code: string, message: string) => ({
	json: {
		error: {
			code,
			disposition: 'did-not-happen',
			message: expect.stringContaining(message) as unknown,
		},
		details: { call: { tool: 'look', outcome: 'failed', disposition: 'did-not-happen' } },
	},
});

afterEach(() => {
	vi.unstubAllEnvs();
});

describe('an Await whose ledger is away', () => {
	const parameters = { operation: 'await' };

	it('fails the items with a park, which they still hold, and lets the others pass', async () => {
		vi.stubEnv('SALVOR_LEDGER', 'nowhere');
		expect(await putOut(parameters, [DONE, PARKED])).toMatchObject([
			{ json: DONE, pairedItem: { item: 0 } },
			{ ...failedPark('ledger-unavailable', 'SALVOR_LEDGER'), pairedItem: { item: 1 } },
		]);
	});

	it('ends the run where On Error stops it', async () => {
		vi.stubEnv('SALVOR_LEDGER', 'nowhere');
		await expect(putOut(parameters, [DONE, PARKED], stopped)).rejects.toThrow('SALVOR_LEDGER');
	});
});

describe('a run after a wait that n8n no longer holds', () => {
	const host = { getExecuteData: () => ({ metadata: { salvorSettles: 'gone' }, data: {} }) };

	it('fails the items that waited, and lets the others pass', async () => {
		expect(await putOut({}, [DONE, PARKED], host)).toMatchObject([
			{ json: DONE },
			failedPark('unclassified', 'n8n no longer holds what waited'),
		]);
	});

	it('ends the run where On Error stops it', async () => {
		await expect(putOut({}, [PARKED], { ...host, ...stopped })).rejects.toThrow('no longer holds');
	});
});

describe('an n8n that is too old', () => {
	const lacks = ['putExecutionToWait', 'isToolExecution', 'getExecuteData'];
	const parameters = { operation: 'call', tool: 'look' };

	it('fails each item of a call', async () => {
		expect(await putOut(parameters, [PLAIN, PARKED], {}, lacks)).toMatchObject([
			unsent('unclassified', 'This node needs n8n'),
			failedPark('unclassified', 'This node needs n8n'),
		]);
	});

	it('ends the run where On Error stops it', async () => {
		await expect(putOut(parameters, [PLAIN], stopped, lacks)).rejects.toThrow(
			'This node needs n8n',
		);
	});
});

describe('a call whose options cannot be used', () => {
	const parameters = { operation: 'call', tool: 'look', 'options.maxAttempts': 0 };

	it('fails each item', async () => {
		expect(await putOut(parameters, [PLAIN, PLAIN])).toMatchObject([
			unsent('arguments-invalid', 'Maximum Attempts'),
			unsent('arguments-invalid', 'Maximum Attempts'),
		]);
	});

	it('says no effect below the error, as nobody has asked the connection yet', async () => {
		expect(JSON.stringify(await putOut(parameters, [PLAIN]))).not.toContain('Effect of the tool');
	});

	it('does not touch what an earlier try left', async () => {
		const settled = { kind: 'completed', json: { output: 'seen' } };
		const store = { salvorJournal: { run: '0', entries: { '0': settled }, marks: [] } };
		const host = {
			getNode: () => ({ name: 'Call', parameters: {}, retryOnFail: true }),
			getContext: () => store,
			getExecuteData: () => ({ metadata: {}, data: {}, runIndex: 0 }),
		};
		expect(await putOut(parameters, [PLAIN, PLAIN], host)).toMatchObject([
			{ json: { output: 'seen' } },
			unsent('arguments-invalid', 'Maximum Attempts'),
		]);
	});

	it("ends the run of an AI Agent's tool, whatever On Error says", async () => {
		const agent = {
			getNode: () => ({ name: 'Call', parameters: {}, rewireOutputLogTo: 'ai_tool' }),
		};
		await expect(putOut(parameters, [PLAIN], agent)).rejects.toThrow('Maximum Attempts');
	});
});
