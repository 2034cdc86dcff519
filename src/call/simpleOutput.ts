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
	if (!Array.isArray(content)) return [];
	const blocks: readonly unknown[] = content;
	const text = blocks.length === 1 ? textOf(blocks[0]) : undefined;
	return text === undefined ? blocks : parsedIfJson(text);
}

function textOf(block: unknown): string | undefined {
	if (typeof block !== 'object' || block === null) return undefined;
	const { type, text } = block as { type?: unknown; text?: unknown }; // decode point: any block
	return type === 'text' && typeof text === 'string' ? text : undefined;
}

function parsedIfJson(text: string): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return text;
	}
	// A long number would lose digits, and it is likely an id.
	const exact = typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
	return exact ? value : text;
}
