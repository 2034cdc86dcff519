import { nodeCredential } from '../../../../nodes/shared/nodeCredential';
import { failureTitle } from '../../../../src/n8n/failureText';
import { gaveNoToken, renewalFailure } from '../../../../src/n8n/renewalFailure';
import { succeed } from '../../../../src/outcome/failure';
import { failureOf } from '../../../support/connections';
import type { Situations } from './situations';

const renewing = (fields: Readonly<Record<string, unknown>>): string =>
	failureTitle(renewalFailure(Object.assign(new Error('as asked'), fields)));

export const oauth: Situations = {
	'a credential that nobody connected': async () => {
		const unused = () => Promise.resolve(succeed({ token: 'unused', renewed: 'now' as const }));
		return failureTitle(failureOf(await nodeCredential({}, unused)));
	},
	'a token that cannot be renewed': () => renewing({ failure: { cause: 'credential-invalid' } }),
	'a client that the authorization server does not know': () =>
		renewing({ body: { error: 'invalid_client' } }),
	'an authorization server that is down': () => renewing({ code: 'ECONNREFUSED' }),
	'an authorization server that gives no token': () =>
		failureTitle(gaveNoToken('there is none in its answer')),
};
