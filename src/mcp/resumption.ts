import type { RequestNote } from './evidence';

/** The SDK tries a broken stream this often before it gives up. */
export const maxReconnects = 2;

/** GET streams in a row that may end without having brought any event. */
const maxBarrenStreams = 5;

/** Keeps track of reconnects, which the SDK makes on its own and reports to nobody (C6). */
export interface Resumption {
	/** False when GET streams have been useless too often and no more are to be opened. */
	mayOpen(): boolean;
	/** The request whose answer a GET from this event id on would bring. */
	noteAt(lastEventId: string | null): RequestNote | undefined;
	/** A GET failed or brought no stream; `final` when the SDK does not try again. */
	failed(note: RequestNote | undefined, attempt: 'final' | 'again'): void;
	/** A stream that could have answered the note ended. */
	ended(note: RequestNote | undefined, lastEventId: string | undefined, eventCount: number): void;
}

/** A request whose stream broke off is lost as soon as no reconnect can answer it any more. */
export function createResumption(): Resumption {
	const byEventId = new Map<string, RequestNote>();
	const failures = new WeakMap<RequestNote, number>();
	let barren = 0;

	const lose = (note: RequestNote): void => {
		note.interrupt({
			kind: 'lost',
			reason: 'the event stream ended before the answer came',
		});
	};

	return {
		mayOpen: () => barren < maxBarrenStreams,
		noteAt: (lastEventId) => (lastEventId === null ? undefined : byEventId.get(lastEventId)),
		failed(note, attempt) {
			if (note === undefined) return;
			const count = (failures.get(note) ?? 0) + 1;
			failures.set(note, count);
			if (attempt === 'final' || count >= maxReconnects) lose(note);
		},
		ended(note, lastEventId, eventCount) {
			barren = eventCount > 0 ? 0 : barren + 1;
			if (note === undefined || note.answer !== undefined) return;
			failures.delete(note);
			if (lastEventId === undefined || barren >= maxBarrenStreams) lose(note);
			else byEventId.set(lastEventId, note);
		},
	};
}
