import { reopeningSession } from '../../src/call/reopeningSession';
import type { McpSession } from '../../src/call/session';
import type { EgressFilter } from '../../src/mcp/egressFilter';
import { openSession } from '../../src/mcp/openSession';
import { type Connection, readConnection } from '../../src/n8n/readConnection';
import { type Result, succeed } from '../../src/outcome/failure';
import { type DescribedTool, describeTool } from '../../src/policy/describeTool';
import { findUnofferedRows, type UnofferedRows } from '../../src/policy/unofferedRows';

/** A connection that was opened and listed, its tools under the operator's policy. */
export interface OpenedConnection {
	readonly connection: Connection;
	/** Opens again once it has closed or was lost. */
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

export interface Opening {
	readonly egressFilter: EgressFilter | undefined;
	readonly persist?: Persist | undefined;
	readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the credential, connects, initialises and lists; once, or as `persist` says. Never rejects; closes what it opened
 * when a step fails.
 */
export async function openConnection(
	credential: unknown,
	opening: Opening,
): Promise<Result<OpenedConnection>> {
	const connection = readConnection(credential);
	if (!connection.ok) return connection;
	const { maxDurationMs } = connection.value.settings;
	const { persist } = opening;
	return persist === undefined
		? await openOnce(connection.value, opening)
		: await persist(maxDurationMs, (signal) => openOnce(connection.value, { ...opening, signal }));
}

async function openOnce(
	connection: Connection,
	{ egressFilter, signal }: Opening,
): Promise<Result<OpenedConnection>> {
	const { settings, policy } = connection;
	const open = openSession({ env: process.env, egressFilter });
	const session = await open(settings, signal);
	if (!session.ok) return session;
	const listing = await session.value.listTools(signal);
	if (!listing.ok) {
		await session.value.close();
		return listing;
	}
	return succeed({
		connection,
		session: reopeningSession(session.value, () => open(settings, signal)),
		serverName: settings.serverName ?? session.value.server.name,
		tools: listing.value.map((tool) => describeTool(tool, policy)),
		unoffered: findUnofferedRows(policy, listing.value),
	});
}

/** Opens a connection for one look and closes it again. */
export async function withConnection<T>(
	credential: unknown,
	look: (opened: OpenedConnection) => T,
	egressFilter: EgressFilter | undefined,
): Promise<Result<T>> {
	const opened = await openConnection(credential, { egressFilter });
	if (!opened.ok) return opened;
	try {
		return succeed(look(opened.value));
	} finally {
		await opened.value.session.close();
	}
}
