import type { IExecuteFunctions } from 'n8n-workflow';

import { prepareItem } from '../../../../nodes/McpToolCall/prepareItem';
import { checkItemPresets } from '../../../../nodes/McpToolCall/presetAnswers';
import { readRetrying } from '../../../../nodes/McpToolCall/readRetrying';
import { sha256 } from '../../../../nodes/shared/sha256';
import { type CallContext, type CallRequest, checkCall } from '../../../../src/call/checkCall';
import { failureTitle } from '../../../../src/n8n/failureText';
import { readArgumentsJson, readPresetAnswers } from '../../../../src/n8n/readArguments';
import { readWaitLimit } from '../../../../src/park/waitLimit';
import type { ConnectionPolicy } from '../../../../src/policy/connectionPolicy';
import { describeTools, indexByPublicName } from '../../../../src/policy/describeTool';
import type { ListedTool } from '../../../../src/policy/tool';
import { rememberingCheck } from '../../../../src/schema/rememberingCheck';
import { failureOf } from '../../../support/connections';
import type { Situations } from './situations';

const tool = (name: string): ListedTool => ({
	name,
	inputSchema: { type: 'object', properties: { amount: { type: 'number' } } },
	problems: [],
});

const POLICY: ConnectionPolicy = {
	tools: [
		{ name: 'pay', effect: 'write', access: 'allowed' },
		{ name: 'settle', effect: 'write', access: 'allowed', idempotencyKey: ['id'] },
		{ name: 'refund', effect: 'write', access: 'denied' },
	],
	unlistedTools: 'allow',
	useServerHints: true,
};

const LONG = 'x'.repeat(128);
const LISTED = ['pay', 'settle', 'refund', 'a b', 'a_b', LONG].map(tool);

const contextWith = (namespace?: string): Omit<CallContext, 'session'> => ({
	serverName: 'billing',
	tools: indexByPublicName(describeTools(LISTED, POLICY, namespace)),
	unoffered: { idle: [], broken: [] },
	checkArguments: rememberingCheck(),
	sha256,
});

/** What is said of a call that is checked, and refused. */
const checking = (request: Partial<CallRequest>, namespace?: string): string =>
	failureTitle(
		failureOf(
			checkCall(contextWith(namespace), { toolName: 'pay', arguments: {}, ...request }).checked,
		),
	);

/** What is said of an item whose parameters are these; one that is a function fails, as an expression may. */
function preparing(parameters: Readonly<Record<string, unknown>>): string {
	const context = {
		getNodeParameter: (name: string, _item: number, otherwise: unknown) => {
			const value = parameters[name] ?? otherwise;
			return typeof value === 'function' ? (value as () => unknown)() : value;
		},
	} as unknown as IExecuteFunctions;
	const run = {
		presets: { answers: undefined, given: null },
		originOf: () => {
			throw new Error('No call is made');
		},
	};
	return failureTitle(failureOf(prepareItem(context, contextWith(), 0, run).checked));
}

/** What the option Maximum Attempts says of a number. */
function attempting(count: number): string {
	const context = { getNodeParameter: () => count };
	return failureTitle(failureOf(readRetrying(context as unknown as IExecuteFunctions)));
}

const limiting = (values: Readonly<Record<string, unknown>>): string =>
	failureTitle(failureOf(readWaitLimit({ values }, new Date())));

const pin = (fingerprint: string, onDrift: 'warn' | 'refuse'): Partial<CallRequest> => ({
	pin: { fingerprint, onDrift },
});

export const calls: Situations = {
	'no tool': () => preparing({ tool: '' }),
	'a parameter whose expression fails': () =>
		preparing({
			tool: () => {
				throw new Error('Referenced node is unexecuted');
			},
		}),
	'a denied tool': () => checking({ toolName: 'refund' }),
	'two tools with one name': () => checking({ toolName: 'b__a_b' }, 'b'),
	'a name that is too long': () => checking({ toolName: `b__${LONG}` }, 'b'),
	'an effect that the node would lower': () => checking({ treatAs: 'read' }),
	'a pin that is no fingerprint': () => checking(pin('latest', 'warn')),
	'a tool that has drifted, to refuse': () => checking(pin('0'.repeat(64), 'refuse')),
	'a tool that has drifted, to warn': () => {
		const { facts } = checkCall(contextWith(), {
			toolName: 'pay',
			arguments: {},
			...pin('0'.repeat(64), 'warn'),
		});
		return facts.warnings.join();
	},
	'arguments that break off': () => failureTitle(failureOf(readArgumentsJson('{"amount": 5'))),
	'arguments with an expression that is not quoted': () =>
		failureTitle(failureOf(readArgumentsJson('{"note": rent}'))),
	'arguments that are a list': () => checking({ arguments: [5] }),
	'arguments that do not fit': () => checking({ arguments: { amount: 'five' } }),
	'arguments that JSON has not': () => checking({ arguments: { amount: 5n } }),
	'Preset Answers that are no JSON': () => failureTitle(failureOf(readPresetAnswers('{"a": yes}'))),
	'Preset Answers that are a list': () => failureTitle(failureOf(readPresetAnswers('["yes"]'))),
	'Preset Answers that depend on the item': () =>
		failureTitle(failureOf(checkItemPresets('{"a":2}', { given: '{"a":1}', answers: { a: 1 } }))),
	'an effect that is none': () => preparing({ tool: 'pay', options: { treatAs: 'Reed' } }),
	'no attempt at all': () => attempting(0),
	'a limit of nothing': () => limiting({ amount: 0 }),
	'a limit in another unit': () => limiting({ unit: 'weeks' }),
	'a limit of which nobody knows what becomes': () => limiting({ onExpiry: undefined }),
	'a limit without end': () => limiting({ amount: 1_000_000, unit: 'days' }),
	'no idempotency key': () => checking({ toolName: 'settle' }),
};
