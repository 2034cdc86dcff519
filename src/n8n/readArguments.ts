import { describeArrived } from '../json/describeArrived';
import { isPlainObject, type PlainObject } from '../json/plainObject';
import { fail, type Result, succeed } from '../outcome/failure';
import { readJson } from './readJson';

/** Reads the Arguments (JSON) of the call node; an empty text is an empty object. */
export const readArgumentsJson = (value: unknown): Result<unknown> =>
	readJson(value, 'Arguments (JSON)', 'Give a JSON object such as { "name": "value" }.');

/**
 * Where the value of Argument Fields stands. n8n checks and converts what is read as `argumentFields.value` by the field
 * types that the workflow was saved with, and makes 0 of a number left empty (U21); it does not know this spelling.
 */
export const argumentFieldsPath = 'argumentFields["value"]';

/** Reads the value of Argument Fields; an empty mapping is an empty object. */
export const readArgumentFields = (value: unknown): Readonly<Record<string, unknown>> =>
	isPlainObject(value) ? value : {};

const PRESET_REMEDY =
	'Give a JSON object with the answer to each field that the server may ask for, such as { "reason": "audit" }.';

/** Reads the option Preset Answers: undefined when it is empty or not there (C12). */
export function readPresetAnswers(value: unknown): Result<PlainObject | undefined> {
	const read = readJson(value ?? {}, 'Preset Answers', PRESET_REMEDY);
	if (!read.ok) return read;
	if (!isPlainObject(read.value)) {
		return fail({
			code: 'arguments-invalid',
			disposition: 'did-not-happen',
			message: `Preset Answers must be a JSON object, but ${describeArrived(read.value)} arrived`,
			remedy: PRESET_REMEDY,
		});
	}
	return succeed(Object.keys(read.value).length === 0 ? undefined : read.value);
}
