/** One tool as the server lists it, decoded leniently so that a broken part spoils only that part (C4). */
export interface ListedTool {
	/** The server's own name, byte for byte (E7). */
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	/** As listed, unchanged; what was listed may not be a valid schema (see `problems`). */
	readonly inputSchema: unknown;
	readonly outputSchema?: unknown;
	/** As listed, unchanged: hints from the server, unverified. */
	readonly annotations?: unknown;
	/** One sentence for each part of the listing that is broken. */
	readonly problems: readonly string[];
}
