import { isPlainObject } from '../json/plainObject';
import { fail, type Result, succeed } from '../outcome/failure';

/** Reads Arguments (JSON), which n8n hands over as text or, from an expression, as a value; whether it is an object is checked later. */
export function readArgumentsJson(value: unknown): Result<unknown> {
	if (typeof value !== 'string') return succeed(value);
	if (value.trim() === '') return succeed({});
	try {
		return succeed(JSON.parse(value) as unknown);
	} catch (error) {
		// The engine's own message quotes the text, and arguments stand in no message (I9).
		const where = error instanceof Error ? /position \d+/.exec(error.message)?.[0] : undefined;
		return fail({
			code: 'arguments-invalid',
			disposition: 'did-not-happen',
			message: `Arguments (JSON) is not valid JSON${where === undefined ? '' : ` at ${where}`}`,
			remedy: 'Give a JSON object such as { "name": "value" }.',
		});
	}
}

/** Reads the value of Argument Fields; an empty mapping is an empty object. */
export const readArgumentFields = (value: unknown): Readonly<Record<string, unknown>> =>
	isPlainObject(value) ? value : {};
