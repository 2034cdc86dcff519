import { StringDecoder } from 'node:string_decoder';

export interface LineSplitter {
	/** Takes a chunk and gives the lines it completes; `overflow` when a line outgrows the cap. */
	add(chunk: Buffer): readonly string[] | 'overflow';
}

/** Splits a byte stream into lines of at most `maxBytes`, in memory linear in the longest line. */
export function splitLines(maxBytes: number): LineSplitter {
	const decoder = new StringDecoder('utf8');
	let parts: string[] = [];
	let pendingBytes = 0;
	return {
		add(chunk) {
			const [first = '', ...rest] = decoder.write(chunk).split('\n');
			const newline = chunk.lastIndexOf(10);
			pendingBytes = newline === -1 ? pendingBytes + chunk.length : chunk.length - newline - 1;
			if (pendingBytes > maxBytes) {
				parts = [];
				return 'overflow';
			}
			parts.push(first);
			const last = rest.pop();
			if (last === undefined) return [];
			const lines = [parts.join(''), ...rest];
			parts = [last];
			return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
		},
	};
}
