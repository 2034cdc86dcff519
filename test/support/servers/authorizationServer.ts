import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A client that somebody registered, over the registration endpoint or by hand. */
export interface RegisteredClient {
	readonly id: string;
	/** Absent for a public client. */
	readonly secret?: string;
	readonly redirectUris: readonly string[];
}

export interface AuthorizationServer {
	readonly issuer: string;
	readonly authorizationEndpoint: string;
	readonly tokenEndpoint: string;
	readonly clients: readonly RegisteredClient[];
	/** Every request for a token: its grant type, and what was answered. */
	readonly grants: readonly string[];
	/** The resources that tokens were asked for, in the order of asking. */
	readonly resources: readonly string[];
	addClient(client: RegisteredClient): void;
	/** Tokens for a client, as after a person's consent. */
	consent(clientId: string): Tokens;
	/** Whether an Authorization header carries a token that is good now. */
	readonly lets: (authorization: string | undefined) => boolean;
	/** Every access token given so far is good no more. */
	expireTokens(): void;
	/** Every refresh token given so far is good no more. */
	revokeRefreshTokens(): void;
	/** From now on the token endpoint answers with this status, or again as it should. */
	failTokens(status: number | undefined): void;
	/** From now on what the token endpoint answers is decided at once, and leaves when this lets it. */
	holdAnswers(hold: () => Promise<unknown>): void;
	stop(): Promise<void>;
}

/**
 * What a refresh token is good for: once, once and its second use costs every token that came of the same consent, or as often
 * as anybody likes, and then no new one is given.
 */
export type RefreshTokens = 'once' | 'once-or-revoked' | 'reusable';

export interface Tokens {
	readonly access_token: string;
	readonly refresh_token: string;
}

/** One consent of a person, or one client, and the tokens that came of it. */
interface Grant {
	readonly clientId: string;
	readonly accessTokens: Set<string>;
	readonly refreshTokens: Set<string>;
	readonly used: Set<string>;
}

interface Code {
	readonly clientId: string;
	readonly redirectUri: string;
	readonly challenge: string;
}

interface Answer {
	readonly status: number;
	readonly body?: unknown;
	readonly location?: string;
}

/**
 * An OAuth 2.1 authorization server on a free port of 127.0.0.1: metadata, dynamic registration, authorization code with PKCE
 * (S256 and nothing else), refresh tokens that are good once unless told otherwise, client credentials. Whoever comes to its
 * authorization endpoint has signed in and agrees.
 */
