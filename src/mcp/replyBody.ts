import type { Dispatcher } from 'undici';

/** A body that is read part by part. */
export interface ReplyBody {
	/** The next part; undefined at the end. Rejects when the body breaks off. For one reader at a time. */
	read(): Promise<Uint8Array | undefined>;
	/** Gives up what has not come yet, and its socket with it. */
	cancel(): void;
}

/** The same from the side of the socket. */
export interface ArrivingBody extends ReplyBody {
	/** Says what can hold the socket back; before that nothing arrives. */
	comesThrough(controller: Dispatcher.DispatchController): void;
	add(part: Uint8Array): void;
	ended(): void;
	broke(error: Error): void;
}

/** With so many bytes unread the socket waits. */
const heldBytes = 64 * 1024;

export function createReplyBody(): ArrivingBody {
	const parts: Uint8Array[] = [];
	let size = 0;
	let end: { readonly error?: Error } | undefined;
	let through: Dispatcher.DispatchController | undefined;
	let wake: () => void = () => undefined;

	const endWith = (how: { readonly error?: Error }): void => {
		end ??= how;
		wake();
	};
	return {
		comesThrough(controller) {
			through = controller;
		},
		add(part) {
			parts.push(part);
			size += part.length;
			if (size >= heldBytes) through?.pause();
			wake();
		},
		ended() {
			endWith({});
		},
		broke(error) {
			endWith({ error });
		},
		async read() {
			for (;;) {
				const part = parts.shift();
				if (part !== undefined) {
					size -= part.length;
					if (size < heldBytes && through?.paused === true) through.resume();
					return part;
				}
				if (end !== undefined) {
					if (end.error !== undefined) throw end.error;
					return undefined;
				}
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
			}
		},
		cancel() {
			parts.length = 0;
			if (end === undefined) through?.abort(new Error('The rest of the answer is not wanted'));
		},
	};
}
