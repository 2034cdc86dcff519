import { isPlainObject, own } from '../../src/json/plainObject';
import type { Reply } from './resumeRequest';

/** Why a resume address did not take an answer, in words. What n8n itself replies is put into our own. */
export function replyWords({ status, body }: Reply): string {
	if (status === undefined) return 'n8n could not be reached at its own webhook address';
	if (typeof own(body, 'status') !== 'string') return wordsForHost(status);
	const issues = own(body, 'issues');
	if (Array.isArray(issues)) return issues.filter(isPlainObject).map(issueWords).join('; ');
	const wakesAt = own(body, 'sleep_until');
	if (typeof wakesAt === 'string') return `it sleeps until ${wakesAt}`;
	const message = own(body, 'message');
	return typeof message === 'string' ? message : wordsForHost(status);
}

const issueWords = ({ path, message }: { readonly path?: unknown; readonly message?: unknown }) =>
	`${path === '$' ? 'the answer' : String(path)} ${String(message)}`;

function wordsForHost(status: number): string {
	switch (status) {
		case 401:
		case 403:
			return 'n8n does not take the token of this execution';
		case 404:
			return 'the execution is gone';
		case 409:
			return 'the execution has gone on or ended, or has not parked yet';
		default:
			return `n8n answered with status ${String(status)}`;
	}
}
