import { fail, type Failure, type Result, succeed } from '../outcome/failure';
import type { ConnectionSettings } from './connectionSettings';
import type { McpSession } from './session';

/** Gives another access token than the refused one, or says why there is none. Never rejects. */
export type RenewToken = (refused: string | undefined) => Promise<Result<RenewedToken>>;

export interface RenewedToken {
	readonly token: string;
	/**
	 * `now` when the authorization server has just given it instead of the refused one, `by-another` when it has just given it to
	 * somebody else; `before` may have been so long ago that it has run out as well. The last two may be another person's.
	 */
	readonly renewed: 'now' | 'by-another' | 'before';
}

interface Held {
	readonly session: McpSession;
	readonly token: string | undefined;
	/** The authorization server gave it when it was asked to, so that another one would fare no better. */
	readonly isNew: boolean;
	answered: boolean;
}

/** Tokens that are tried in the place of a refused one: one that somebody else renewed before, and a new one. */
const MOST = 2;

/**
 * Opens a session whose access token is renewed when the server refuses it. HTTP 401 says that nothing ran, so the refused
 * request is sent again, over what `open` gives for the new token instead of the refused one; whatever finds its token refused
 * meanwhile shares that. For one request the authorization server is asked once at most.
 */
export async function openRenewing(
	settings: ConnectionSettings,
	open: (
		settings: ConnectionSettings,
		insteadOf?: ConnectionSettings,
	) => Promise<Result<McpSession>>,
	renew: RenewToken,
): Promise<Result<McpSession>> {
	const everHeld: Held[] = [];
	let replacing: Promise<Result<Held>> | undefined;

	const openWith = async (
		token: string | undefined,
		isNew: boolean,
		left: number,
		insteadOf?: ConnectionSettings,
	): Promise<Result<Held>> => {
		const opened = await open(withToken(settings, token), insteadOf);
		if (opened.ok) {
			const held: Held = { session: opened.value, token, isNew, answered: false };
			everHeld.push(held);
			return succeed(held);
		}
		return !isNew && left > 0 && isRefusedToken(opened.failure)
			? await openRenewed(token, left)
			: fail(explain(opened.failure));
	};
	const openRenewed = async (refused: string | undefined, left: number): Promise<Result<Held>> => {
		const given = await renew(refused);
		if (!given.ok) return given;
		const { token, renewed } = given.value;
		// A session goes on with a token of the same grant alone.
		const insteadOf = renewed === 'now' ? withToken(settings, refused) : undefined;
		return await openWith(token, renewed !== 'before', left - 1, insteadOf);
	};

	const first = await openWith(tokenOf(settings), false, MOST);
	if (!first.ok) return first;
	let held = first.value;

	const replace = async (refused: Held): Promise<Result<Held>> => {
		const opened = await openRenewed(refused.token, MOST);
		replacing = undefined;
		if (opened.ok) held = opened.value;
		return opened;
	};
	const replaced = async (refused: Held): Promise<Result<Held>> => {
		if (held !== refused) return succeed(held);
		replacing ??= replace(refused);
		return await replacing;
	};
	const send = async <T>(
		used: Held,
		request: (session: McpSession) => Promise<Result<T>>,
	): Promise<Result<T>> => {
		const answer = await request(used.session);
		if (!answer.ok) return fail(explain(answer.failure));
		used.answered = true;
		return answer;
	};
	const through = async <T>(
		request: (session: McpSession) => Promise<Result<T>>,
	): Promise<Result<T>> => {
		let used = held;
		for (let tried = 0; ; tried++) {
			const answer = await send(used, request);
			if (answer.ok || !isRefusedToken(answer.failure)) return answer;
			if (tried === MOST || (tried > 0 && used.isNew)) return answer;
			if (held === used && used.isNew && !used.answered) return answer;
			const renewed = await replaced(used);
			if (!renewed.ok) return renewed;
			used = renewed.value;
		}
	};

	return succeed({
		server: held.session.server,
		protocolVersion: held.session.protocolVersion,
		isOpen: () => held.session.isOpen(),
		listTools: (signal) => through((session) => session.listTools(signal)),
		callTool: (request, signal) => through((session) => session.callTool(request, signal)),
		async close() {
			await replacing;
			await Promise.all(everHeld.map(({ session }) => session.close()));
		},
	});
}

const isRefusedToken = ({ code, evidence }: Failure): boolean =>
	code === 'unauthorized' && evidence?.httpStatus === 401;

/** Nobody enters an access token, so there is no field to check. */
const explain = (failure: Failure): Failure =>
	failure.code === 'unauthorized'
		? {
				...failure,
				remedy:
					'Check the scope and the resource of the credential, and connect it again with an account that the server lets in.',
			}
		: failure;

const tokenOf = ({ transport }: ConnectionSettings): string | undefined =>
	transport.kind === 'streamableHttp' ? transport.bearerToken : undefined;

const withToken = (settings: ConnectionSettings, token: string | undefined): ConnectionSettings =>
	settings.transport.kind === 'stdio' || token === undefined
		? settings
		: { ...settings, transport: { ...settings.transport, bearerToken: token } };
