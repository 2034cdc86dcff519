import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import type { ReplyBody } from './replyBody';

const flushing = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const flushingBrotli = {
	flush: constants.BROTLI_OPERATION_FLUSH,
	finishFlush: constants.BROTLI_OPERATION_FLUSH,
};
const unpackers: Readonly<Record<string, (() => Transform) | undefined>> = {
	gzip: () => createGunzip(flushing),
	'x-gzip': () => createGunzip(flushing),
	deflate: () => createInflate(flushing),
	br: () => createBrotliDecompress(flushingBrotli),
};

/** A server that packs its answer more often than this means no good. */
const maxCodings = 5;

/** Undoes the codings of `Content-Encoding`, the last first. A body in others than those asked for is left as it came. */
export function unpackBody(body: ReplyBody, contentEncoding: string | null): ReplyBody {
	if (contentEncoding === null) return body;
	const codings = contentEncoding
		.toLowerCase()
		.split(',')
		.map((coding) => coding.trim());
	const packed = codings.filter((coding) => coding !== '' && coding !== 'identity').toReversed();
	const makers = packed.flatMap((coding) => unpackers[coding] ?? []);
	if (makers.length === 0 || makers.length < packed.length || makers.length > maxCodings) {
		return body;
	}
	// Errors reach whoever reads.
	let stream: Readable = Readable.from(partsOf(body));
	for (const make of makers) stream = pipeline(stream, make(), () => undefined);
	const parts = stream[Symbol.asyncIterator]();
	return {
		async read() {
			const next: IteratorResult<Uint8Array, undefined> = await parts.next();
			return next.done === true ? undefined : next.value;
		},
		cancel() {
			stream.destroy();
			body.cancel();
		},
	};
}

async function* partsOf(body: ReplyBody): AsyncGenerator<Uint8Array> {
	for (;;) {
		const part = await body.read();
		if (part === undefined) return;
		yield part;
	}
}
