/** Reads a body as text, at most `maxBytes`; what is beyond is dropped and `complete` is false. */
export async function readBody(
	body: ReadableStream<Uint8Array> | null,
	maxBytes: number,
): Promise<{ readonly text: string; readonly complete: boolean }> {
	if (body === null) return { text: '', complete: true };
	const reader = body.getReader();
	const chunks: Uint8Array[] = [];
	let size = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return { text: decode(chunks), complete: true };
		const room = maxBytes - size;
		chunks.push(value.subarray(0, room));
		size += value.length;
		if (value.length > room) {
			await reader.cancel().catch(() => undefined);
			return { text: decode(chunks), complete: false };
		}
	}
}

const decode = (chunks: readonly Uint8Array[]): string =>
	new TextDecoder().decode(Buffer.concat(chunks));
