import { localText } from './localTime';
import type { Reply } from './reply';

/** A reply that did not take the answer, in words: what happened, whether the answer counts, and what to do. */
export interface FailureWords {
	readonly title: string;
	readonly text: string;
	/** Nothing can be sent here any more. */
	readonly isFinal?: true;
}

const SAFE = 'Sending again is safe: only the first answer counts.';

/** `over` is the page's own deadline once it has passed. */
export function failureWords({ status, body }: Reply, over?: string): FailureWords {
	switch (status) {
		case 0:
			return {
				title: 'The server could not be reached',
				text: `It is not known whether your answer arrived. Check your connection and send it again. ${SAFE}`,
			};
		case 400:
		case 415:
		case 422:
			return {
				title: 'The server could not read this answer',
				text: 'It was not recorded. Change it and send it again.',
			};
		case 401:
		case 403:
			return {
				title: 'This address is not valid',
				text: 'Your answer was not recorded. Copy it if you need it, and open the page again from the message that brought you here.',
			};
		case 404:
		case 410:
			return {
				isFinal: true,
				title: 'Nothing waits here any more',
				text: 'Your answer was not recorded. The workflow has ended, or was stopped or deleted. Ask the person who sent you this page.',
			};
		case 409:
			return conflictWords(body, over);
		case 413:
			return {
				title: 'This answer is too large',
				text: 'It was not recorded. Shorten it and send it again.',
			};
		case 429:
			return {
				title: 'The server is busy',
				text: 'Your answer was not recorded. Wait a moment and send it again.',
			};
		default:
			return status >= 500
				? troubleWords(body)
				: {
						title: `The server gave an unexpected reply (${String(status)})`,
						text: `It is not known whether your answer was recorded. Send it again, or ask the person who sent you this page. ${SAFE}`,
					};
	}
}

function conflictWords(
	{ status, sleep_until: wakes, answered_at: answered, deadline }: Reply['body'],
	over: string | undefined,
): FailureWords {
	if (typeof wakes === 'string') {
		return {
			isFinal: true,
			title: 'The workflow is asleep',
			text: `Nothing can be answered before it wakes: ${localText(wakes)}.`,
		};
	}
	if (typeof answered === 'string') {
		return {
			isFinal: true,
			title: 'This was answered already',
			text: `The first answer was recorded ${localText(answered)} and stands; this one was not recorded. If the connection broke while you were sending, the first answer may be your own.`,
		};
	}
	if (status === 'expired' || over !== undefined) {
		const ended = typeof deadline === 'string' ? deadline : over;
		return {
			isFinal: true,
			title: 'The time for this answer is over',
			text: `${ended === undefined ? '' : `It ended ${localText(ended)}. `}Your answer was not recorded. Ask the person who sent you this page whether it still matters.`,
		};
	}
	return {
		isFinal: true,
		title: 'This does not wait for an answer any more',
		text: 'It was answered already, or the workflow went on or ended without an answer. Yours was not recorded.',
	};
}

function troubleWords({ id }: Reply['body']): FailureWords {
	const reference = typeof id === 'string' ? ` Its reference is ${id}.` : '';
	return {
		title: 'The server has a problem',
		text: `It does not say that your answer was recorded.${reference} Wait a moment and send it again. ${SAFE}`,
	};
}
