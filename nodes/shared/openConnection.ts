import type { ConnectionSettings } from '../../src/call/connectionSettings';
import { openRenewing, type RenewToken } from '../../src/call/renewingSession';
import { reopeningSession } from '../../src/call/reopeningSession';
import type { McpSession } from '../../src/call/session';
import { openSession } from '../../src/mcp/openSession';
import { type Connection, readConnection } from '../../src/n8n/readConnection';
import { type Result, succeed } from '../../src/outcome/failure';
import { type DescribedTool, describeTool } from '../../src/policy/describeTool';
import { findUnofferedRows, type UnofferedRows } from '../../src/policy/unofferedRows';
import type { NodeCredential } from './nodeCredential';

/** A connection that was opened and listed, its tools under the operator's policy. */
export interface OpenedConnection {
	readonly connection: Connection;
	/** Opens again once it has closed or was lost, or when its access token was renewed. */
	readonly session: McpSession;
	/** The operator's name for the server, or the server's own. */
	readonly serverName: string;
	readonly tools: readonly DescribedTool[];
	/** Rows of Tool Policies that are for no tool of the server (E8). */
	readonly unoffered: UnofferedRows;
}

/** Opens again what may open at another attempt, within the connection's time in milliseconds. */
export type Persist = <T>(
	maxDurationMs: number,
	open: (signal: AbortSignal | undefined) => Promise<Result<T>>,
) => Promise<Result<T>>;

/**
 * Reads the credential, connects, initialises and lists; once, or as `persist` says. Never rejects; closes what it opened
 * when a step fails.
 */
export async function openConnection(
	{ data, renew }: NodeCredential,
	signal?: AbortSignal,
	persist?: Persist,
): Promise<Result<OpenedConnection>> {
	const connection = readConnection(data);
	if (!connection.ok) return connection;
	const { maxDurationMs } = connection.value.settings;
	return persist === undefined
		? await openOnce(connection.value, renew, signal)
		: await persist(maxDurationMs, (until) => openOnce(connection.value, renew, until));
}

async function openOnce(
	connection: Connection,
	renew: RenewToken | undefined,
	signal: AbortSignal | undefined,
): Promise<Result<OpenedConnection>> {
	const { settings, policy } = connection;
	const open = (given: ConnectionSettings) => openReopening(given, signal);
	const session = await (renew === undefined
		? open(settings)
		: openRenewing(settings, open, renew));
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
		tools: listing.value.map((tool) => describeTool(tool, policy)),
		unoffered: findUnofferedRows(policy, listing.value),
	});
}

async function openReopening(
	settings: ConnectionSettings,
	signal: AbortSignal | undefined,
): Promise<Result<McpSession>> {
	const open = openSession({ env: process.env });
	const first = await open(settings, signal);
	return first.ok ? succeed(reopeningSession(first.value, () => open(settings, signal))) : first;
}

/** Opens a connection for one look and closes it again. */
export async function withConnection<T>(
	credential: NodeCredential,
	look: (opened: OpenedConnection) => T,
	signal?: AbortSignal,
): Promise<Result<T>> {
	const opened = await openConnection(credential, signal);
	if (!opened.ok) return opened;
	try {
		return succeed(look(opened.value));
	} finally {
		await opened.value.session.close();
	}
}
