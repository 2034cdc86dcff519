import type { ReplyBody } from './replyBody';

/** What passes by on an event stream, for whoever watches it. */
export interface EventStreamWatcher {
	event(event: StreamEvent): void;
	/** The stream ended or broke; called once, not when the reader itself gave up. */
	ended(caught: unknown): void;
	/** An event outgrew the cap; the stream is about to break. */
	overflow(): void;
}

export interface StreamEvent {
	readonly id: string | undefined;
	readonly data: string;
}

/** Passes a body on unchanged while telling the watcher about its server-sent events; breaks when one exceeds `maxEventBytes`. */
export function watchEventStream(
	body: ReplyBody,
	watcher: EventStreamWatcher,
	maxEventBytes: number,
): ReadableStream<Uint8Array> {
	const decoder = new TextDecoder();
	const parser = parseEvents((event) => {
		watcher.event(event);
	});
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			try {
				const value = await body.read();
				if (value === undefined) {
					watcher.ended(undefined);
					controller.close();
					return;
				}
				if (parser.add(decoder.decode(value, { stream: true })) > maxEventBytes) {
					watcher.overflow();
					throw new Error('An event is larger than allowed');
				}
				controller.enqueue(value);
			} catch (caught) {
				watcher.ended(caught);
				controller.error(caught);
				body.cancel();
			}
		},
		cancel: () => {
			body.cancel();
		},
	});
}

export interface EventParser {
	/** Gives the size of the event that is still incomplete, in characters. */
	add(text: string): number;
}

/** Takes the text of a stream apart as it comes. */
export function parseEvents(onEvent: (event: StreamEvent) => void): EventParser {
	let parts: string[] = [];
	let data: string[] = [];
	let id: string | undefined;
	let size = 0;
	let afterCarriageReturn = false;

	const endLine = (line: string): void => {
		if (line === '') {
			if (data.length > 0 || id !== undefined) onEvent({ id, data: data.join('\n') });
			data = [];
			id = undefined;
			size = 0;
			return;
		}
		const colon = line.indexOf(':');
		const field = colon === -1 ? line : line.slice(0, colon);
		const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
		if (field === 'data') data.push(value);
		if (field === 'id') id = value;
	};

	return {
		add(text) {
			const fresh = afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text;
			if (text !== '') afterCarriageReturn = text.endsWith('\r');
			size += fresh.length;
			const lines = fresh.split(/\r\n|\r|\n/);
			const last = lines.pop() ?? '';
			for (const line of lines) {
				endLine(parts.join('') + line);
				parts = [];
			}
			if (last !== '') parts.push(last);
			return size;
		},
	};
}
