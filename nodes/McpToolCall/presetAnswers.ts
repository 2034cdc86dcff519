import type { IExecuteFunctions } from 'n8n-workflow';

import { canonicalJson } from '../../src/json/canonicalJson';
import type { PlainObject } from '../../src/json/plainObject';
import { readPresetAnswers } from '../../src/n8n/readArguments';
import { fail, type Result, succeed } from '../../src/outcome/failure';

/** The option Preset Answers, as one run has it. */
export interface RunPresets {
	readonly answers: PlainObject | undefined;
	/** The parameter that they were read from. */
	readonly given: unknown;
}

/** Reads the option for the whole run: its connection answers for all items. */
export function readRunPresets(context: IExecuteFunctions): Result<RunPresets> {
	const given: unknown = context.getNodeParameter('options.presetAnswers', 0, null);
	const read = readPresetAnswers(given);
	return read.ok ? succeed({ answers: read.value, given }) : read;
}

/** Refuses an item whose expression gives other answers than the run's, which its server would not get. */
export function checkItemPresets(given: unknown, run: RunPresets): Result<void> {
	if (given === run.given || canonicalJson(given) === canonicalJson(run.given)) {
		return succeed(undefined);
	}
	return fail({
		code: 'arguments-invalid',
		disposition: 'did-not-happen',
		message: 'Preset Answers differ between the items of one run',
		remedy:
			'All items of a run share a connection and its answers: run the node once for each set of answers, such as in a loop.',
	});
}
