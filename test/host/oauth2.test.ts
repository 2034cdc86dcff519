import { CREDENTIAL_BLANKING_VALUE } from 'n8n-workflow';
import { afterEach, describe, expect, test } from 'vitest';
import type { Execution, ExecutionStatus } from '../../scripts/host/executionData';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { jsonCall } from '../support/calls';
import { host, jsonOf, runUntil, toolCallType, toolPickerType } from '../support/host';
import { byHand, connect, oauthCredential } from '../support/oauth';
import {
	type AuthorizationServer,
	type RegisteredClient,
	startAuthorizationServer,
} from '../support/servers/authorizationServer';
import { listed, startToolServer, text, type ToolServer } from '../support/servers/toolServer';
import { items, manualTrigger, oauthToolCall, toolPicker, workflow } from '../support/workflow';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

interface Guarded {
	readonly authorization: AuthorizationServer;
	readonly tools: ToolServer;
}

const echoSchema: Json = { type: 'object', properties: { word: { type: 'string' } } };

/** A server that lets in whoever has a token of its authorization server. */
async function guardedServer(): Promise<Guarded> {
	const authorization = await startAuthorizationServer();
	const tools = await startToolServer(
		[
			{
				listed: listed('echo', { readOnlyHint: true }, echoSchema),
				answer: (call) => text(JSON.stringify(call.arguments)),
			},
		],
		{ authorization: authorization.lets, issuer: authorization.issuer },
	);
	endings.push(
		() => tools.stop(),
		() => authorization.stop(),
	);
	return { authorization, tools };
}

/** A credential that is connected, by dynamic registration. */
async function connected({ tools }: Guarded, data: Json = {}): Promise<CredentialReference> {
	const { rest } = host();
	const credential = await oauthCredential(rest, { serverUrl: tools.endpoint, ...data });
	await connect(rest, credential);
	return credential;
}

async function asClient(
	{ authorization, tools }: Guarded,
	client: RegisteredClient,
	data: Json = {},
): Promise<CredentialReference> {
	return await oauthCredential(host().rest, {
		...byHand(authorization, client),
		grantType: 'clientCredentials',
		serverUrl: tools.endpoint,
		...data,
	});
}

const ownClient: RegisteredClient = { id: 'tests', secret: 'secret-of-tests', redirectUris: [] };

async function call(
	credential: CredentialReference,
	status: ExecutionStatus,
	settings: Json = {},
): Promise<Execution> {
	return await runUntil(
		host().rest,
		workflow([
			manualTrigger(),
			items([{}]),
			oauthToolCall(credential, jsonCall('echo', { word: 'hello' }), settings),
		]),
		[status],
	);
}

const outputOf = (execution: Execution): unknown => jsonOf(execution, 'Call')[0]?.output;