export async function startAuthorizationServer(
	kind: RefreshTokens = 'once',
): Promise<AuthorizationServer> {
	const clients: RegisteredClient[] = [];
	const codes = new Map<string, Code>();
	const given: Grant[] = [];
	const grants: string[] = [];
	const resources: string[] = [];
	let failure: number | undefined;
	let hold: () => Promise<unknown> = () => Promise.resolve();

	const metadata = (): Answer => ({
		status: 200,
		body: {
			issuer,
			authorization_endpoint: `${issuer}/authorize`,
			token_endpoint: `${issuer}/token`,
			registration_endpoint: `${issuer}/register`,
			response_types_supported: ['code'],
			grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
			token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
			code_challenge_methods_supported: ['S256'],
			scopes_supported: ['tools'],
		},
	});

	const register = (body: string): Answer => {
		const { redirect_uris: redirectUris } = JSON.parse(body) as { redirect_uris: string[] };
		const client: RegisteredClient = { id: `client-${randomUUID()}`, redirectUris };
		clients.push(client);
		return { status: 201, body: { client_id: client.id, redirect_uris: redirectUris } };
	};

	const authorize = (asked: URLSearchParams): Answer => {
		const client = clients.find(({ id }) => id === asked.get('client_id'));
		const redirectUri = asked.get('redirect_uri') ?? '';
		if (client?.redirectUris.includes(redirectUri) !== true) return refused('invalid_client');
		const challenge = asked.get('code_challenge') ?? '';
		if (challenge === '' || asked.get('code_challenge_method') !== 'S256')
			return refused('invalid_request');
		const code = randomUUID();
		codes.set(code, { clientId: client.id, redirectUri, challenge });
		const back = new URL(redirectUri);
		back.searchParams.set('code', code);
		back.searchParams.set('state', asked.get('state') ?? '');
		return { status: 302, location: back.href };
	};

	const newGrant = (clientId: string): Grant => {
		const grant: Grant = {
			clientId,
			accessTokens: new Set(),
			refreshTokens: new Set(),
			used: new Set(),
		};
		given.push(grant);
		return grant;
	};

	const newTokens = (grant: Grant): Tokens => {
		const tokens = {
			access_token: `access-${randomUUID()}`,
			refresh_token: `refresh-${randomUUID()}`,
		};
		grant.accessTokens.add(tokens.access_token);
		grant.refreshTokens.add(tokens.refresh_token);
		return tokens;
	};

	const give = (grant: Grant, withRefreshToken: boolean): Answer => {
		const { access_token, refresh_token } = newTokens(grant);
		return {
			status: 200,
			body: {
				access_token,
				token_type: 'Bearer',
				expires_in: 3600,
				...(withRefreshToken ? { refresh_token } : {}),
			},
		};
	};

	const renew = (client: RegisteredClient, token: string): Answer => {
		const own = given.filter(({ clientId }) => clientId === client.id);
		const grant = own.find(({ refreshTokens }) => refreshTokens.has(token));
		if (grant === undefined) {
			const reused = own.find(({ used }) => used.has(token));
			if (kind === 'once-or-revoked') forget(reused);
			return refused('invalid_grant');
		}
		if (kind === 'reusable') return give(grant, false);
		grant.refreshTokens.delete(token);
		grant.used.add(token);
		return give(grant, true);
	};

	const exchange = (client: RegisteredClient, asked: URLSearchParams): Answer => {
		switch (asked.get('grant_type')) {
			case 'authorization_code': {
				const code = codes.get(asked.get('code') ?? '');
				codes.delete(asked.get('code') ?? '');
				const verifier = asked.get('code_verifier') ?? '';
				const fits =
					code?.clientId === client.id &&
					code.redirectUri === asked.get('redirect_uri') &&
					code.challenge === createHash('sha256').update(verifier).digest('base64url');
				return fits ? give(newGrant(client.id), true) : refused('invalid_grant');
			}
			case 'refresh_token':
				return renew(client, asked.get('refresh_token') ?? '');
			case 'client_credentials':
				return client.secret === undefined
					? refused('unauthorized_client')
					: give(newGrant(client.id), false);
			default:
				return refused('unsupported_grant_type');
		}
	};

	const token = (asked: URLSearchParams, authorization: string | undefined): Answer => {
		const grant = asked.get('grant_type') ?? '';
		const answered = (answer: Answer): Answer => {
			grants.push(`${grant} ${String(answer.status)}`);
			return answer;
		};
		const resource = asked.get('resource');
		if (resource !== null) resources.push(resource);
		if (failure !== undefined) return answered({ status: failure });
		const [id, secret] = clientOf(asked, authorization);
		const client = clients.find((known) => known.id === id && known.secret === secret);
		return answered(
			client === undefined ? refused('invalid_client', 401) : exchange(client, asked),
		);
	};

	const handle = async (request: IncomingMessage): Promise<Answer> => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
		switch (`${String(request.method)} ${pathname}`) {
			case 'GET /.well-known/oauth-authorization-server':
				return metadata();
			case 'POST /register':
				return register(await readAll(request));
			case 'GET /authorize':
				return authorize(searchParams);
			case 'POST /token': {
				const asked = new URLSearchParams(await readAll(request));
				const answer = token(asked, request.headers.authorization);
				await hold();
				return answer;
			}
			default:
				return { status: 404 };
		}
	};

	const server = createServer((request, response) => {
		handle(request).then(
			(answer) => {
				send(response, answer);
			},
			() => response.destroy(),
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
	return {
		issuer,
		authorizationEndpoint: `${issuer}/authorize`,
		tokenEndpoint: `${issuer}/token`,
		clients,
		grants,
		resources,
		addClient: (client) => {
			clients.push(client);
		},
		consent: (clientId) => newTokens(newGrant(clientId)),
		lets: (authorization) => {
			const [, token = ''] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
			return given.some(({ accessTokens }) => accessTokens.has(token));
		},
		expireTokens: () => {
			for (const { accessTokens } of given) accessTokens.clear();
		},
		revokeRefreshTokens: () => {
			for (const { refreshTokens } of given) refreshTokens.clear();
		},
		failTokens: (status) => {
			failure = status;
		},
		holdAnswers: (held) => {
			hold = held;
		},
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

function forget(grant: Grant | undefined): void {
	grant?.accessTokens.clear();
	grant?.refreshTokens.clear();
}

/** Id and secret, from the Basic header or the body. */
function clientOf(
	asked: URLSearchParams,
	authorization: string | undefined,
): readonly [string | undefined, string | undefined] {
	const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1];
	if (basic !== undefined) {
		const [id, secret] = Buffer.from(basic, 'base64').toString('utf8').split(':');
		return [id, secret];
	}
	return [asked.get('client_id') ?? undefined, asked.get('client_secret') ?? undefined];
}

const refused = (error: string, status = 400): Answer => ({ status, body: { error } });

function send(response: ServerResponse, { status, body, location }: Answer): void {
	response.writeHead(status, {
		...(body === undefined ? {} : { 'content-type': 'application/json' }),
		...(location === undefined ? {} : { location }),
	});
	response.end(body === undefined ? '' : JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}
