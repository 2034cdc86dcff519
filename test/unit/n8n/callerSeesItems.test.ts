import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { callerSeesItems } from '../../../src/n8n/callerSeesItems';

interface Ancestor {
	readonly type: string;
	readonly parameters?: Readonly<Record<string, unknown>>;
}

/** As much of n8n's context as the function looks at. */
const contextWith = (ancestors: readonly Ancestor[], mode = 'webhook'): IExecuteFunctions =>
	({
		getMode: () => mode,
		getNode: () => ({ name: 'Call' }),
		getParentNodes: (name: string, options?: { includeNodeParameters?: boolean }) =>
			name === 'Call' && options?.includeNodeParameters === true ? ancestors : [],
	}) as unknown as IExecuteFunctions;

const webhook = (responseMode: string): Ancestor => ({
	type: 'n8n-nodes-base.webhook',
	parameters: { responseMode },
});
const chat = (options: Readonly<Record<string, unknown>>): Ancestor => ({
	type: '@n8n/n8n-nodes-langchain.chatTrigger',
	parameters: { public: true, options },
});

it.each([
	['a manual trigger', { type: 'n8n-nodes-base.manualTrigger' }, false],
	['a webhook that responds immediately', webhook('onReceived'), false],
	['a webhook with a node that responds', webhook('responseNode'), false],
	['a webhook that streams', webhook('streaming'), false],
	['a webhook that responds with the last node', webhook('lastNode'), true],
	['a chat that is told nothing: the last node responds', chat({}), true],
	['a chat that says so', chat({ responseMode: 'lastNode' }), true],
	['a chat that streams', chat({ responseMode: 'streaming' }), false],
] as const)('behind %s', (_, trigger, seen) => {
	expect(callerSeesItems(contextWith([trigger]))).toBe(seen);
});

it('one of several triggers is enough', () => {
	expect(callerSeesItems(contextWith([webhook('onReceived'), webhook('lastNode')]))).toBe(true);
});

it('a sub-workflow does not know who called its parent', () => {
	expect(callerSeesItems(contextWith([], 'integrated'))).toBe(true);
});
