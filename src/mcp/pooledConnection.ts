import type { ConnectionSettings } from '../call/connectionSettings';
import type { McpSession } from '../call/session';
import { fail, type FailureCode, type Result, succeed } from '../outcome/failure';
import type { ListedTool } from '../policy/tool';
import { afterTheEnd, cancelledConnecting, cancelledWhile, noTurn } from './poolFailures';
import type { ServerSession } from './session';
import { together } from './together';
import { createTurns } from './turns';

/** What the pool decides for all its connections. */
export interface SharingRules {
	/** Requests under way on one connection at once; further ones wait their turn. */
	readonly atOnce: number;
	/** A connection that nothing has used for so long is asked for a sign of life before it is used again. */
	readonly checkAfterMs: number;
	/** How long that sign may take. */
	readonly checkLimitMs: number;
	/** How old a listing may be that is used again: of a child that announces changes, and of any other server. */
	readonly listingAgeMs: { readonly announced: number; readonly other: number };
}

export interface PooledConnectionOptions extends SharingRules {
	readonly settings: ConnectionSettings;
	/** May take long; the session's close may too. */
	readonly open: (
		settings: ConnectionSettings,
		signal: AbortSignal,
	) => Promise<Result<ServerSession>>;
	/** Called whenever the last user of the moment has gone. */
	readonly onUnused: () => void;
}

/** One connection of the pool: opened at its first use, shared by all who hold a lease, opened again when it was lost. */
export interface PooledConnection {
	/** Opens unless it is open. The lease is a session; its close gives the lease back and leaves the connection open. */
	lease(listing: ListingChoice, signal: AbortSignal | undefined): Promise<Result<McpSession>>;
	/** How it stands: `busy` while a request is under way or wants to be, `leased` while somebody may come back. */
	use(): Use;
	/** True while there is a session that the next request would use. */
	isHeld(): boolean;
	/** By `performance.now()`. */
	lastUsedMs(): number;
	/** Goes on under settings that differ in the access token alone; false when no session is open that could. */
	reauthorize(settings: ConnectionSettings): boolean;
	/** Takes the open session out of use: it closes now, or after its last request. */
	retire(): void;
	/** Closes at once whatever is open, requests under way included. */
	close(): Promise<void>;
}

export type Use = 'busy' | 'leased' | 'unused';

/** `recent` may use a listing that somebody else asked for a moment ago. */
export type ListingChoice = 'recent' | 'anew';

interface Held {
	readonly session: ServerSession;
	/** Takes no more requests and closes after its last one. */
	retired: boolean;
	underWay: number;
	/** True once a request was answered on it. */
	proven: boolean;
	/** Counts the access tokens. */
	token: number;
	/** True from a new access token on until a request was answered with it: the server may not let it into the session. */
	onTrial: boolean;
	/** True since a request on it was given up, or broke, without an answer. */
	doubtful: boolean;
	usedMs: number;
	listing?: {
		readonly tools: readonly ListedTool[];
		readonly version: number;
		readonly atMs: number;
	};
}

const ANSWERS_OF_HTTP: readonly (FailureCode | undefined)[] = ['unauthorized', 'http-refused'];

/**
 * Nothing is sent twice: a request that failed has failed, and the next one finds another session. A session that the server
 * forgot keeps the requests that are under way on it. What goes wrong with an opening is told to all who waited for it.
 */
