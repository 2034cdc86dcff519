import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { CallFacts } from '../../../src/call/callRecord';
import { toFailedItem, toItem, toNodeError } from '../../../src/n8n/items';
import type { Failure } from '../../../src/outcome/failure';

const facts: CallFacts = {
	tool: 'pay',
	serverName: 'Payments',
	decided: { effect: 'write', source: 'operator' },
	attempts: 1,
	warnings: [],
};
const lost: Failure = {
	code: 'connection-lost',
	disposition: 'in-doubt',
	stage: 'call',
	message: 'The server closed the connection',
	remedy: 'Look whether it was paid.',
};
const refused: Failure = {
	code: 'tool-unknown',
	disposition: 'did-not-happen',
	message: 'There is no such tool',
};
const node: INode = {
	id: '1',
	name: 'Pay',
	type: 'n8n-nodes-salvor.mcpToolCall',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

describe('an output item (P21)', () => {
	it('is paired with its input item', () => {
		expect(toItem({ output: null }, 0)).toStrictEqual({
			json: { output: null },
			pairedItem: { item: 0 },
		});
		expect(toItem({ output: 1 }, 7).pairedItem).toEqual({ item: 7 });
	});

	it('carries binary data only when there is some', () => {
		const binary = { data: { data: 'AAAA', mimeType: 'image/png' } };
		expect(toItem({}, 0, binary)).toStrictEqual({ json: {}, binary, pairedItem: { item: 0 } });
	});
});

describe('a failed item, literally (surface: failed)', () => {
	it('holds the error, the call and the description', () => {
		expect(toFailedItem(lost, facts, 2)).toStrictEqual({
			json: {
				error: {
					message: 'The server closed the connection',
					code: 'connection-lost',
					disposition: 'in-doubt',
					stage: 'call',
					attempts: 1,
				},
				details: {
					call: {
						tool: 'pay',
						serverName: 'Payments',
						effect: 'write',
						effectSource: 'operator',
						outcome: 'failed',
						attempts: 1,
						disposition: 'in-doubt',
					},
					description:
						'Look whether it was paid.\nCode: connection-lost. Disposition: in-doubt. The request was sent, and nobody can say what it did.\nStage: call.\nEffect of the tool: write (operator).',
				},
			},
			pairedItem: { item: 2 },
		});
	});

	it('has no stage when the call never began', () => {
		const { json } = toFailedItem(refused, { ...facts, attempts: 0 }, 0);
		expect(json['error']).toStrictEqual({
			message: 'There is no such tool',
			code: 'tool-unknown',
			disposition: 'did-not-happen',
			attempts: 0,
		});
	});

	it("keeps a tool's own error whole, under details (U30)", () => {
		const toolError = { text: ['no'], structuredContent: [1], meta: { 'x/y': null } };
		const { json } = toFailedItem({ ...lost, code: 'tool-error', toolError }, facts, 0);
		expect(json['details']).toMatchObject({ toolError });
	});

	it.each([
		['without a stage', refused],
		['with everything', { ...lost, toolError: { text: ['no'] }, evidence: { httpStatus: 500 } }],
	])('%s, no keys but error, message and details stand at its top', (_, failure) => {
		const allowed = ['error', 'message', 'details'];
		const others = Object.keys(toFailedItem(failure, facts, 0).json).filter(
			(key) => !allowed.includes(key),
		);
		expect(others).toEqual([]);
	});
});

describe('the exception of a node that stops', () => {
	it('has the sentence, the description, the item, the code and the disposition', () => {
		const error = toNodeError(node, lost, { item: 3, facts });
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('The server closed the connection');
		expect(error.description).toContain('Effect of the tool: write (operator).');
		expect(error.context).toMatchObject({
			itemIndex: 3,
			code: 'connection-lost',
			disposition: 'in-doubt',
		});
		expect(error.node.name).toBe('Pay');
	});

	it('names no item when the failure is of the whole run', () => {
		expect(toNodeError(node, refused).context['itemIndex']).toBeUndefined();
	});

	it.each([
		'The tool "read_file" answered with an error: ENOENT: no such file or directory, open a.txt',
		'The tool "look_up" answered with an error: getaddrinfo failed for the supplier',
		'The command `npx` was not found (ENOENT)',
		'The server at 127.0.0.1:3000 refused the connection (ECONNREFUSED)',
		'The tool "pay" answered with an error: 404',
	])('says "%s" in these words, codes inside included', (message) => {
		const error = toNodeError(node, { ...lost, message }, { item: 0, facts });
		expect(error.message).toBe(message);
	});
});
