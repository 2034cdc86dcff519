import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** What a tool may put under `_meta.salvor`: exactly one of the two. */
export type Park =
	| {
			readonly suspend: {
				/** Shown to whoever answers. */
				readonly reason: string;
				/** JSON Schema that an answer must fit. */
				readonly input_schema: Readonly<Record<string, unknown>> | boolean;
				/** Left out when a person answers. */
				readonly kind?: 'signal';
			};
	  }
	| {
			/** RFC 3339 date-time with seconds and an offset. */
			readonly sleep_until: string;
	  };

/** An ordinary answer, as structured content and, for older clients, as text. */
export function answered(data: Record<string, unknown>): CallToolResult {
	return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}

/** An error that the caller can read and act on. Never put a park beside it: that is refused. */
export function failed(message: string): CallToolResult {
	return { isError: true, content: [{ type: 'text', text: message }] };
}

/**
 * An answer that parks the caller. The text is for clients that do not know `_meta.salvor`:
 * the others drop it, so nothing that is needed later may stand in it.
 */
export function parked(park: Park, text: string): CallToolResult {
	return { content: [{ type: 'text', text }], _meta: { salvor: park } };
}
