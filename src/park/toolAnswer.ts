import { isPlainObject, own, type PlainObject } from '../json/plainObject';

/** Keys that n8n reads as a failure at the top of an item: it would replace the item, or try the whole node again (P20). */
const READ_AS_FAILURE = ['error', '$error'];

/** P26, as a model needs it: nothing was decided, and the call itself stands. */
const NOBODY_ANSWERED =
	'The call was made and waited for an answer, but nobody answered in time, so nothing was decided. Do not take this for an approval or a refusal.';

/**
 * What an AI Agent gets of an item that leaves its tool (P28): the output itself if it is a JSON object, else
 * `{ output }`. An item that still waits stays as it is, so that it is not taken for an answer.
 */
export function toolAnswer(json: PlainObject): PlainObject {
	const call = own(json, 'call');
	const outcome = isPlainObject(call) ? own(call, 'outcome') : undefined;
	if (outcome === 'expired') return { expired: true, message: NOBODY_ANSWERED };
	if (outcome === 'suspended' || outcome === 'sleeping') return json;
	const output = own(json, 'output');
	return isPlainObject(output) && !READ_AS_FAILURE.some((key) => Object.hasOwn(output, key))
		? output
		: { output };
}
