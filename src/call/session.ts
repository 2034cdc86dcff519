import type { ConnectionSettings } from './connectionSettings';
import type { Result } from '../outcome/failure';
import type { ListedTool } from '../policy/tool';

/** The smallest view of an MCP connection that the call path needs; `src/mcp` implements it on the SDK. */
export interface McpSession {
	readonly server: { readonly name: string; readonly version: string };
	readonly protocolVersion: string;
	/** False once the connection has closed on either side; true proves nothing. */
	isOpen(): boolean;
	/** Every page of `tools/list` (C4). Never rejects. */
	listTools(signal?: AbortSignal): Promise<Result<readonly ListedTool[]>>;
	/** One `tools/call`, sent at most once. Never rejects. The value is the result frame as it came (C5). */
	callTool(request: ToolRequest, signal?: AbortSignal): Promise<Result<ToolResult>>;
	/** Ends the connection and everything it started. Never rejects; may be called twice. */
	close(): Promise<void>;
}

export interface ToolRequest {
	readonly name: string;
	readonly arguments: Readonly<Record<string, unknown>>;
	/** The request's `_meta`, keys with their full prefix (C15). */
	readonly meta?: Readonly<Record<string, unknown>>;
	/** Hears the server's progress as often as it tells it, while the call runs. Must not throw. */
	readonly onProgress?: (told: Progress) => void;
}

/** How far a server says it is with a call. */
export interface Progress {
	readonly progress: number;
	readonly total?: number;
	/** Shortened, without secrets. */
	readonly message?: string;
}

/** A result frame of `tools/call`, not yet looked at. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Opens a connection: spawns or connects, then initialises. Never rejects. */
export type OpenSession = (
	settings: ConnectionSettings,
	signal?: AbortSignal,
) => Promise<Result<McpSession>>;
