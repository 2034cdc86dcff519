import { expect, it } from 'vitest';
import { withoutAgentKeys } from '../../../src/schema/withoutAgentKeys';
import { realTools } from '../../support/realTools';

const given = {
	toolCallId: 'call_1',
	tool: 'pay',
	sessionId: 's',
	action: 'sendMessage',
	chatInput: 'Pay it',
	amount: 5,
};

it('inside an agent, none of its keys is sent (U22)', () => {
	expect(withoutAgentKeys({ type: 'object' }, given, true)).toStrictEqual({ amount: 5 });
});

it('outside an agent, only the one that means nothing else is left out', () => {
	const { toolCallId: _id, ...others } = given;
	expect(withoutAgentKeys({ type: 'object' }, given, false)).toStrictEqual(others);
});

it.each<[string, unknown]>([
	['properties', { properties: { toolCallId: {}, action: {} } }],
	['required', { required: ['toolCallId', 'action'] }],
	[
		'alternatives',
		{ oneOf: [{ properties: { toolCallId: {} } }, { allOf: [{ required: ['action'] }] }] },
	],
	[
		'references',
		{ $ref: '#/$defs/a', $defs: { a: { properties: { toolCallId: {}, action: {} } } } },
	],
])("a key that the tool's own schema names stays: %s", (_, schema) => {
	expect(withoutAgentKeys(schema, given, true)).toStrictEqual({
		toolCallId: 'call_1',
		action: 'sendMessage',
		amount: 5,
	});
});

it('a key that only an inner object has is not named', () => {
	const schema = { properties: { amount: { properties: { toolCallId: {} } } } };
	expect(withoutAgentKeys(schema, given, true)).toStrictEqual({ amount: 5 });
});

it('a schema that refers to itself ends', () => {
	const schema = { anyOf: [{ $ref: '#' }, { properties: { action: {} } }] };
	expect(withoutAgentKeys(schema, { toolCallId: 1, action: 2 }, true)).toStrictEqual({ action: 2 });
});

it.each([['text'], [null], [[given]]])('%j, which is no object, stays as it is', (args) => {
	expect(withoutAgentKeys({}, args, true)).toBe(args);
});

it('no tool of the published servers gets a key that it does not name', () => {
	for (const { listed } of realTools) {
		const schema = listed['inputSchema'] as { readonly properties?: object };
		const named = Object.keys(schema.properties ?? {});
		const args = withoutAgentKeys(schema, given, true) as object;
		for (const key of Object.keys(args)) expect([...named, 'amount']).toContain(key);
	}
});
