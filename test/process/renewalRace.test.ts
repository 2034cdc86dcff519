import type { IExecuteFunctions } from 'n8n-workflow';
import { afterEach, describe, expect, test } from 'vitest';

import { openRenewing } from '../../src/call/renewingSession';
import { openSession } from '../../src/mcp/openSession';
import { tokenRenewal } from '../../src/n8n/renewToken';
import { failureOf, http, valueOf } from '../support/connections';
import {
	type AuthorizationServer,
	type RefreshTokens,
	startAuthorizationServer,
	type Tokens,
} from '../support/servers/authorizationServer';
import { gate, listed, startToolServer, type ToolServer } from '../support/servers/toolServer';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

const client = { id: 'tests', secret: 'of-the-tests', redirectUris: [] };
const work = { name: 'work', arguments: {} };

interface Race {
	readonly authorization: AuthorizationServer;
	readonly tools: ToolServer;
	/** The access token that every worker has read; it has expired. */
	readonly expired: string;
	/** The access token that is kept now. */
	readonly kept: () => string;
	/** A worker's context of the node. */
	readonly worker: () => IExecuteFunctions;
}

/**
 * A credential that several workers share, when n8n has given up to wait for the worker that renews it: each of them asks the
 * authorization server, and keeps what it gets.
 */
async function raceOf(kind: RefreshTokens): Promise<Race> {
	const authorization = await startAuthorizationServer(kind);
	authorization.addClient(client);
	const tools = await startToolServer([{ listed: listed('work') }], {
		authorization: authorization.lets,
	});
	ends.push(
		() => tools.stop(),
		() => authorization.stop(),
	);
	let kept = authorization.consent(client.id);
	const expired = kept.access_token;
	authorization.expireTokens();

	const renew = async (): Promise<Tokens> => {
		const read = kept;
		const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
		const response = await fetch(authorization.tokenEndpoint, {
			method: 'POST',
			headers: { authorization: `Basic ${basic}` },
			body: new URLSearchParams({
				grant_type: 'refresh_token',
				refresh_token: read.refresh_token,
			}),
		});
		if (!response.ok) {
			// As n8n tells of `invalid_grant`.
			throw Object.assign(new Error(), { failure: { cause: 'credential-invalid' } });
		}
		kept = { ...read, ...((await response.json()) as Tokens) };
		return kept;
	};
	const worker = () =>
		({
			getCredentials: () => Promise.resolve({ grantType: 'pkce', oauthTokenData: kept }),
			helpers: { refreshOAuth2Token: renew },
		}) as unknown as IExecuteFunctions;
	return { authorization, tools, expired, kept: () => kept.access_token, worker };
}

/** A session of a worker that begins with this token. */
async function sessionOf({ tools, worker }: Race, bearerToken: string) {
	const renew = tokenRenewal(worker(), 'mcpConnectionOAuth2Api');
	if (renew === undefined) throw new Error('There is no renewal.');
	return await openRenewing(
		http(tools.endpoint, { bearerToken }),
		(settings) => openSession({ env: process.env })(settings),
		renew,
	);
}

/** A call by a worker that begins with the expired token. */
async function callBy(race: Race) {
	const session = await sessionOf(race, race.expired);
	if (!session.ok) return session;
	const answer = await session.value.callTool(work);
	await session.value.close();
	return answer;
}

describe('two workers that ask for a new token at the same time, with one refresh token', () => {
	test('that is good once: the one that is refused waits for what the other gets, and both calls are made once', async () => {
		const race = await raceOf('once');
		// The refusal leaves before the answer.
		race.authorization.holdAnswers(gate(2));
		const answers = await Promise.all([callBy(race), callBy(race)]);
		answers.forEach(valueOf);
		expect([...race.authorization.grants].sort()).toEqual([
			'refresh_token 200',
			'refresh_token 400',
		]);
		expect(race.tools.calls.map(({ headers }) => headers.authorization)).toEqual(
			Array.from({ length: 2 }, () => `Bearer ${race.kept()}`),
		);
	});

	test('that may be used again: each has a token that is good', async () => {
		const race = await raceOf('reusable');
		race.authorization.holdAnswers(gate(2));
		const answers = await Promise.all([callBy(race), callBy(race)]);
		answers.forEach(valueOf);
		expect(race.authorization.grants).toEqual(['refresh_token 200', 'refresh_token 200']);
		expect(race.tools.calls).toHaveLength(2);
	});

	test('whose second use costs all tokens: both say to connect the credential again, and none asks for ever', async () => {
		const race = await raceOf('once-or-revoked');
		race.authorization.holdAnswers(gate(2));
		const answers = await Promise.all([callBy(race), callBy(race)]);
		for (const answer of answers) {
			expect(failureOf(answer)).toMatchObject({
				code: 'unauthorized',
				disposition: 'did-not-happen',
				remedy: expect.stringContaining('connect it again') as string,
			});
		}
		expect(race.authorization.grants).toHaveLength(2);
		expect(race.tools.calls).toEqual([]);

		race.authorization.holdAnswers(() => Promise.resolve());
		expect(failureOf(await callBy(race))).toMatchObject({
			message: expect.stringContaining('has to be connected again') as string,
		});
		expect(race.authorization.grants).toHaveLength(3);
	});
});

describe('a worker that still has a token of long ago', () => {
	test('takes the one that another has renewed, and when that has run out as well it renews it', async () => {
		const race = await raceOf('once');
		valueOf(await callBy(race));
		race.authorization.expireTokens();
		valueOf(await callBy(race));
		expect(race.authorization.grants).toEqual(['refresh_token 200', 'refresh_token 200']);
		expect(race.tools.calls).toHaveLength(2);
	});

	test('does so too when it finds out at a call', async () => {
		const race = await raceOf('once');
		valueOf(await callBy(race));
		const session = valueOf(await sessionOf(race, race.kept()));
		race.authorization.expireTokens();
		valueOf(await callBy(race));
		race.authorization.expireTokens();
		valueOf(await session.callTool(work));
		expect(race.authorization.grants).toHaveLength(3);
		expect(race.tools.calls).toHaveLength(3);
		await session.close();
	});
});
