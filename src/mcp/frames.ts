import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** What one JSON-RPC frame says in answer to one of our requests. */
export type Answer =
	| { readonly kind: 'result' }
	| { readonly kind: 'error'; readonly rpcCode: number; readonly text: string }
	/** Carries our id and a result or an error, but is not a frame the protocol allows. */
	| { readonly kind: 'unreadable' };

export interface AddressedAnswer {
	/** Absent when the frame names no request, as an error frame may. */
	readonly id?: number;
	readonly answer: Answer;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
	try {
		// Decode point: JSON.parse gives any.
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Our own request ids are whole numbers; a peer may echo them as text. */
export function requestId(value: unknown): number | undefined {
	if (typeof value !== 'number' && (typeof value !== 'string' || value === '')) return undefined;
	const id = Number(value);
	return Number.isSafeInteger(id) ? id : undefined;
}

/** The answers in a decoded JSON value, batches included; anything else gives none. */
export function readAnswers(value: unknown): readonly AddressedAnswer[] {
	if (Array.isArray(value)) {
		// A batch has one level; a peer may nest arrays until recursion fails.
		return value.flatMap((part: unknown) => (Array.isArray(part) ? [] : readAnswers(part)));
	}
	if (!isRecord(value) || 'method' in value || !('result' in value || 'error' in value)) return [];
	const id = requestId(value['id']);
	const answer = readAnswer(value);
	return [id === undefined ? { answer } : { id, answer }];
}

function readAnswer(frame: Readonly<Record<string, unknown>>): Answer {
	const error = frame['error'];
	// An error frame with a null id is outside the SDK's schema, yet says what it says.
	if (isRecord(error) && typeof error['code'] === 'number' && !('result' in frame)) {
		const text = typeof error['message'] === 'string' ? error['message'] : '';
		return { kind: 'error', rpcCode: error['code'], text };
	}
	return JSONRPCMessageSchema.safeParse(frame).success
		? { kind: 'result' }
		: { kind: 'unreadable' };
}
