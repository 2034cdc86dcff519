import { fail, type Result, succeed } from '../outcome/failure';

/** Reads a JSON parameter, which n8n gives as text, or as a value where an expression made one; an empty text is an empty object. */
export function readJson(value: unknown, name: string, remedy: string): Result<unknown> {
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
			message: `${name} is not valid JSON${where === undefined ? '' : ` at ${where}`}`,
			remedy,
		});
	}
}
