import type { HttpReply } from './httpRequest';

/** Statuses whose answers have no body. */
const bodiless = [204, 205, 304];

/** The SDK's view of a reply whose body has been read, goes on as a stream, or does not matter. */
export function responseOf(
	{ status, headers, body }: HttpReply,
	content?: string | ReadableStream<Uint8Array>,
): Response {
	if (content === undefined) body.cancel();
	return new Response(bodiless.includes(status) ? null : (content ?? null), { status, headers });
}
