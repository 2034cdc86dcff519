import { fail, succeed, type Result } from '../outcome/failure';

/**
 * A JSON value as the text that a ledger stores. JSON.stringify escapes NUL and lone surrogates, so
 * any text column keeps the value verbatim. Refuses what is no JSON value.
 */
export function encodeAnswer(answer: unknown): Result<string> {
	try {
		const text: string | undefined = JSON.stringify(answer);
		if (typeof text === 'string') return succeed(text);
	} catch {
		// A cycle, a bigint: reported below.
	}
	return fail({
		code: 'unclassified',
		disposition: 'did-not-happen',
		message: 'The answer is not a JSON value, so it was not recorded.',
	});
}

export const decodeAnswer = (text: string): unknown => JSON.parse(text);
