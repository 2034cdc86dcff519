import type { Effect } from './effect';
import type { IdempotencyPath } from './idempotencyPath';

/** One row of the credential's Tool Policies; names match byte for byte (E7). */
export interface ToolPolicy {
	readonly name: string;
	/** `server` leaves the effect to the server's hints. */
	readonly effect: 'server' | Effect;
	readonly access: 'allowed' | 'denied';
	/** Where the argument stands that identifies the operation (K1). */
	readonly idempotencyKey?: IdempotencyPath;
}

/** What the operator states on the connection; an immutable value. */
export interface ConnectionPolicy {
	readonly tools: readonly ToolPolicy[];
	readonly unlistedTools: 'allow' | 'deny';
	/** False: whatever the operator did not classify is write (E4). */
	readonly useServerHints: boolean;
}
