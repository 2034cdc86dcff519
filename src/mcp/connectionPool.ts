import { randomUUID } from 'node:crypto';

import type { ConnectionSettings } from '../call/connectionSettings';
import type { McpSession } from '../call/session';
import { fail, type Result, succeed } from '../outcome/failure';
import { connectionKey } from './connectionKey';
import type { EgressFilter } from './egressFilter';
import type { OpenServerSession } from './openSession';
import {
	type ListingChoice,
	type PooledConnection,
	pooledConnection,
	type SharingRules,
} from './pooledConnection';
import { cancelledConnecting, noPlace } from './poolFailures';
import type { ServerSession } from './session';
import { createTurns } from './turns';

export interface PoolRules extends SharingRules {
	/** Connections that may be open at once. */
	readonly most: number;
	/** How long an open connection that nobody holds a lease on is kept. */
	readonly idleMs: number;
}

export interface LeaseRequest {
	readonly settings: ConnectionSettings;
	/** The same with the access token that was refused: its open connection goes on with that of `settings`. */
	readonly insteadOf?: ConnectionSettings | undefined;
	readonly listing: ListingChoice;
	/** The host's own, which is one for the process. */
	readonly egressFilter?: EgressFilter | undefined;
	/** Who alone may use the connection: one execution, from its start or resume on. Absent: everybody. */
	readonly owner?: object | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** The connections of one process, one for each settings (C9). */
export interface ConnectionPool {
	/** A session over the connection for the settings; its close gives it back. Never rejects. */
	lease(request: LeaseRequest): Promise<Result<McpSession>>;
	/** Closes the connections of an owner, each after its last request. */
	end(owner: object): void;
	/** From now on nothing is kept that is not in use: n8n is about to end. */
	drain(): void;
	/** Drains, and closes what is in use too. */
	close(): Promise<void>;
}

interface Entry {
	key: string;
	readonly connection: PooledConnection;
	readonly owner: object | undefined;
	idle?: NodeJS.Timeout;
}

/**
 * A pool that opens with `open`. When as many connections are open as may be, the one that has been without a request for
 * the longest makes room, but never one that belongs to an execution; whoever finds none waits.
 */
export function createConnectionPool(open: OpenServerSession, rules: PoolRules): ConnectionPool {
	const entries = new Map<string, Entry>();
	const places = createTurns(rules.most);
	const closings = new Set<Promise<void>>();
	const names = new WeakMap<object, string>();
	let draining = false;

	const mayMakeRoom = ({ connection, owner }: Entry): boolean =>
		owner === undefined && connection.isHeld() && connection.use() !== 'busy';

	const makeRoom = (): void => {
		const [longest] = [...entries.values()]
			.filter(mayMakeRoom)
			.sort((one, other) => one.connection.lastUsedMs() - other.connection.lastUsedMs());
		longest?.connection.retire();
	};

	const openInPlace = async (
		settings: ConnectionSettings,
		egressFilter: EgressFilter | undefined,
		signal: AbortSignal,
	): Promise<Result<ServerSession>> => {
		if (!places.hasFree()) makeRoom();
		const place = await places.take(settings.requestTimeoutMs, signal);
		if (place === 'cancelled') return fail(cancelledConnecting);
		if (place === 'over') return fail(noPlace(rules.most, settings.requestTimeoutMs));
		const opened = await open(settings, signal, egressFilter);
		if (!opened.ok) {
			places.give();
			return opened;
		}
		const session = opened.value;
		let closing: Promise<void> | undefined;
		const close = async (): Promise<void> => {
			await session.close();
			places.give();
		};
		return succeed({
			...session,
			close: () => {
				closing ??= followed(close());
				return closing;
			},
		});
	};

	/** Known to the pool's own close until it is done. */
	const followed = (closing: Promise<void>): Promise<void> => {
		const done = closing.finally(() => closings.delete(done));
		closings.add(done);
		return done;
	};

	const settle = (entry: Entry): void => {
		clearTimeout(entry.idle);
		const { connection } = entry;
		const use = connection.use();
		if (use === 'busy') return;
		const isKept = use === 'leased' || (!draining && rules.idleMs > 0);
		if (!isKept || (places.waiting() > 0 && mayMakeRoom(entry))) connection.retire();
		if (use === 'leased') return;
		if (connection.isHeld()) {
			entry.idle = setTimeout(() => {
				// Somebody who has just come settles again on leaving.
				if (connection.use() !== 'unused') return;
				connection.retire();
				settle(entry);
			}, rules.idleMs).unref();
		} else if (entries.get(entry.key) === entry) entries.delete(entry.key);
	};

	const nameOf = (owner: object): string => {
		const name = names.get(owner) ?? randomUUID();
		names.set(owner, name);
		return name;
	};

	const keyOf = (settings: ConnectionSettings, owner: object | undefined): string =>
		connectionKey(settings, owner === undefined ? undefined : nameOf(owner));

	/** The open connection of the refused access token, for the new one from now on. */
	const goOn = ({ settings, insteadOf, owner }: LeaseRequest, key: string): Entry | undefined => {
		if (insteadOf === undefined) return undefined;
		const entry = entries.get(keyOf(insteadOf, owner));
		if (entry?.connection.reauthorize(settings) !== true) return undefined;
		entries.delete(entry.key);
		entry.key = key;
		entries.set(key, entry);
		return entry;
	};

	const entryFor = (request: LeaseRequest): Entry => {
		const { settings, owner, egressFilter } = request;
		const key = keyOf(settings, owner);
		const known = entries.get(key) ?? goOn(request, key);
		if (known !== undefined) return known;
		const entry: Entry = {
			key,
			owner,
			connection: pooledConnection({
				...rules,
				settings,
				open: (current, signal) => openInPlace(current, egressFilter, signal),
				onUnused: () => {
					settle(entry);
				},
			}),
		};
		entries.set(key, entry);
		return entry;
	};

	const drain = (): void => {
		draining = true;
		for (const entry of entries.values()) settle(entry);
	};

	return {
		lease: async (request) =>
			await entryFor(request).connection.lease(request.listing, request.signal),
		end(owner) {
			for (const entry of entries.values()) {
				if (entry.owner !== owner) continue;
				entry.connection.retire();
				settle(entry);
			}
		},
		drain,
		async close() {
			drain();
			await Promise.all([...entries.values()].map(({ connection }) => connection.close()));
			await Promise.all(closings);
		},
	};
}
