import { describe, expect, test } from 'vitest';

import { renewalFailure } from '../../../src/n8n/renewalFailure';

const thrown = (message: string, fields: Readonly<Record<string, unknown>>): Error =>
	Object.assign(new Error(message), fields);

describe('what n8n throws when it asks for a token', () => {
	test.each([
		[
			"n8n's own sentence that the credential is to be reconnected",
			thrown('The credential "x" needs to be reconnected.', {
				failure: { cause: 'credential-invalid' },
			}),
			'unauthorized',
			'The credential has to be connected again: its access token has run out and the authorization server does not renew it',
		],
		[
			'a code of the authorization server',
			thrown('Client authentication failed', { code: 'EAUTH', body: { error: 'invalid_client' } }),
			'unauthorized',
			'The authorization server refused to give an access token: "invalid_client"',
		],
		[
			'a code that is none',
			thrown('', { code: 'EAUTH', body: { error: 'token access-1234 <b>' } }),
			'unauthorized',
			'The authorization server refused to give an access token: it gave a reason of its own',
		],
		[
			'an answer that is no JSON, which n8n quotes with what may be a token in it',
			thrown('Expected JSON response but received: access_token=access-1234', {
				code: 'ESTATUS',
				status: 200,
				body: 'access_token=access-1234',
			}),
			'unauthorized',
			'The authorization server refused to give an access token: it answered with HTTP 200',
		],
		[
			'an address that is not there',
			thrown('HTTP status 404', { code: 'ESTATUS', status: 404, body: '' }),
			'unauthorized',
			'The authorization server refused to give an access token: it answered with HTTP 404',
		],
		[
			'trouble of the authorization server',
			thrown('Request failed', { code: 'ERR_BAD_RESPONSE', response: { status: 502 } }),
			'unreachable',
			'The authorization server gave no access token: it answered with HTTP 502',
		],
		[
			'too many requests',
			thrown('HTTP status 429', { code: 'ESTATUS', status: 429 }),
			'unreachable',
			'The authorization server gave no access token: it answered with HTTP 429',
		],
		[
			'nobody there',
			thrown('connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }),
			'unreachable',
			'The authorization server gave no access token: ECONNREFUSED',
		],
		[
			'a field that is missing',
			new TypeError('Expected "clientId" to exist'),
			'unauthorized',
			'The authorization server refused to give an access token: Expected "clientId" to exist',
		],
		[
			'something that is no error',
			undefined,
			'unauthorized',
			'The authorization server refused to give an access token: for a reason that could not be told',
		],
	] as const)('%s is told without a secret: nothing was sent', (_, error, code, message) => {
		expect(renewalFailure(error)).toMatchObject({
			code,
			message,
			disposition: 'did-not-happen',
			stage: 'connect',
		});
	});
});
