import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

import { listenHttp } from '../../../examples/demo-server/http.ts';

/** One call that reached the server. */
export interface SeenCall {
	readonly tool: string;
	readonly tag: string;
	readonly meta: Readonly<Record<string, unknown>>;
}

export interface ParkServer {
	readonly endpoint: string;
	/** The calls with this tag, in the order in which they came. */
	readonly calls: (tag: string) => readonly SeenCall[];
	readonly stop: () => Promise<void>;
}

/**
 * Starts an MCP server on a free port of 127.0.0.1 whose tools answer with the result that the
 * call's arguments give: `relay`, a write tool, and `look`, which only reads.
 */
export async function startParkServer(): Promise<ParkServer> {
	const seen: SeenCall[] = [];
	const listening = await listenHttp(0, () => newServer(seen));
	return {
		endpoint: listening.url,
		calls: (tag) => seen.filter((call) => call.tag === tag),
		stop: listening.close,
	};
}

function newServer(seen: SeenCall[]): McpServer {
	const server = new McpServer({ name: 'park server', version: '1.0.0' });
	const inputSchema = { tag: z.string(), result: z.record(z.string(), z.unknown()) };
	for (const [tool, readOnlyHint] of [
		['relay', false],
		['look', true],
	] as const) {
		server.registerTool(
			tool,
			{ inputSchema, annotations: { readOnlyHint } },
			({ tag, result }, { _meta }) => {
				seen.push({ tool, tag, meta: { ..._meta } });
				return result as CallToolResult; // the caller decides what arrives, broken or not
			},
		);
	}
	return server;
}
