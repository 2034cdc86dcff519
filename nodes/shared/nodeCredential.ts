import type { RenewToken } from '../../src/call/renewingSession';
import { isPlainObject } from '../../src/json/plainObject';
import { accessTokenIn, asBearerConnection, waysToToken } from '../../src/n8n/oauthConnection';
import { needsConnecting } from '../../src/n8n/renewalFailure';
import { fail, type Result, succeed } from '../../src/outcome/failure';

/** A credential's fields as `mcpConnectionApi` has them, and how to go on when its token is refused. */
export interface NodeCredential {
	readonly data: unknown;
	/** Absent when the token is the operator's own. */
	readonly renew?: RenewToken | undefined;
}

/** What n8n gave for a credential; with a renewal it is one by OAuth2, whose token is got first where it has none. */
export async function nodeCredential(
	data: unknown,
	renew: RenewToken | undefined,
): Promise<Result<NodeCredential>> {
	if (renew === undefined || !isPlainObject(data)) return succeed({ data });
	const stored = accessTokenIn(data);
	if (stored === undefined && waysToToken(data) === 'by-a-person') {
		return fail(needsConnecting('it has no access token'));
	}
	const token = stored === undefined ? await firstToken(renew) : succeed(stored);
	if (!token.ok) return token;
	const connection = asBearerConnection(data, token.value);
	return connection.ok ? succeed({ data: connection.value, renew }) : connection;
}

async function firstToken(renew: RenewToken): Promise<Result<string>> {
	const given = await renew(undefined);
	return given.ok ? succeed(given.value.token) : given;
}
