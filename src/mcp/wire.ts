import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

import type { HttpSettings } from '../call/connectionSettings';
import type { ExitState } from './childGroup';
import type { HttpAnswer } from './evidence';
import type { Redact } from './redact';

/** A transport with what a session needs to know about it beside messages. */
export interface Wire {
	readonly kind: 'streamableHttp' | 'stdio';
	readonly transport: Transport;
	/** Who marks requests as sent; see `watchTransport`. */
	readonly sent: 'at-hand-over' | 'by-transport';
	/** How messages name the connection. */
	readonly connection: string;
	readonly redact: Redact;
	/** The most bytes that one answer may have. */
	readonly maxMessageBytes: number;
	facts(): WireFacts;
	/** Sends the headers of these settings from now on; false when HTTP cannot carry them. HTTP only. */
	reauthorize?(settings: HttpSettings): boolean;
	/** Ends everything the wire started. Never rejects; may be called twice. */
	close(): Promise<void>;
}

export interface WireFacts {
	/** How the child ended; stdio only, undefined while it runs. */
	readonly exit?: ExitState | undefined;
	/** Last lines of the child's output, redacted. */
	readonly output?: string;
	/** Command and number of arguments. */
	readonly command?: string;
	/** The last failing HTTP answer to a message that was no request. */
	readonly strayAnswer?: HttpAnswer;
}
