import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

import { createEvidence } from '../../src/mcp/evidence';
import { openSessionOver, type ServerSession } from '../../src/mcp/session';
import { valueOf } from './connections';

/** A session with a server of the SDK in this process, over the SDK's own pair of transports. */
export async function openMemorySession(
	server: McpServer,
	presetAnswers?: Readonly<Record<string, unknown>>,
): Promise<ServerSession> {
	const [near, far] = InMemoryTransport.createLinkedPair();
	await server.connect(far);
	const wire = {
		kind: 'stdio',
		transport: near,
		sent: 'at-hand-over',
		maxMessageBytes: 1024 * 1024,
		connection: 'the MCP server in memory',
		redact: (text: string) => text,
		facts: () => ({}),
		close: () => near.close(),
	} as const;
	return valueOf(
		await openSessionOver(wire, createEvidence(), {
			requestTimeoutMs: 5_000,
			maxDurationMs: 10_000,
			...(presetAnswers === undefined ? {} : { presetAnswers }),
		}),
	);
}
