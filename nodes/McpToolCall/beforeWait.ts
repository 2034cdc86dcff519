import type { IExecuteFunctions } from 'n8n-workflow';

import { asHtml } from '../../src/n8n/asHtml';
import type { Journal } from '../../src/n8n/journal';
import { addWarnings } from '../../src/park/addWarnings';
import type { ParkedBatch } from '../../src/park/parkedBatch';
import { type WaitWarning, waitWarnings } from '../../src/park/waitWarnings';
import { notifyParked } from './notifyParked';
import { readWaitFacts } from './readWaitFacts';

/**
 * What is done between the calls and the wait: somebody is told, once, and what may cost hours is said on the items and
 * in the editor. Gives the batch with its warnings. Nothing that goes wrong here loses the park.
 */
export async function beforeWait(
	context: IExecuteFunctions,
	journal: Journal<unknown>,
	batch: ParkedBatch,
): Promise<ParkedBatch> {
	const warnings = [...warningsOf(context, batch)];
	// A further try of Retry On Fail finds the mark and tells nobody a second time.
	if (journal.markOnce('told')) {
		const problem = await notifyParked(context, batch);
		if (problem !== undefined) warnings.push({ text: problem, level: 'warning' });
	}
	context.addExecutionHints(
		...warnings.map(({ text, level }) => ({
			message: asHtml(text),
			type: level,
			location: 'outputPane' as const,
		})),
	);
	return addWarnings(
		batch,
		warnings.flatMap(({ text, level }) => (level === 'warning' ? [text] : [])),
	);
}

function warningsOf(context: IExecuteFunctions, batch: ParkedBatch): readonly WaitWarning[] {
	try {
		return waitWarnings(readWaitFacts(context, batch));
	} catch (error) {
		const problem = error instanceof Error ? error.message : String(error);
		context.logger.warn(`The settings for a wait could not be looked at: ${problem}`);
		return [];
	}
}