export function pooledConnection(options: PooledConnectionOptions): PooledConnection {
	const { atOnce, onUnused } = options;
	let { settings } = options;
	const turns = createTurns(atOnce);
	const everHeld = new Set<Held>();
	let current: Held | undefined;
	let wanting = 0;
	let leases = 0;
	let usedMs = performance.now();

	const closeHeld = async (held: Held): Promise<void> => {
		await held.session.close();
		everHeld.delete(held);
	};
	const retire = (held: Held): void => {
		held.retired = true;
		if (current === held) current = undefined;
		if (held.underWay === 0) void closeHeld(held);
	};

	const openTogether = together<Held>(async (signal) => {
		const opened = await options.open(settings, signal);
		if (!opened.ok) return opened;
		const session = opened.value;
		const held: Held = {
			session,
			retired: false,
			underWay: 0,
			proven: false,
			token: 1,
			onTrial: false,
			doubtful: false,
			usedMs: performance.now(),
		};
		everHeld.add(held);
		// Nobody waits any more, and another opening may have begun.
		if (signal.aborted) {
			retire(held);
			return fail(cancelledConnecting);
		}
		current = held;
		return succeed(held);
	}, cancelledConnecting);

	const checkTogether = together<undefined>(async () => {
		const held = current;
		if (held === undefined) return succeed(undefined);
		const answers = await held.session.isAnswering(options.checkLimitMs);
		held.usedMs = performance.now();
		held.doubtful = false;
		if (!answers) retire(held);
		return succeed(undefined);
	}, cancelledConnecting);

	const needsCheck = ({ doubtful, underWay, usedMs: lastMs }: Held): boolean =>
		doubtful || (underWay === 0 && performance.now() - lastMs >= options.checkAfterMs);

	/** A session to send on. Only for whoever is counted as wanting one, so that it is not closed meanwhile. */
	const ensure = async (signal: AbortSignal | undefined): Promise<Result<Held>> => {
		let checked: Held | undefined;
		for (;;) {
			if (current?.session.isOpen() === false) retire(current);
			const held = current;
			if (held === undefined) return await openTogether(signal);
			if (held === checked || !needsCheck(held)) return succeed(held);
			const checking = await checkTogether(signal);
			if (!checking.ok) return checking;
			checked = held;
		}
	};

	const wantingOne = async <T>(work: () => Promise<T>): Promise<T> => {
		wanting += 1;
		try {
			return await work();
		} finally {
			wanting -= 1;
			usedMs = performance.now();
			if (wanting === 0) onUnused();
		}
	};

	const sendOn = async <T>(
		held: Held,
		send: (held: Held) => Promise<Result<T>>,
	): Promise<Result<T>> => {
		held.underWay += 1;
		const { token } = held;
		const answer = await send(held).finally(() => {
			held.underWay -= 1;
			held.usedMs = performance.now();
		});
		held.proven ||= answer.ok;
		const code = answer.ok ? undefined : answer.failure.code;
		held.doubtful ||= code === 'timed-out' || code === 'cancelled' || code === 'connection-lost';
		// What was sent with the token of before says nothing of this one.
		const isTried = held.onTrial && token === held.token;
		if (isTried && answer.ok) held.onTrial = false;
		const isNotLetIn = isTried && ANSWERS_OF_HTTP.includes(code);
		if (held.retired || code === 'session-lost' || isNotLetIn || !held.session.isOpen())
			retire(held);
		return answer;
	};

	const request = async <T>(
		signal: AbortSignal | undefined,
		send: (held: Held) => Promise<Result<T>>,
	): Promise<Result<T>> =>
		await wantingOne(async () => {
			const turn = await turns.take(settings.maxDurationMs, signal);
			if (turn === 'cancelled') return fail(cancelledConnecting);
			if (turn === 'over') return fail(noTurn(atOnce, settings.maxDurationMs));
			try {
				const ensured = await ensure(signal);
				return ensured.ok ? await sendOn(ensured.value, send) : ensured;
			} finally {
				turns.give();
			}
		});

	/** Lists anew; once more over another session when one from before turns out to be gone, since a listing does nothing. */
	const listAnew = async (
		signal: AbortSignal | undefined,
	): Promise<Result<readonly ListedTool[]>> => {
		let isGone: () => boolean = () => false;
		const list = async (held: Held): Promise<Result<readonly ListedTool[]>> => {
			const { proven } = held;
			isGone = () => proven && held.retired;
			const version = held.session.listVersion();
			const atMs = performance.now();
			const listed = await held.session.listTools(signal);
			if (listed.ok) held.listing = { tools: listed.value, version, atMs };
			return listed;
		};
		const listed = await request(signal, list);
		return listed.ok || !isGone() ? listed : await request(signal, list);
	};
	const sharedListing = () => together(listAnew, cancelledWhile('Listing the tools', 'list'));
	let listTogether = sharedListing();

	const recentListing = (): readonly ListedTool[] | undefined => {
		if (current?.listing === undefined || !current.session.isOpen() || needsCheck(current)) return;
		const { session, listing } = current;
		const { announced, other } = options.listingAgeMs;
		const heard = session.announcesTools && settings.transport.kind === 'stdio';
		const fresh = performance.now() - listing.atMs < (heard ? announced : other);
		return fresh && listing.version === session.listVersion() ? listing.tools : undefined;
	};

	const leaseOn = ({ session }: Held, listing: ListingChoice): McpSession => {
		let given = false;
		const unlessGiven = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
			given ? fail(afterTheEnd) : await work();
		return {
			server: session.server,
			protocolVersion: session.protocolVersion,
			isOpen: () => !given && current?.session.isOpen() === true,
			listTools: (signal) =>
				unlessGiven(async () => {
					if (listing === 'anew') return await listAnew(signal);
					const recent = recentListing();
					return recent === undefined ? await listTogether(signal) : succeed(recent);
				}),
			callTool: (call, signal) =>
				unlessGiven(() => request(signal, (held) => held.session.callTool(call, signal))),
			close: () => {
				if (!given) {
					given = true;
					leases -= 1;
					if (wanting === 0) onUnused();
				}
				return Promise.resolve();
			},
		};
	};

	return {
		lease: async (listing, signal) =>
			await wantingOne(async () => {
				const ensured = await ensure(signal);
				if (!ensured.ok) return ensured;
				leases += 1;
				return succeed(leaseOn(ensured.value, listing));
			}),
		use: () => (wanting > 0 ? 'busy' : leases > 0 ? 'leased' : 'unused'),
		isHeld: () => current !== undefined,
		lastUsedMs: () => usedMs,
		reauthorize: (next) => {
			if (current?.session.reauthorize(next) !== true) return false;
			current.token += 1;
			current.onTrial = true;
			// One that is under way may be refused for the token of before.
			listTogether = sharedListing();
			settings = next;
			return true;
		},
		retire: () => {
			if (current !== undefined) retire(current);
		},
		close: async () => {
			current = undefined;
			await Promise.all([...everHeld].map(closeHeld));
		},
	};
}
