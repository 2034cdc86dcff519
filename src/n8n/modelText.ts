import type { Failure, FailureCode } from '../outcome/failure';
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

/** Whose key it is, and which argument the policy names, is no model's to know; whether to try again is. */
const KEY_SENTENCES: Partial<Readonly<Record<FailureCode, string>>> = {
	'key-missing':
		'This call did not happen: an argument that it needs is missing or cannot be used. Do not try it again with the same arguments',
	'key-collision':
		'This call did not happen: what it names was called before with other arguments. Do not try it again',
	'call-in-flight':
		'This call was not sent: the same one is under way and may have happened. Do not try it again',
	'needs-reconciliation':
		'This call was not sent: the same one was sent before and may have happened. Do not try it again',
};

/** True for a failure whose own sentence a language model does not read (G5): it stands in the log instead. */
export const isWithheld = (failure: Failure): boolean =>
	isRefusal(failure) || KEY_SENTENCES[failure.code] !== undefined;

/**
 * A failure as a language model may read it: a refusal without its reason, one about a key without whose it is, anything
 * else in at most 512 characters.
 * A tool's own error is given in the tool's words.
 */
export function forModel(failure: Failure): Failure {
	if (isRefusal(failure)) return REFUSED;
	const ofKey = KEY_SENTENCES[failure.code];
	if (ofKey !== undefined) {
		const { toolError: _withheld, ...told } = failure;
		return { ...told, message: ofKey };
	}
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
