import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { type PreparedItem, prepareItem } from '../../../nodes/McpToolCall/prepareItem';
import { sha256 } from '../../../nodes/shared/sha256';
import type { ConnectionPolicy } from '../../../src/policy/connectionPolicy';
import { describeTools, indexByPublicName } from '../../../src/policy/describeTool';
import { rememberingCheck } from '../../../src/schema/rememberingCheck';

const POLICY: ConnectionPolicy = {
	tools: [{ name: 'look', effect: 'read', access: 'allowed' }],
	unlistedTools: 'allow',
	useServerHints: true,
};

/** An item of a node that calls `look`, which the operator says is a read. */
function prepare(options: object, argumentsJson = '{}', tool = 'look'): PreparedItem {
	const parameters: Readonly<Record<string, unknown>> = {
		tool,
		argumentsMode: 'json',
		argumentsJson,
		options,
	};
	const context = {
		getNodeParameter: (name: string, _item: number, otherwise: unknown) =>
			parameters[name] ?? otherwise,
		getNode: () => ({}),
		isToolExecution: () => false,
	};
	const listed = [{ name: 'look', inputSchema: { type: 'object' }, problems: [] }];
	return prepareItem(
		context as unknown as IExecuteFunctions,
		{
			serverName: 'billing',
			tools: indexByPublicName(describeTools(listed, POLICY)),
			unoffered: { idle: [], broken: [] },
			checkArguments: rememberingCheck(),
			sha256,
		},
		0,
		{
			presets: { answers: undefined, given: null },
			originOf: () => {
				throw new Error('No call is made');
			},
		},
	);
}

describe('the option Treat As', () => {
	it.each([
		[undefined, 'nothing'],
		[null, 'null'],
		['', '""'],
		['Write', '"Write"'],
		['irreversible', '"irreversible"'],
	])('%j is refused, not left out: the call would be repeated as a read', (treatAs, arrived) => {
		expect(prepare({ treatAs }).checked).toMatchObject({
			ok: false,
			failure: {
				code: 'arguments-invalid',
				disposition: 'did-not-happen',
				message: `Treat As must be read, idempotent or write, but ${arrived} arrived`,
			},
		});
	});

	it.each([
		[{}, 'read', 'operator'],
		[{ treatAs: 'read' }, 'read', 'operator'],
		[{ treatAs: 'write' }, 'write', 'node'],
	])('%j makes the effect %s (%s)', (options, effect, source) => {
		const { checked, facts } = prepare(options);
		expect(checked.ok).toBe(true);
		expect(facts.decided).toEqual({ effect, source });
	});
});

describe('the option On Drift', () => {
	const pinnedFingerprint = '0'.repeat(64);
	it.each([[undefined], [null], ['Warn']])(
		'%j refuses a tool that has drifted: only Warn lets it pass',
		(onDrift) => {
			const { checked } = prepare({ pinnedFingerprint, onDrift });
			expect(checked).toMatchObject({ ok: false, failure: { code: 'policy-denied' } });
		},
	);

	it('that was never added warns', () => {
		expect(prepare({ pinnedFingerprint }).checked.ok).toBe(true);
	});
});

describe('an item that fails early', () => {
	it.each([
		['arguments that break off', {}, '{"n": '],
		['answers of its own', { presetAnswers: { a: 1 } }, '{}'],
		['an unusable Treat As', { treatAs: 'Reed' }, '{}'],
	])('with %s says the effect that the policy decided', (_, options, args) => {
		const { facts, checked } = prepare(options, args);
		expect(checked.ok).toBe(false);
		expect(facts).toMatchObject({
			tool: 'look',
			serverName: 'billing',
			decided: { effect: 'read', source: 'operator' },
			attempts: 0,
		});
	});

	it('and says what the node made of it where Treat As is stricter', () => {
		expect(prepare({ treatAs: 'write' }, '{"n": ').facts.decided).toEqual({
			effect: 'write',
			source: 'node',
		});
	});

	it('says write by default of a tool that is not listed', () => {
		expect(prepare({}, '{"n": ', 'pay').facts).toMatchObject({
			tool: 'pay',
			decided: { effect: 'write', source: 'default' },
		});
	});
});
