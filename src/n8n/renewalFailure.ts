import { isPlainObject, type PlainObject } from '../json/plainObject';
import type { Failure } from '../outcome/failure';

/** Nothing but a person can give the credential a token again. */
export const needsConnecting = (why: string): Failure => ({
	code: 'unauthorized',
	disposition: 'did-not-happen',
	stage: 'connect',
	message: `The credential has to be connected again: ${why}`,
	remedy: 'Open the credential, connect it again, and run the workflow again.',
});

/** Time and network may give a token that they did not give now. */
export const gaveNoToken = (why: string): Failure => ({
	code: 'unreachable',
	disposition: 'did-not-happen',
	stage: 'connect',
	message: `The authorization server gave no access token: ${why}`,
	remedy: 'Check that it runs and that n8n can reach it, and run the workflow again.',
});

const refusesClient = (why: string): Failure => ({
	code: 'unauthorized',
	disposition: 'did-not-happen',
	stage: 'connect',
	message: `The authorization server refused to give an access token: ${why}`,
	remedy: 'Check the client in the credential, and connect it again.',
});

/**
 * What n8n threw when it asked for a token. An answer's text may hold the token itself, so only codes and statuses are told,
 * and n8n's own sentences.
 */
export function renewalFailure(error: unknown): Failure {
	const { failure, body, response, status, code, message } = fieldsOf(error);
	if (fieldsOf(failure)['cause'] === 'credential-invalid') {
		return needsConnecting(
			'its access token has run out and the authorization server does not renew it',
		);
	}
	const refusal = fieldsOf(body)['error'];
	if (typeof refusal === 'string') {
		return refusesClient(
			/^[\w.-]{1,64}$/.test(refusal) ? `"${refusal}"` : 'it gave a reason of its own',
		);
	}
	const httpStatus = status ?? fieldsOf(response)['status'];
	if (typeof httpStatus === 'number') {
		const answered = `it answered with HTTP ${String(httpStatus)}`;
		return httpStatus >= 500 || httpStatus === 429
			? gaveNoToken(answered)
			: refusesClient(answered);
	}
	if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return gaveNoToken(code);
	return refusesClient(
		typeof message === 'string' && message !== '' ? message : 'for a reason that could not be told',
	);
}

/** Errors have fields too. */
const fieldsOf = (value: unknown): PlainObject => (isPlainObject(value) ? value : {});
