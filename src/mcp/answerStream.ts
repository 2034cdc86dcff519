import { parseEvents, watchEventStream } from './eventStream';
import type { RequestNote } from './evidence';
import { isRecord, parseJson, requestId } from './frames';
import type { HttpReply } from './httpRequest';
import { tooLarge } from './overlongAnswer';
import type { ReplyBody } from './replyBody';
import { responseOf } from './responseOf';
import type { WatchedFetchOptions } from './watchedFetch';

/** An event with nothing but data, on one line, that fills the part of the stream that it came in. */
const onlyEvent = /^(?:event: ?message\r?\n)?data: ?([^\r\n]*)\r?\n\r?\n$/;

/** The answer to a POST that came as a stream: as JSON when the stream begins with it, else the stream, watched. */
export async function inspectStream(
	options: WatchedFetchOptions,
	reply: HttpReply,
	note: RequestNote | undefined,
): Promise<Response> {
	const { body } = reply;
	let first: Uint8Array | undefined;
	try {
		first = await body.read();
	} catch {
		// Whoever reads on meets it again.
	}
	const data = onlyEvent.exec(new TextDecoder().decode(first))?.[1];
	if (data !== undefined && note !== undefined) {
		options.evidence.answered(parseJson(data), note.id);
		if (note.answer !== undefined) {
			void hearOut(options, body, note.id);
			const headers = { ...reply.headers, 'content-type': 'application/json' };
			return responseOf({ ...reply, headers }, data);
		}
	}
	return watchStream(options, { ...reply, body: startingWith(first, body) }, note);
}

/** Reads on to the end, so that the socket can be used again. Another answer for the same id comes too late. */
async function hearOut(
	options: WatchedFetchOptions,
	body: ReplyBody,
	answeredId: number,
): Promise<void> {
	const decoder = new TextDecoder();
	const parser = parseEvents(({ data }) => {
		for (const frame of [parseJson(data)].flat()) {
			if (idOfAnswer(frame) !== answeredId) options.onFrame(frame);
		}
	});
	try {
		for (;;) {
			const part = await body.read();
			if (part === undefined) return;
			if (parser.add(decoder.decode(part, { stream: true })) > options.maxMessageBytes) break;
		}
	} catch {
		// It has broken off after the answer, which is all that was asked for.
	}
	body.cancel();
}

const startingWith = (first: Uint8Array | undefined, body: ReplyBody): ReplyBody => {
	let pending = first;
	return {
		async read() {
			const part = pending ?? (await body.read());
			pending = undefined;
			return part;
		},
		cancel: () => {
			body.cancel();
		},
	};
};

/** A stream for the SDK whose frames and end leave evidence (C6). */
export function watchStream(
	options: WatchedFetchOptions,
	reply: HttpReply,
	note: RequestNote | undefined,
): Response {
	let lastEventId: string | undefined;
	let eventCount = 0;
	const body = watchEventStream(
		reply.body,
		{
			event({ id, data }) {
				if (id !== undefined && id !== '') lastEventId = id;
				if (data === '') return;
				eventCount += 1;
				const frame = parseJson(data);
				options.evidence.answered(frame, note?.id);
				if (Array.isArray(frame)) frame.forEach(options.onFrame);
			},
			ended() {
				options.resumption.ended(note, { lastEventId, eventCount, endedAtMs: performance.now() });
			},
			overflow() {
				note?.interrupt({ kind: 'lost', reason: tooLarge(options.maxMessageBytes) });
			},
		},
		options.maxMessageBytes,
	);
	return responseOf(reply, body);
}

const idOfAnswer = (frame: unknown): number | undefined =>
	isRecord(frame) && !('method' in frame) ? requestId(frame['id']) : undefined;
