import { isPlainObject, type PlainObject } from '../json/plainObject';
import { type Result, succeed } from '../outcome/failure';
import { refuse, rows, text } from './connectionFields';

/** The access token that n8n keeps in the credential, if there is one. */
export function accessTokenIn(credential: unknown): string | undefined {
	const token = tokensIn(credential)['access_token'];
	return typeof token === 'string' && token !== '' ? token : undefined;
}

/** How n8n can get an access token for the credential when it has none, or when its own was refused. */
export function waysToToken(credential: unknown): 'as-client' | 'by-refresh-token' | 'by-a-person' {
	if (isPlainObject(credential) && credential['grantType'] === 'clientCredentials') {
		return 'as-client';
	}
	const refreshToken = tokensIn(credential)['refresh_token'];
	return typeof refreshToken === 'string' && refreshToken !== ''
		? 'by-refresh-token'
		: 'by-a-person';
}

/** The credential `mcpConnectionOAuth2Api` as the fields of an `mcpConnectionApi` with this token. */
export function asBearerConnection(
	credential: PlainObject,
	accessToken: string,
): Result<PlainObject> {
	const names = rows(credential, 'headers', 'header').map((row) => text(row, 'name').trim());
	if (names.some((name) => name.toLowerCase() === 'authorization')) {
		return refuse(
			'Headers has a row Authorization, which is where the access token goes',
			'Remove the row.',
		);
	}
	return succeed({
		...credential,
		transport: 'streamableHttp',
		endpoint: credential['serverUrl'],
		bearerToken: accessToken,
	});
}

function tokensIn(credential: unknown): PlainObject {
	const tokens = isPlainObject(credential) ? credential['oauthTokenData'] : undefined;
	return isPlainObject(tokens) ? tokens : {};
}
