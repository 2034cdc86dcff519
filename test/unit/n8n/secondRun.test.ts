import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { batchToSettle, queueSecondRun } from '../../../src/n8n/secondRun';

/** As much of n8n's context as the functions look at. */
const contextWith = (executeData: unknown, runExecutionData: unknown): IExecuteFunctions =>
	({
		...(runExecutionData === undefined ? {} : { runExecutionData }),
		getExecuteData: () => executeData,
	}) as unknown as IExecuteFunctions;

const input = () => [[{ json: { x: 1 } }, { json: { x: 2 } }]];
const WAITING = [{ json: { output: null } }];
const entry = () => ({
	node: { name: 'Call', alwaysOutputData: true },
	data: { main: input() },
	source: { main: [{ previousNode: 'Before' }] },
	metadata: { preserveSourceOverwrite: true },
	runIndex: 3,
});

describe('a second entry of the node', () => {
	it('stands first on the stack, with the items as they wait, the source and the id of its batch', () => {
		const other = { node: { name: 'Other' } };
		const stack: unknown[] = [other];
		const first = entry();
		const executionData = { nodeExecutionStack: stack };
		expect(queueSecondRun(contextWith(first, { executionData }), 'b1', WAITING)).toBe(true);
		expect(stack).toEqual([
			{
				...entry(),
				data: { main: [WAITING] },
				metadata: { preserveSourceOverwrite: true, salvorSettles: 'b1' },
			},
			other,
		]);
		expect(batchToSettle(contextWith(stack[0], undefined))).toBe('b1');
	});

	it('leaves the first with nothing to forward, and no node of its own that n8n could disable', () => {
		const first = entry();
		const [{ node }, stack] = [first, [] as unknown[]];
		queueSecondRun(
			contextWith(first, { executionData: { nodeExecutionStack: stack } }),
			'b1',
			WAITING,
		);
		expect(first.data.main).toEqual([]);
		expect(first.node).toEqual({ name: 'Call', alwaysOutputData: false });
		expect(first.metadata).not.toHaveProperty('salvorSettles');
		const second = stack[0] as ReturnType<typeof entry>;
		expect(second.node).not.toBe(first.node);
		expect(second.node).not.toBe(node);
		expect(node.alwaysOutputData).toBe(true);
	});

	it.each([
		[undefined],
		[null],
		[{}],
		[{ executionData: null }],
		[{ executionData: { nodeExecutionStack: {} } }],
	])('is not made, and nothing is changed, where n8n keeps its stack otherwise: %j', (data) => {
		const first = entry();
		expect(queueSecondRun(contextWith(first, data), 'b1', WAITING)).toBe(false);
		expect(first).toEqual(entry());
	});

	it('is not made of an entry without input', () => {
		const executionData = { nodeExecutionStack: [] };
		const first = { ...entry(), data: {} };
		expect(queueSecondRun(contextWith(first, { executionData }), 'b1', WAITING)).toBe(false);
		expect(executionData.nodeExecutionStack).toEqual([]);
	});
});

describe('a run that may call', () => {
	it.each([[undefined], [{}], [{ salvorSettles: 7 }], ['salvorSettles']])(
		'is every run without the mark: %j',
		(metadata) => {
			expect(batchToSettle(contextWith({ ...entry(), metadata }, undefined))).toBeUndefined();
		},
	);
});
