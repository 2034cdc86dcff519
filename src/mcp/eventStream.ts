/** What passes by on an event stream, for whoever watches it. */
export interface EventStreamWatcher {
	event(event: { readonly id: string | undefined; readonly data: string }): void;
	/** The stream ended or broke; called once, not when the reader itself gave up. */
	ended(caught: unknown): void;
	/** An event outgrew the cap; the stream is about to break. */
	overflow(): void;
}

/** Passes a body on unchanged while telling the watcher about its server-sent events; breaks when one exceeds `maxEventBytes`. */
export function watchEventStream(
	body: ReadableStream<Uint8Array>,
	watcher: EventStreamWatcher,
	maxEventBytes: number,
): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	const parser = parseEvents(watcher);
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			try {
				const { done, value } = await reader.read();
				if (done) {
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
				await reader.cancel().catch(() => undefined);
			}
		},
		cancel: (reason) => reader.cancel(reason),
	});
}

interface EventParser {
	/** Gives the size of the event that is still incomplete, in characters. */
	add(text: string): number;
}

function parseEvents(watcher: Pick<EventStreamWatcher, 'event'>): EventParser {
	let parts: string[] = [];
	let data: string[] = [];
	let id: string | undefined;
	let size = 0;
	let afterCarriageReturn = false;

	const endLine = (line: string): void => {
		if (line === '') {
			if (data.length > 0 || id !== undefined) watcher.event({ id, data: data.join('\n') });
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
