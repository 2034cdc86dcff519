import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { Origin } from '../../src/call/provenance';
import type { Journal } from '../../src/n8n/journal';
import type { Settled } from './settled';

/**
 * Where the call of each item of this run comes from (C15). A call that n8n's Retry On Fail has the node make again is the
 * same call, and its attempts are counted on. n8n is asked once, and only where the author wants it told.
 */
export function origins(
	context: IExecuteFunctions,
	journal: Journal<Settled>,
): (item: number) => Origin {
	let run: Pick<Origin, 'workflow' | 'execution' | 'node'> | undefined;
	return (item) => {
		run ??= {
			workflow: context.getWorkflow().id ?? '',
			execution: context.getExecutionId(),
			node: context.getNode().name,
		};
		const earlier = journal.read(item);
		if (earlier?.kind !== 'failed' || earlier.origin === undefined) {
			return { ...run, item, call: randomUUID(), attemptsBefore: 0 };
		}
		const { origin, facts } = earlier;
		return { ...origin, attemptsBefore: origin.attemptsBefore + facts.attempts };
	};
}