describe('authorization code with PKCE and dynamic registration', () => {
	test('connects with the endpoint alone, and a call carries the token', async () => {
		const guarded = await guardedServer();
		const { rest, baseUrl } = host();
		const credential = await oauthCredential(rest, { serverUrl: guarded.tools.endpoint });
		const { askedFor, page } = await connect(rest, credential);
		expect(page).toContain('Connection successful');
		expect(askedFor.get('code_challenge_method')).toBe('S256');
		expect(askedFor.get('resource')).toBe(guarded.tools.endpoint);
		expect(guarded.authorization.clients).toEqual([
			expect.objectContaining({
				redirectUris: [`${baseUrl}/rest/oauth2-credential/callback`],
			}),
		]);
		expect(outputOf(await call(credential, 'success'))).toEqual({ word: 'hello' });
		expect(guarded.authorization.grants).toEqual(['authorization_code 200']);
		expect(guarded.authorization.resources).toEqual([guarded.tools.endpoint]);
	});

	test('an expired token is renewed once, the call goes on, and the next execution has the new one', async () => {
		const guarded = await guardedServer();
		const credential = await connected(guarded);
		guarded.authorization.expireTokens();
		expect(outputOf(await call(credential, 'success'))).toEqual({ word: 'hello' });
		expect(outputOf(await call(credential, 'success'))).toEqual({ word: 'hello' });
		expect(guarded.authorization.grants).toEqual(['authorization_code 200', 'refresh_token 200']);
		expect(guarded.tools.calls).toHaveLength(2);
	});

	test('a token that expires between two items is renewed between them, and the session stays', async () => {
		const guarded = await guardedServer();
		const tools = await startToolServer(
			[
				{
					listed: listed('pay'),
					answer: () => {
						guarded.authorization.expireTokens();
						return text('paid');
					},
				},
			],
			{ authorization: guarded.authorization.lets, issuer: guarded.authorization.issuer },
		);
		endings.unshift(() => tools.stop());
		const credential = await connected({ ...guarded, tools });
		const execution = await runUntil(
			host().rest,
			workflow([
				manualTrigger(),
				items([{}, {}, {}]),
				oauthToolCall(credential, jsonCall('pay', {})),
			]),
			['success'],
		);
		expect(jsonOf(execution, 'Call').map(({ output }) => output)).toEqual(['paid', 'paid', 'paid']);
		expect(tools.calls).toHaveLength(3);
		expect(new Set(tools.calls.map(({ session }) => session)).size).toBe(1);
	});

	test('executions that find the token expired together renew it once: its refresh token is good once', async () => {
		const guarded = await guardedServer();
		const credential = await connected(guarded);
		guarded.authorization.expireTokens();
		const executions = await Promise.all(
			Array.from({ length: 5 }, () => call(credential, 'success')),
		);
		expect(executions.map(outputOf)).toEqual(Array.from({ length: 5 }, () => ({ word: 'hello' })));
		expect(guarded.authorization.grants).toEqual(['authorization_code 200', 'refresh_token 200']);
	});

	test('a refused renewal says to connect the credential again, and the tool did not run', async () => {
		const guarded = await guardedServer();
		const credential = await connected(guarded);
		guarded.authorization.expireTokens();
		guarded.authorization.revokeRefreshTokens();
		const failed = await call(credential, 'success', { onError: 'continueRegularOutput' });
		expect(jsonOf(failed, 'Call')[0]?.error).toMatchObject({
			message:
				'The credential has to be connected again: its access token has run out and the authorization server does not renew it',
			code: 'unauthorized',
			disposition: 'did-not-happen',
			attempts: 1,
		});
		expect(guarded.tools.calls).toEqual([]);
		const { error } = await call(credential, 'error');
		expect(error?.message).toContain('has to be connected again');
		expect(error?.description).toContain('Open the credential, connect it again');

		await connect(host().rest, credential);
		expect(outputOf(await call(credential, 'success'))).toEqual({ word: 'hello' });
	});

	test('an authorization server that is in trouble is asked again, as a call that did not happen is', async () => {
		const guarded = await guardedServer();
		const credential = await connected(guarded);
		guarded.authorization.expireTokens();
		guarded.authorization.failTokens(503);
		const failed = await call(credential, 'success', { onError: 'continueRegularOutput' });
		expect(jsonOf(failed, 'Call')[0]?.error).toMatchObject({
			message: 'The authorization server gave no access token: it answered with HTTP 503',
			code: 'unreachable',
			disposition: 'did-not-happen',
			attempts: 3,
		});
		guarded.authorization.failTokens(undefined);
		expect(outputOf(await call(credential, 'success'))).toEqual({ word: 'hello' });
	});

	test('a credential that nobody has connected says so before anything is sent', async () => {
		const guarded = await guardedServer();
		const credential = await oauthCredential(host().rest, { serverUrl: guarded.tools.endpoint });
		const { error } = await call(credential, 'error');
		expect(error?.message).toContain('has to be connected again: it has no access token');
		expect(guarded.tools.initialised()).toBe(0);
	});

	test('a client that was registered by hand connects with PKCE and no secret', async () => {
		const guarded = await guardedServer();
		const { baseUrl } = host();
		const client: RegisteredClient = {
			id: 'by-hand',
			redirectUris: [`${baseUrl}/rest/oauth2-credential/callback`],
		};
		guarded.authorization.addClient(client);
		const credential = await connected(guarded, byHand(guarded.authorization, client));
		guarded.authorization.expireTokens();
		expect(outputOf(await call(credential, 'success'))).toEqual({ word: 'hello' });
	});

	test('the test of a connected credential asks the server itself, and renews its token', async () => {
		const guarded = await guardedServer();
		const { rest } = host();
		const stored = await rest.credential((await connected(guarded)).id);
		if (stored === undefined) throw new Error('n8n has lost the credential.');
		expect(stored.data.oauthTokenData).toBe(true);
		// n8n fills in what it keeps to itself where it finds its own placeholder.
		const filledIn = {
			...stored,
			data: { ...stored.data, oauthTokenData: CREDENTIAL_BLANKING_VALUE },
		};
		guarded.authorization.expireTokens();
		expect(await rest.testCredential(filledIn)).toMatchObject({ status: 'OK' });
		expect(guarded.tools.initialised()).toBe(1);
		expect(guarded.authorization.grants).toEqual(['authorization_code 200', 'refresh_token 200']);
		guarded.authorization.expireTokens();
		guarded.authorization.revokeRefreshTokens();
		expect((await rest.testCredential(filledIn)).status).toBe('Error');
	});
});

