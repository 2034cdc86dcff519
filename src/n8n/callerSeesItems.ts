import type { IExecuteFunctions } from 'n8n-workflow';

import { isPlainObject } from '../json/plainObject';

const CHAT_TRIGGER = '@n8n/n8n-nodes-langchain.chatTrigger';

/**
 * True when n8n may hand the items that the node shows while it waits to whoever started the run. A trigger that responds
 * when the last node finishes does so as soon as the execution waits; and a sub-workflow's items go up to its parent,
 * which may have been started by such a trigger.
 */
export function callerSeesItems(context: IExecuteFunctions): boolean {
	if (context.getMode() === 'integrated') return true;
	const before = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return before.some(({ type, parameters }) => {
		const options: unknown = parameters?.['options'];
		const mode =
			(isPlainObject(options) ? options['responseMode'] : undefined) ??
			parameters?.['responseMode'] ??
			(type === CHAT_TRIGGER ? 'lastNode' : undefined);
		return mode === 'lastNode';
	});
}
