import { isPlainObject } from '../json/plainObject';
import type { Result } from '../outcome/failure';
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