describe('client credentials', () => {
	test('give the first token at the first use, and another one after it expired', async () => {
		const guarded = await guardedServer();
		guarded.authorization.addClient(ownClient);
		const credential = await asClient(guarded, ownClient);
		expect(outputOf(await call(credential, 'success'))).toEqual({ word: 'hello' });
		expect(outputOf(await call(credential, 'success'))).toEqual({ word: 'hello' });
		expect(guarded.authorization.grants).toEqual(['client_credentials 200']);
		guarded.authorization.expireTokens();
		expect(outputOf(await call(credential, 'success'))).toEqual({ word: 'hello' });
		expect(guarded.authorization.grants).toEqual([
			'client_credentials 200',
			'client_credentials 200',
		]);
	});

	test('a wrong secret is refused by the code of the authorization server, and shown nowhere', async () => {
		const guarded = await guardedServer();
		guarded.authorization.addClient(ownClient);
		const credential = await asClient(guarded, ownClient, { clientSecret: 'hunter2-c0ffee' });
		const { error } = await call(credential, 'error');
		expect(error?.message).toBe(
			'The authorization server refused to give an access token: "invalid_client"',
		);
		expect(JSON.stringify(error)).not.toContain('hunter2');
		expect(guarded.tools.initialised()).toBe(0);
	});

	test('the test of the credential asks the server itself', async () => {
		const { rest } = host();
		const guarded = await guardedServer();
		guarded.authorization.addClient(ownClient);
		const good = await asClient(guarded, ownClient);
		expect(await rest.testCredential(good.id)).toMatchObject({ status: 'OK' });
		expect(guarded.tools.initialised()).toBe(1);
		const wrong = await asClient(guarded, ownClient, { clientSecret: 'wrong' });
		expect(await rest.testCredential(wrong.id)).toMatchObject({ status: 'Error' });
	});
});

test('the picker and the lists of the editor work with it, and renew its token', async () => {
	const guarded = await guardedServer();
	const credential = await connected(guarded);
	const credentials = { mcpConnectionOAuth2Api: credential };
	const { rest } = host();
	const picked = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			{
				...toolPicker(credential, { authentication: 'oAuth2', operation: 'list' }),
				credentials,
			},
		]),
		['success'],
	);
	expect(jsonOf(picked, 'Pick').map(({ tool }) => tool)).toEqual(['echo']);

	guarded.authorization.expireTokens();
	const parameters: Json = {
		authentication: 'oAuth2',
		operation: 'pick',
		tool: { __rl: true, mode: 'list', value: 'echo' },
	};
	const found = await rest.resourceLocatorResults({
		nodeType: toolPickerType,
		method: 'searchTools',
		parameter: 'tool',
		parameters,
		credentials,
	});
	expect(found.results).toEqual([expect.objectContaining({ value: 'echo' })]);
	const fields = await rest.resourceMapperFields({
		nodeType: toolCallType,
		method: 'mapArguments',
		parameter: 'argumentFields',
		parameters: { ...parameters, operation: 'call' },
		credentials,
	});
	expect(fields.fields).toEqual([expect.objectContaining({ id: 'word' })]);
	expect(guarded.authorization.grants).toEqual(['authorization_code 200', 'refresh_token 200']);
});

test('a header row Authorization is refused beside the access token', async () => {
	const guarded = await guardedServer();
	const headers = { header: [{ name: 'authorization', value: 'Basic hunter2-c0ffee' }] };
	const { error } = await call(await connected(guarded, { headers }), 'error');
	expect(error?.message).toContain(
		'Headers has a row Authorization, which is where the access token goes',
	);
});
