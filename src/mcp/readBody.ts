import type { ReplyBody } from './replyBody';

/** Reads a body as text, at most `maxBytes`; what is beyond is dropped and `complete` is false. */
export async function readBody(
	body: ReplyBody,
	maxBytes: number,
): Promise<{ readonly text: string; readonly complete: boolean }> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for (;;) {
		const value = await body.read();
		if (value === undefined) return { text: decode(chunks), complete: true };
		const room = maxBytes - size;
		chunks.push(value.subarray(0, room));
		size += value.length;
		if (value.length > room) {
			body.cancel();
			return { text: decode(chunks), complete: false };
		}
	}
}

const decode = (chunks: readonly Uint8Array[]): string =>
	new TextDecoder().decode(Buffer.concat(chunks));
