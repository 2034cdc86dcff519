import type { ConnectionSettings } from '../../src/call/connectionSettings';
import { openRenewing, type RenewToken } from '../../src/call/renewingSession';
import type { McpSession } from '../../src/call/session';
import type { EgressFilter } from '../../src/mcp/egressFilter';
import { openSession } from '../../src/mcp/openSession';
import type { PlainObject } from '../../src/json/plainObject';
import { type Connection, readConnection } from '../../src/n8n/readConnection';
import { type Result, succeed } from '../../src/outcome/failure';
import { type DescribedTool, describeTools } from '../../src/policy/describeTool';
import { findUnofferedRows, type UnofferedRows } from '../../src/policy/unofferedRows';
import type { NodeCredential } from './nodeCredential';

/** A connection that was opened and listed, its tools under the operator's policy. */
export interface OpenedConnection {
	readonly connection: Connection;
	readonly session: McpSession;
	/** The operator's name for the server, or the server's own. */
	readonly serverName: string;
	readonly tools: readonly DescribedTool[];
	/** Rows of Tool Policies that are for no tool of the server (E8). */
	readonly unoffered: UnofferedRows;
}

/** Where the session comes from. Never rejects. */
export type Opener = (
	connection: Connection,
	signal: AbortSignal | undefined,
	/** The same settings with an access token that was refused, whose session may go on. */
	insteadOf?: ConnectionSettings,
) => Promise<Result<McpSession>>;

/** Opens again what may open at another attempt, within the connection's time in milliseconds. */
export type Persist = <T>(
	maxDurationMs: number,
	open: (signal: AbortSignal | undefined) => Promise<Result<T>>,
) => Promise<Result<T>>;

export interface Opening {
	/** A session of its own unless told otherwise. */
	readonly opener?: Opener;
	readonly persist?: Persist;
	/** What the server gets when it asks in the middle of a call (C12). */
	readonly presetAnswers?: PlainObject | undefined;
	/** The operator's, where the host offers one (C6); a pool's opener has its own. */
	readonly egressFilter?: EgressFilter | undefined;
	readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the credential, connects, initialises and lists; once, or as `persist` says. Never rejects; closes what it opened
 * when a step fails.
 */
export async function openConnection(
	{ data, renew }: NodeCredential,
	{ opener, persist, presetAnswers, egressFilter, signal }: Opening = {},
): Promise<Result<OpenedConnection>> {
	const connection = readConnection(data, presetAnswers);
	if (!connection.ok) return connection;
	const { maxDurationMs } = connection.value.settings;
	const open = renewing(opener ?? ownSession(egressFilter), renew);
	return persist === undefined
		? await openOnce(connection.value, open, signal)
		: await persist(maxDurationMs, (until) => openOnce(connection.value, open, until));
}

const ownSession =
	(egressFilter: EgressFilter | undefined): Opener =>
	({ settings }, signal) =>
		openSession({ env: process.env })(settings, signal, egressFilter);

/** The same, and over it a session for each access token that the server takes. */
const renewing = (opener: Opener, renew: RenewToken | undefined): Opener =>
	renew === undefined
		? opener
		: (connection, signal) => {
				const open = (settings: ConnectionSettings, insteadOf?: ConnectionSettings) =>
					opener({ ...connection, settings }, signal, insteadOf);
				return openRenewing({ ...connection.settings, renewable: true }, open, renew);
			};

async function openOnce(
	connection: Connection,
	opener: Opener,
	signal: AbortSignal | undefined,
): Promise<Result<OpenedConnection>> {
	const { settings, policy } = connection;
	const session = await opener(connection, signal);
	if (!session.ok) return session;
	const listing = await session.value.listTools(signal);
	if (!listing.ok) {
		await session.value.close();
		return listing;
	}
	return succeed({
		connection,
		session: session.value,
		serverName: settings.serverName ?? session.value.server.name,
		tools: describeTools(listing.value, policy, connection.namespace),
		unoffered: findUnofferedRows(policy, listing.value),
	});
}

/** Opens a connection of its own for one look and closes it again. */
export async function withConnection<T>(
	credential: NodeCredential,
	look: (opened: OpenedConnection) => T,
	opening: Pick<Opening, 'presetAnswers' | 'egressFilter'>,
): Promise<Result<T>> {
	const opened = await openConnection(credential, opening);
	if (!opened.ok) return opened;
	try {
		return succeed(look(opened.value));
	} finally {
		await opened.value.session.close();
	}
}
