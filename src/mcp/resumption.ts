import type { RequestNote } from './evidence';

/** The SDK tries a broken stream this often before it gives up. */
export const maxReconnects = 2;

/** GET streams in a row that may end without having brought any event. */
const maxBarrenStreams = 5;

/** The least time between the end of a stream and its reconnect, whatever the server asks for, in milliseconds. */
const leastPauseMs = 250;

/** Keeps track of reconnects, which the SDK makes on its own and reports to nobody (C6). */
export interface Resumption {
	/** False when a GET from this event id on is not to be made: too many were useless, or nobody waits for it. */
	mayOpen(lastEventId: string | undefined): boolean;
	/** The request whose answer a GET from this event id on would bring. */
	noteAt(lastEventId: string | undefined): RequestNote | undefined;
	/** How long that GET has to wait at an instant, in milliseconds of the clock that `ended` goes by. */
	pauseMs(lastEventId: string | undefined, nowMs: number): number;
	/** A GET has brought a stream. */
	opened(lastEventId: string | undefined): void;
	/** A GET failed or brought no stream; `final` when the SDK does not try again. */
	failed(lastEventId: string | undefined, attempt: 'final' | 'again'): void;
	/** A stream that could have answered the note ended. */
	ended(note: RequestNote | undefined, stream: EndedStream): void;
}

export interface EndedStream {
	readonly lastEventId: string | undefined;
	readonly eventCount: number;
	readonly endedAtMs: number;
}

interface Broken {
	readonly note: RequestNote | undefined;
	readonly endedAtMs: number;
	failures: number;
}

/** Stands for the event id of a stream that had none. */
const noId = '';

/** A request whose stream broke off is lost as soon as no reconnect can answer it any more. */
export function createResumption(): Resumption {
	const broken = new Map<string, Broken>();
	let barren = 0;

	const at = (lastEventId: string | undefined): Broken | undefined =>
		broken.get(lastEventId ?? noId);
	const noteAt = (lastEventId: string | undefined): RequestNote | undefined =>
		lastEventId === undefined ? undefined : at(lastEventId)?.note;

	return {
		mayOpen(lastEventId) {
			const note = noteAt(lastEventId);
			return barren < maxBarrenStreams && (note === undefined || isAwaited(note));
		},
		noteAt,
		pauseMs(lastEventId, nowMs) {
			const stream = at(lastEventId);
			return stream === undefined ? 0 : Math.max(0, stream.endedAtMs + leastPauseMs - nowMs);
		},
		opened(lastEventId) {
			broken.delete(lastEventId ?? noId);
		},
		failed(lastEventId, attempt) {
			const stream = at(lastEventId);
			if (stream === undefined) return;
			stream.failures += 1;
			if (attempt === 'again' && stream.failures < maxReconnects) return;
			broken.delete(lastEventId ?? noId);
			if (stream.note !== undefined) lose(stream.note);
		},
		ended(note, { lastEventId, eventCount, endedAtMs }) {
			barren = eventCount > 0 ? 0 : barren + 1;
			if (mayComeBack(note, lastEventId))
				broken.set(lastEventId ?? noId, { note, endedAtMs, failures: 0 });
			if (note === undefined || !isAwaited(note)) return;
			if (lastEventId === undefined || barren >= maxBarrenStreams) lose(note);
		},
	};
}

/** The SDK asks again for a GET stream, and for a call's that had an event id and no result, wanted or not. */
const mayComeBack = (note: RequestNote | undefined, lastEventId: string | undefined): boolean =>
	note === undefined || (lastEventId !== undefined && note.answer?.kind !== 'result');

const isAwaited = (note: RequestNote): boolean =>
	note.answer === undefined && !note.abandoned.signal.aborted;

function lose(note: RequestNote): void {
	note.interrupt({ kind: 'lost', reason: 'the event stream ended before the answer came' });
}
