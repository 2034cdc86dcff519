import type { IExecuteFunctions } from 'n8n-workflow';

import type { PlainObject } from '../../src/json/plainObject';
import { type Result, succeed } from '../../src/outcome/failure';
import { asText } from './readText';
import { refuse } from './refuse';

/**
 * Who decides to answer or to purge, when and why, for the item that is put out: the ledger keeps nothing of it. Who and why
 * may be left out.
 */
export function readDecision(
	context: IExecuteFunctions,
	item: number,
	at: Date,
): Result<PlainObject> {
	const read = (name: string) => asText(context.getNodeParameter(name, item, ''));
	const [who, why] = [read('decidedBy'), read('reason')];
	if (who === undefined) return notText('Decided By');
	if (why === undefined) return notText('Reason');
	return succeed({
		...(who.trim() === '' ? {} : { who }),
		at: at.toISOString(),
		...(why.trim() === '' ? {} : { why }),
	});
}

const notText = (field: string) =>
	refuse(`${field} must be a text`, `Leave ${field} empty, or enter a text.`);
