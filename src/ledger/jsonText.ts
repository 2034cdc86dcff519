import { fail, succeed, type Result } from '../outcome/failure';

/**
 * A JSON value as the text that a ledger stores. JSON.stringify escapes NUL and lone surrogates, so
 * any text column keeps the value verbatim. Refuses what is no JSON value; `name` begins the sentence.
 */
export function encodeJson(value: unknown, name: string): Result<string> {
	try {
		const text: string | undefined = JSON.stringify(value);
		if (typeof text === 'string') return succeed(text);
	} catch {
		// A cycle, a bigint: reported below.
	}
	return fail({
		code: 'unclassified',
		disposition: 'did-not-happen',
		message: `${name} is not a JSON value, so it was not recorded.`,
	});
}

export const decodeJson = (text: string): unknown => JSON.parse(text);
