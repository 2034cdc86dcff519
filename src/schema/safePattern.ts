import { RE2JS } from 're2js';

/** What ajv asks of a regular expression; `toString` tells patterns apart in its cache. */
export interface SafePattern {
	test(text: string): boolean;
	toString(): string;
}

/** A pattern that the engine without backtracking does not know, such as a look-ahead. */
export class PatternRefused extends Error {}

function compilePattern(pattern: string): SafePattern {
	try {
		const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern), RE2JS.LOOKBEHINDS);
		return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
	} catch {
		throw new PatternRefused(
			`the pattern ${shorten(pattern)} cannot be checked in bounded time (look-ahead and back-references are not supported)`,
		);
	}
}

const shorten = (pattern: string) => JSON.stringify(pattern.slice(0, 80));

/** ajv's `code.regExp` hook: every pattern of a schema runs in time linear in the text. */
export const safePattern = Object.assign(compilePattern, { code: 'safePattern' });
