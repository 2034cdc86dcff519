import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

import { isRecord, readAnswers, requestId, type Answer } from './frames';

/** An HTTP answer that was not a JSON-RPC answer. */
export interface HttpAnswer {
	readonly status: number;
	readonly contentType?: string;
	/** First 200 characters, redacted. */
	readonly body?: string;
	/** True when the request named a session. */
	readonly withSession: boolean;
	/** Origin a redirect pointed to. */
	readonly redirectedTo?: string;
	/** JSON-RPC error code in the body. */
	readonly rpcCode?: number;
	/** How long the server asks us to wait before we come again. */
	readonly retryAfterMs?: number;
}

/** Why waiting for an answer ended before one came. */
export type Interruption =
	| { readonly kind: 'request-timeout' }
	| { readonly kind: 'max-duration' }
	| { readonly kind: 'cancelled' }
	| { readonly kind: 'unreadable' }
	| { readonly kind: 'lost'; readonly reason: string };

/** What is known about one request. Written by the transports, read once at the end. */
export interface RequestNote {
	readonly id: number;
	readonly method: string;
	/** True from the moment any byte of it may have left; a partly written request counts. */
	sent: boolean;
	answer?: Answer;
	http?: HttpAnswer;
	/** System or library code of a failed exchange, such as ECONNREFUSED. */
	systemCode?: string;
	/** Aborted when nobody waits any more, and a while after an answer; a request not sent by then never is. */
	readonly abandoned: AbortController;
	/** Stops the waiting; whoever waits sets it. */
	interrupt: (interruption: Interruption) => void;
}

export interface Evidence {
	/** Calls back with the note of the next request that is handed over, before it can leave. */
	awaitNext(listener: (note: RequestNote) => void): void;
	/** Takes a message that is about to go to the transport; a request gets its note here. */
	handedOver(message: JSONRPCMessage): void;
	find(id: number | undefined): RequestNote | undefined;
	/** Notes every answer in a decoded frame; a frame without an id is taken for `fallbackId`. */
	answered(frame: unknown, fallbackId?: number): void;
	/** Ends a note: from here on nothing more is sent for it. */
	settle(note: RequestNote): void;
}

/** How long a stream may stay open after its answer, in milliseconds. */
const lingerMs = 2_000;

const over = new Error('Nobody waits for it any more');

/** Evidence per request id: handed over, sent, answered with a result or an error. */
export function createEvidence(): Evidence {
	const notes = new Map<number, RequestNote>();
	let next: ((note: RequestNote) => void) | undefined;
	const noteOf = (id: number | undefined): RequestNote | undefined =>
		id === undefined ? undefined : notes.get(id);

	return {
		awaitNext(listener) {
			next = listener;
		},
		handedOver(message) {
			if (!('method' in message) || !('id' in message)) return;
			const id = requestId(message.id);
			if (id === undefined) return;
			const note: RequestNote = {
				id,
				method: message.method,
				sent: false,
				abandoned: new AbortController(),
				interrupt: () => undefined,
			};
			notes.set(id, note);
			next?.(note);
			next = undefined;
		},
		find: noteOf,
		answered(frame, fallbackId) {
			// Most frames come twice, as the transport reads them and as it passes them on.
			if (isRecord(frame) && noteOf(requestId(frame['id']) ?? fallbackId)?.answer !== undefined)
				return;
			for (const { id, answer, isFrame } of readAnswers(frame)) {
				const note = noteOf(id ?? fallbackId);
				if (note === undefined || note.answer !== undefined) continue;
				note.answer = answer;
				// Nobody else will pass it on.
				if (!isFrame || id === undefined) note.interrupt({ kind: 'unreadable' });
			}
		},
		settle(note) {
			notes.delete(note.id);
			const abandon = (): void => {
				note.abandoned.abort(over);
			};
			// The stream of an answer has a while to end by itself, so that its socket can be used again.
			if (note.answer === undefined) abandon();
			else setTimeout(abandon, lingerMs).unref();
		},
	};
}

export interface WatchedTransport extends Transport {
	/** Set once the server has agreed on one. */
	protocolVersion: string | undefined;
}

/**
 * Wraps a transport so that both directions leave evidence.
 * `sent` says who marks a request as sent: this wrapper at hand-over, or the transport when bytes leave.
 */
export function watchTransport(
	inner: Transport,
	evidence: Evidence,
	sent: 'at-hand-over' | 'by-transport',
): WatchedTransport {
	const outer: WatchedTransport = {
		protocolVersion: undefined,
		get sessionId() {
			return inner.sessionId;
		},
		start() {
			inner.onclose = () => outer.onclose?.();
			inner.onerror = (error) => outer.onerror?.(error);
			inner.onmessage = (message, extra) => {
				evidence.answered(message);
				outer.onmessage?.(message, extra);
			};
			return inner.start();
		},
		async send(message, options) {
			evidence.handedOver(message);
			if (sent === 'at-hand-over') markSent(evidence, message);
			await inner.send(message, options);
		},
		close: () => inner.close(),
		setProtocolVersion(version) {
			outer.protocolVersion = version;
			inner.setProtocolVersion?.(version);
		},
	};
	return outer;
}

/**
 * Marks the request that a message carries, if it carries one, as sent. False when nobody waits for that request any more:
 * it was reported as not sent, so it must not be.
 */
export function markSent(evidence: Evidence, message: unknown): boolean {
	if (!isRecord(message) || !('method' in message) || !('id' in message)) return true;
	const note = evidence.find(requestId(message['id']));
	if (note) note.sent = true;
	return note !== undefined;
}
