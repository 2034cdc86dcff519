import { randomUUID } from 'node:crypto';
import type { N8nRest } from '../../scripts/host/n8nRest';
import type { NodeSpec } from './workflow';
import { setFields, webhookTrigger, workflow } from './workflow';

export interface Numbers {
	/** Starts as many executions at once, each with a number of its own from 0 on; gives what each answered, in order. */
	readonly send: (count: number) => Promise<readonly unknown[]>;
	/** Takes no more. */
	readonly stop: () => Promise<void>;
}

/**
 * An active workflow that is posted a number, goes through nodes that get it by the expression they are given, and answers
 * with fields.
 */
export async function numbersAt(
	rest: N8nRest,
	nodes: (number: string) => readonly NodeSpec[],
	fields: Readonly<Record<string, string>>,
): Promise<Numbers> {
	const hook = randomUUID();
	const number = '={{ { "n": $(\'Start\').item.json.body.n } }}';
	const { id } = await rest.createWorkflow(
		workflow([webhookTrigger(hook, 'lastNode'), ...nodes(number), setFields(fields)]),
	);
	await rest.activate(id);
	return {
		send: async (count) =>
			await Promise.all(
				Array.from({ length: count }, async (_, n) => {
					const response = await fetch(rest.webhookUrl(hook), {
						method: 'POST',
						headers: { 'content-type': 'application/json' },
						body: JSON.stringify({ n }),
					});
					return await response.json();
				}),
			),
		stop: async () => {
			await rest.deactivate(id);
		},
	};
}
