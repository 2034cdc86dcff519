import type { IncomingMessage } from 'node:http';

import type { IWebhookFunctions } from 'n8n-workflow';

/** 1 MiB (R4). */
const LARGEST_ANSWER_BYTES = 1024 * 1024;

/** What n8n unpacks; it takes any other for no encoding at all. */
const READABLE_ENCODINGS = new Set(['', 'identity', 'gzip', 'deflate']);

export type AnswerReading =
	| { readonly kind: 'answer'; readonly answer: unknown }
	| { readonly kind: 'unreadable'; readonly status: 400 | 413 | 415; readonly message: string };

/** Reads the JSON body of a POST on the resume address (R3, R4); whatever is wrong, the run stays parked. */
export function readAnswer(context: IWebhookFunctions): AnswerReading {
	const request: IncomingMessage & { readonly rawBody?: unknown } = context.getRequestObject();
	const contentType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
	if (contentType === undefined || !/^application\/(?:[\w.+-]+\+)?json$/.test(contentType)) {
		return unreadable(
			415,
			'Send the answer as JSON, with the header Content-Type: application/json.',
		);
	}
	const encoding = request.headers['content-encoding'] ?? 'identity';
	if (!READABLE_ENCODINGS.has(encoding.toLowerCase())) {
		return unreadable(415, 'Send the answer as it is, or packed with gzip or deflate.');
	}
	const raw = request.rawBody;
	const size =
		raw instanceof Uint8Array ? raw.byteLength : Number(request.headers['content-length']);
	if (size > LARGEST_ANSWER_BYTES) {
		return unreadable(413, 'The answer is larger than 1 MiB.');
	}
	if (!(raw instanceof Uint8Array)) return { kind: 'answer', answer: context.getBodyData() };
	try {
		return { kind: 'answer', answer: JSON.parse(new TextDecoder().decode(raw)) as unknown };
	} catch {
		return unreadable(400, 'The body is not valid JSON.');
	}
}

const unreadable = (status: 400 | 413 | 415, message: string): AnswerReading => ({
	kind: 'unreadable',
	status,
	message,
});
