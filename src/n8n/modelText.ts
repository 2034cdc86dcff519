import type { Failure } from '../outcome/failure';
import { failureTitle } from './failureText';

const LONGEST_TEXT = 512;
const GAP = ' … ';

/** One sentence for every refusal, so that a model cannot probe the policy (G5). */
export const REFUSED: Failure = {
	code: 'policy-denied',
	disposition: 'did-not-happen',
	message: 'This tool cannot be called here',
	remedy: 'The log of n8n says why.',
};

/** True for a failure whose reason a language model must not learn: the policy denies the tool, or no such tool is listed (G5). */
export const isRefusal = ({ code }: Failure): boolean =>
	code === 'policy-denied' || code === 'tool-unknown';

/**
 * A failure as a language model may read it: a refusal without its reason, anything else in at most 512 characters.
 * A tool's own error is given in the tool's words.
 */
export function forModel(failure: Failure): Failure {
	if (isRefusal(failure)) return REFUSED;
	const said = failure.toolError?.text.join('\n').trim() ?? '';
	return { ...failure, message: shortenMiddle(said === '' ? failureTitle(failure) : said) };
}

/** Leaves out the middle of a text longer than 512 characters; never cuts a character in two. */
export function shortenMiddle(text: string): string {
	if (text.length <= LONGEST_TEXT) return text;
	const kept = LONGEST_TEXT - GAP.length;
	const head = text.slice(0, Math.ceil(kept / 2)).replace(/[\uD800-\uDBFF]$/, '');
	const tail = text.slice(-Math.floor(kept / 2)).replace(/^[\uDC00-\uDFFF]/, '');
	return `${head}${GAP}${tail}`;
}
