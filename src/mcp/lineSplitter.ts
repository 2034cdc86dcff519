import { StringDecoder } from 'node:string_decoder';

/** What is kept of a line that outgrew the cap. */
export interface OverlongLine {
	readonly head: string;
	readonly tail: string;
}

export interface LineSplitter {
	/** Takes a chunk and gives the lines it completes. */
	add(chunk: Buffer): readonly (string | OverlongLine)[];
}

/** Characters kept of each end. */
const KEPT = 256;

/** Splits a byte stream into lines of at most `maxBytes`, in memory linear in the longest line that is given whole. */
export function splitLines(maxBytes: number): LineSplitter {
	const decoder = new StringDecoder('utf8');
	let parts: string[] = [];
	let pendingBytes = 0;
	let overlong: OverlongLine | undefined;

	const take = (part: string, bytes: number): void => {
		pendingBytes += bytes;
		if (overlong === undefined) parts.push(part);
		if (overlong === undefined && pendingBytes <= maxBytes) return;
		const known = overlong?.tail ?? parts.join('');
		const tail = overlong === undefined ? known : known + part;
		overlong = { head: overlong?.head ?? known.slice(0, KEPT), tail: tail.slice(-KEPT) };
		parts = [];
	};
	const end = (): string | OverlongLine => {
		const line = overlong ?? parts.join('').replace(/\r$/, '');
		parts = [];
		pendingBytes = 0;
		overlong = undefined;
		return line;
	};

	return {
		add(chunk) {
			const lines: (string | OverlongLine)[] = [];
			let from = 0;
			for (;;) {
				const newline = chunk.indexOf(10, from);
				const to = newline === -1 ? chunk.length : newline;
				take(decoder.write(chunk.subarray(from, to)), to - from);
				if (newline === -1) return lines;
				lines.push(end());
				from = newline + 1;
			}
		},
	};
}
