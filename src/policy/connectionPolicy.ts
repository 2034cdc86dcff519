import type { Effect } from './effect';

/** One row of the credential's Tool Policies; names match byte for byte (E7). */
export interface ToolPolicy {
	readonly name: string;
	/** `server` leaves the effect to the server's hints. */
	readonly effect: 'server' | Effect;
	readonly access: 'allowed' | 'denied';
	/** Dotted path of the argument that identifies the operation; stored, not used yet. */
	readonly idempotencyKey?: string;
}

/** What the operator states on the connection; an immutable value. */
export interface ConnectionPolicy {
	readonly tools: readonly ToolPolicy[];
	readonly unlistedTools: 'allow' | 'deny';
	/** False: whatever the operator did not classify is write (E4). */
	readonly useServerHints: boolean;
}
