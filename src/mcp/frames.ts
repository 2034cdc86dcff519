import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** What one JSON-RPC frame says in answer to one of our requests. */
export type Answer =
	| { readonly kind: 'result' }
	/** `rpcCode` is undefined where the peer gave none, or one that is no number. */
	| { readonly kind: 'error'; readonly rpcCode: number | undefined; readonly text: string }
	/** Carries a result, but is not a frame the protocol allows. */
	| { readonly kind: 'unreadable' };

export interface AddressedAnswer {
	/** Absent when the frame names no request, as an error frame may. */
	readonly id?: number;
	readonly answer: Answer;
	/** False when it is not a frame the protocol allows, so that the SDK does not pass it on. */
	readonly isFrame: boolean;
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
	const isFrame = isAllowed(value);
	const answer = readAnswer(value, isFrame);
	return [id === undefined ? { answer, isFrame } : { id, answer, isFrame }];
}

/** True for a frame that the protocol allows, and for a batch of such, an empty one included. */
export const holdsFrames = (value: unknown): boolean =>
	Array.isArray(value) ? value.every(isAllowed) : isAllowed(value);

const isAllowed = (value: unknown): boolean => JSONRPCMessageSchema.safeParse(value).success;

function readAnswer(frame: Readonly<Record<string, unknown>>, isFrame: boolean): Answer {
	if ('result' in frame) return isFrame ? { kind: 'result' } : { kind: 'unreadable' };
	// Malformed or without an id, an error still says that it is one.
	const { error } = frame;
	const { code, message } = isRecord(error) ? error : { code: undefined, message: error };
	return {
		kind: 'error',
		rpcCode: typeof code === 'number' ? code : undefined,
		text: typeof message === 'string' ? message : '',
	};
}
