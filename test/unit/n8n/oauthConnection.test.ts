import { expect, test } from 'vitest';

import { accessTokenIn, asBearerConnection, waysToToken } from '../../../src/n8n/oauthConnection';
import { readConnection } from '../../../src/n8n/readConnection';
import { failureOf, valueOf } from '../../support/connections';

const stored = {
	serverUrl: 'https://mcp.example.com/mcp',
	headers: { header: [{ name: 'X-Team', value: 'blue' }] },
	toolPolicies: { tool: [{ name: 'pay', effect: 'idempotent' }] },
	requestTimeout: 7,
};

test('a credential with a token is read like a connection with a bearer token (C1)', () => {
	const read = valueOf(readConnection(valueOf(asBearerConnection(stored, 'access-1'))));
	expect(read.settings).toMatchObject({
		transport: {
			kind: 'streamableHttp',
			endpoint: 'https://mcp.example.com/mcp',
			bearerToken: 'access-1',
			headers: [{ name: 'X-Team', value: 'blue' }],
		},
		requestTimeoutMs: 7000,
	});
	expect(read.policy.tools).toMatchObject([{ name: 'pay', effect: 'idempotent' }]);
});

test('a transport that somebody put into the credential starts no program', () => {
	const smuggled = { ...stored, transport: 'stdio', command: 'sh' };
	const read = valueOf(readConnection(valueOf(asBearerConnection(smuggled, 'access-1'))));
	expect(read.settings.transport.kind).toBe('streamableHttp');
});

test('a header row Authorization is refused, not sent beside the token', () => {
	const headers = { header: [{ name: ' AUTHORIZATION ', value: 'Basic secret-1' }] };
	const failure = failureOf(asBearerConnection({ ...stored, headers }, 'access-1'));
	expect(failure).toMatchObject({ code: 'connection-invalid', disposition: 'did-not-happen' });
	expect(JSON.stringify(failure)).not.toContain('secret-1');
});

test.each([
	[{ oauthTokenData: { access_token: 'access-1' } }, 'access-1'],
	[{ oauthTokenData: { access_token: '' } }, undefined],
	[{ oauthTokenData: {} }, undefined],
	[{ oauthTokenData: '{}' }, undefined],
	[{}, undefined],
	[undefined, undefined],
])('the access token in %j is %s', (credential, token) => {
	expect(accessTokenIn(credential)).toBe(token);
});

test.each([
	[{ grantType: 'clientCredentials' }, 'as-client'],
	[{ grantType: 'pkce', oauthTokenData: { refresh_token: 'refresh-1' } }, 'by-refresh-token'],
	[{ grantType: 'pkce', oauthTokenData: { access_token: 'access-1' } }, 'by-a-person'],
	[{ oauthTokenData: { refresh_token: '' } }, 'by-a-person'],
	[{}, 'by-a-person'],
] as const)('a token for %j comes %s', (credential, way) => {
	expect(waysToToken(credential)).toBe(way);
});
