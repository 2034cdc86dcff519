import type { Redact } from './redact';

const longestLine = 500;
const longestPending = 8_192;

export interface LastLines {
	add(text: string): void;
	/** The kept lines, oldest first. */
	text(): string;
}

/** Keeps the last lines of a text stream, redacted, in bounded memory (C7). */
export function keepLastLines(count: number, redact: Redact): LastLines {
	const lines: string[] = [];
	let pending = '';
	let skipping = false;

	const keep = (line: string): void => {
		const clean = redact(line).trimEnd().slice(0, longestLine);
		if (clean === '') return;
		lines.push(clean);
		if (lines.length > count) lines.shift();
	};

	return {
		add(text) {
			const parts = text.split('\n');
			const last = parts.pop() ?? '';
			for (const part of parts) {
				if (!skipping) keep(pending + part);
				pending = '';
				skipping = false;
			}
			if (skipping) return;
			pending += last;
			if (pending.length > longestPending) {
				keep(pending);
				pending = '';
				skipping = true;
			}
		},
		text() {
			const rest = redact(pending).trimEnd().slice(0, longestLine);
			return [...lines, ...(rest === '' ? [] : [rest])].slice(-count).join('\n');
		},
	};
}
