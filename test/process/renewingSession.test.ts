import { afterEach, describe, expect, test } from 'vitest';

import type { McpSession } from '../../src/call/session';
import { openRenewing, type RenewToken } from '../../src/call/renewingSession';
import { openSession } from '../../src/mcp/openSession';
import { fail, type Failure, type Result, succeed } from '../../src/outcome/failure';
import { failureOf, http, valueOf } from '../support/connections';
import {
	type AuthorizationServer,
	startAuthorizationServer,
} from '../support/servers/authorizationServer';
import {
	gate,
	listed,
	refusal,
	type ServedTool,
	startToolServer,
} from '../support/servers/toolServer';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

const work = { name: 'work', arguments: {} };
const client = { id: 'tests', secret: 'of-the-tests', redirectUris: [] };

const givesNone: Failure = {
	code: 'unauthorized',
	disposition: 'did-not-happen',
	stage: 'connect',
	message: 'there is no token',
};

async function ask(server: AuthorizationServer): Promise<Result<string>> {
	const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
	const response = await fetch(server.tokenEndpoint, {
		method: 'POST',
		headers: { authorization: `Basic ${basic}` },
		body: new URLSearchParams({ grant_type: 'client_credentials' }),
	});
	if (!response.ok) return fail(givesNone);
	const { access_token: token } = (await response.json()) as { access_token: string };
	return succeed(token);
}

/** A server behind an authorization server, and a session on it that begins with a good token. */
async function protectedServer({
	answer,
	lets,
	token,
}: {
	readonly answer?: ServedTool['answer'];
	readonly lets?: (server: AuthorizationServer, given: string | undefined) => boolean;
	readonly token?: string;
} = {}) {
	const authorization = await startAuthorizationServer();
	authorization.addClient(client);
	const tools = await startToolServer(
		[{ listed: listed('work'), ...(answer === undefined ? {} : { answer }) }],
		{ authorization: (given) => (lets ?? letIn)(authorization, given) },
	);
	ends.push(
		() => tools.stop(),
		() => authorization.stop(),
	);
	const refused: (string | undefined)[] = [];
	const renew: RenewToken = async (old) => {
		refused.push(old);
		const token = await ask(authorization);
		return token.ok ? succeed({ token: token.value, renewed: 'now' }) : token;
	};
	const bearerToken = token ?? valueOf(await ask(authorization));
	const session = await openRenewing(
		http(tools.endpoint, { bearerToken }),
		(settings) => openSession({ env: process.env })(settings),
		renew,
	);
	const opened = (): McpSession => valueOf(session);
	if (session.ok) ends.unshift(() => session.value.close());
	return { authorization, tools, refused, session, opened, bearerToken };
}

const letIn = (server: AuthorizationServer, given: string | undefined): boolean =>
	server.lets(given);

describe('an access token that the server refuses with HTTP 401', () => {
	test('at a call is renewed once, and the call is made once with the new one', async () => {
		const { authorization, tools, refused, opened, bearerToken } = await protectedServer();
		expect((await opened().callTool(work)).ok).toBe(true);
		authorization.expireTokens();
		expect((await opened().callTool(work)).ok).toBe(true);
		expect(refused).toEqual([bearerToken]);
		expect(tools.calls).toHaveLength(2);
		expect((await opened().callTool(work)).ok).toBe(true);
		expect(refused).toHaveLength(1);
	});

	test('at the opening is renewed, and at each expiry after that', async () => {
		const { authorization, refused, opened } = await protectedServer({ token: 'long-gone' });
		expect(refused).toEqual(['long-gone']);
		for (const round of [2, 3, 4]) {
			expect((await opened().listTools()).ok).toBe(true);
			authorization.expireTokens();
			expect((await opened().callTool(work)).ok).toBe(true);
			expect(refused).toHaveLength(round);
		}
	});

	test('is renewed once for all calls that are refused together', async () => {
		const together = gate(8);
		const { authorization, tools, refused, opened } = await protectedServer({
			answer: async () => {
				await together();
			},
		});
		authorization.expireTokens();
		const answers = await Promise.all(Array.from({ length: 8 }, () => opened().callTool(work)));
		expect(answers.every(({ ok }) => ok)).toBe(true);
		expect(refused).toHaveLength(1);
		expect(tools.initialised()).toBe(2);
	});

	test('that cannot be renewed fails the call, which did not happen, and the next one asks again', async () => {
		const { authorization, tools, refused, opened } = await protectedServer();
		authorization.expireTokens();
		authorization.failTokens(503);
		expect(failureOf(await opened().callTool(work))).toEqual(givesNone);
		authorization.failTokens(undefined);
		expect((await opened().callTool(work)).ok).toBe(true);
		expect(refused).toHaveLength(2);
		expect(tools.calls).toHaveLength(1);
	});
});

test('a renewed token that is refused too is not renewed again, however many calls come', async () => {
	let calls = 'open';
	const { tools, refused, opened } = await protectedServer({
		answer: () => (calls === 'open' ? undefined : refusal(401)),
	});
	calls = 'closed';
	for (let n = 0; n < 5; n++) {
		expect(failureOf(await opened().callTool(work))).toMatchObject({
			code: 'unauthorized',
			disposition: 'did-not-happen',
			evidence: { httpStatus: 401 },
			remedy: expect.stringContaining('connect it again') as string,
		});
	}
	expect(refused).toHaveLength(1);
	expect(tools.calls).toHaveLength(6);
});

test('a server that refuses every token fails the opening after one renewal', async () => {
	const { session, refused } = await protectedServer({ lets: () => false });
	expect(failureOf(session)).toMatchObject({ code: 'unauthorized', stage: 'initialise' });
	expect(refused).toHaveLength(1);
});

test('HTTP 403 says what the account may not do, and renews nothing', async () => {
	const { refused, opened } = await protectedServer({ answer: () => refusal(403) });
	expect(failureOf(await opened().callTool(work))).toMatchObject({
		code: 'unauthorized',
		evidence: { httpStatus: 403 },
		remedy: expect.stringContaining('scope') as string,
	});
	expect(refused).toEqual([]);
});

test('the session of the last token is deleted at the end', async () => {
	const { authorization, tools, opened } = await protectedServer();
	authorization.expireTokens();
	await opened().callTool(work);
	expect([tools.initialised(), tools.open()]).toEqual([2, 2]);
	await opened().close();
	// The other one belongs to a token that the server lets do nothing any more.
	expect(tools.open()).toBe(1);
});
