import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { PlainObject } from '../../src/json/plainObject';
import { readPresetAnswers } from '../../src/n8n/readArguments';

/**
 * The option Preset Answers of the node that is being edited, if it can be read: some servers list the tools that ask only
 * to those who say that they answer (C12).
 */
export function editedPresets(context: ILoadOptionsFunctions): PlainObject | undefined {
	const read = readPresetAnswers(context.getNodeParameter('options.presetAnswers', null));
	return read.ok ? read.value : undefined;
}
