import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib';

import type { ReplyBody } from './replyBody';

// As browsers do, a body is taken that lacks its proper end.
const gunzip = (): Transform => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
const unbrotli = (): Transform =>
	createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
const unpackers: ReadonlyMap<string, () => Transform> = new Map([
	['gzip', gunzip],
	['x-gzip', gunzip],
	['br', unbrotli],
]);

/** A server that packs its answer more often than this means no good. */
const maxCodings = 5;

/** Undoes the codings of `Content-Encoding`, the last first. A body in others than those asked for is left as it came. */
export function unpackBody(body: ReplyBody, contentEncoding: string | undefined): ReplyBody {
	if (contentEncoding === undefined) return body;
	const codings = contentEncoding
		.toLowerCase()
		.split(',')
		.map((coding) => coding.trim());
	const packed = codings.filter((coding) => coding !== '' && coding !== 'identity').toReversed();
	const makers = packed.flatMap((coding) => unpackers.get(coding) ?? []);
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
