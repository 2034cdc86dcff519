import type { Json } from '../../scripts/host/json';
import type { CredentialReference, N8nRest } from '../../scripts/host/n8nRest';
import type { AuthorizationServer, RegisteredClient } from './servers/authorizationServer';

/** A new credential that nobody has connected yet. */
export async function oauthCredential(rest: N8nRest, data: Json): Promise<CredentialReference> {
	return await rest.createCredential({
		name: 'OAuth2 connection',
		type: 'mcpConnectionOAuth2Api',
		data: { serverName: 'guarded', ...data },
	});
}

/** What the editor's Connect button and the person before the authorization server do together; n8n's page at the end. */
export async function connect(
	rest: N8nRest,
	credential: CredentialReference,
): Promise<{ readonly askedFor: URLSearchParams; readonly page: string }> {
	const url = await rest.authorizationUrl(credential.id);
	const agreed = await fetch(url, { redirect: 'manual' });
	const back = agreed.headers.get('location');
	if (back === null) throw new Error(`Nobody was sent back to n8n: ${await agreed.text()}`);
	const answer = await fetch(back, { headers: { cookie: rest.cookie() ?? '' } });
	return { askedFor: new URL(url).searchParams, page: await answer.text() };
}

/** A credential's fields for a client that somebody registered by hand. */
export function byHand(server: AuthorizationServer, client: RegisteredClient): Json {
	return {
		useDynamicClientRegistration: false,
		authUrl: server.authorizationEndpoint,
		accessTokenUrl: server.tokenEndpoint,
		clientId: client.id,
		clientSecret: client.secret ?? '',
	};
}
