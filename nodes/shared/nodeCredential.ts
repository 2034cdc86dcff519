import type { RenewToken } from '../../src/call/renewingSession';
import {
	accessTokenIn,
	asBearerConnection,
	oauthCredentialType,
	waysToToken,
} from '../../src/n8n/oauthConnection';
import { needsConnecting } from '../../src/n8n/renewalFailure';
import { type TokenContext, tokenRenewal } from '../../src/n8n/renewToken';
import { fail, type Result, succeed } from '../../src/outcome/failure';

/** A credential's fields as `mcpConnectionApi` has them, and how to go on when its token is refused. */
export interface NodeCredential {
	readonly data: unknown;
	/** Absent when the token is the operator's own. */
	readonly renew?: RenewToken;
}

/**
 * The credential that the node's parameter Authentication chooses. n8n's own error ends it when there is none; what the
 * credential lacks is a failure.
 */
export async function nodeCredential(
	context: TokenContext,
	authentication: unknown,
	signal?: AbortSignal,
): Promise<Result<NodeCredential>> {
	if (authentication !== 'oAuth2') {
		return succeed({ data: await context.getCredentials('mcpConnectionApi') });
	}
	const credential = await context.getCredentials(oauthCredentialType);
	const renew = tokenRenewal(context, signal);
	const token = accessTokenIn(credential);
	if (token === undefined && waysToToken(credential) === 'by-a-person') {
		return fail(needsConnecting('it has no access token'));
	}
	const usable = token === undefined ? await renew(undefined) : succeed(token);
	if (!usable.ok) return usable;
	const data = asBearerConnection(credential, usable.value);
	return data.ok ? succeed({ data: data.value, renew }) : data;
}
