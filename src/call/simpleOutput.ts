import { own } from '../json/plainObject';
import type { ToolResult } from './session';

/**
 * The item's `output` in the simple form: `structuredContent` if present, else the one text block
 * (parsed when it is JSON), else the content blocks (surface: Output item; C14).
 */
export function simpleOutput(result: ToolResult): unknown {
	const structured = own(result, 'structuredContent');
	if (structured !== undefined && structured !== null) return structured;
	const content = own(result, 'content');
	const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
	// Some servers say null for no structured content, beside what they do say.
	if (blocks.length === 0) return structured === null ? null : [];
	const text = blocks.length === 1 ? textOf(blocks[0]) : undefined;
	return text === undefined ? blocks : parsedIfJson(text);
}

function textOf(block: unknown): string | undefined {
	if (typeof block !== 'object' || block === null) return undefined;
	const { type, text } = block as { type?: unknown; text?: unknown }; // decode point: any block
	return type === 'text' && typeof text === 'string' ? text : undefined;
}

function parsedIfJson(text: string): unknown {
	try {
		return HAS_LONG_NUMBER.test(text)
			? (JSON.parse(text, keepDigits) as unknown)
			: (JSON.parse(text) as unknown);
	} catch {
		return text;
	}
}

/** Sixteen digits, or an exponent. */
const HAS_LONG_NUMBER = /\d{16}|\d[eE]/;

/** A long number would lose digits, and it is likely an id: it stays the text that it was. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
	const isExact = typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
	return isExact ? value : context?.source;
}
