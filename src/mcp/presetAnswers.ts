import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
	ErrorCode,
	McpError,
	type ClientCapabilities,
	type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';

import { own, type PlainObject } from '../json/plainObject';
import { compileSchema } from '../schema/checkSchema';
import { isRecord } from './frames';

/** What a connection with preset answers says that it can do: forms and never URLs (C12). */
export const elicitation: ClientCapabilities = { elicitation: { form: {} } };

/** Answers what the server asks in the middle of a call (C12). By the SDK's own handler a schema it does not know would fail. */
export function answerWith(client: Client, presets: PlainObject): void {
	client.fallbackRequestHandler = ({ method, params }) => {
		if (method !== 'elicitation/create') {
			return Promise.reject(new McpError(ErrorCode.MethodNotFound, 'Method not found'));
		}
		const asked = isRecord(params) ? params : {};
		if ((asked['mode'] ?? 'form') !== 'form') {
			return Promise.reject(new McpError(ErrorCode.InvalidParams, 'Only forms are supported'));
		}
		return Promise.resolve(presetAnswer(asked['requestedSchema'], presets));
	};
}

/**
 * The presets that the requested schema names, if they fit it; else a refusal (C12). A form that names none is refused too,
 * whatever its schema takes: to accept it would be to consent to what the author may not know of.
 */
export function presetAnswer(requestedSchema: unknown, presets: PlainObject): ElicitResult {
	const properties = isRecord(requestedSchema) ? own(requestedSchema, 'properties') : undefined;
	const asked = isRecord(properties) ? Object.keys(properties) : [];
	const known = asked.filter((name) => Object.hasOwn(presets, name));
	if (known.length === 0) return { action: 'decline' };
	const content = Object.fromEntries(known.map((name) => [name, presets[name]]));
	const compiled = compileSchema(requestedSchema);
	if (compiled.kind === 'unusable' || compiled.check(content).length > 0) {
		return { action: 'decline' };
	}
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- what the server's own schema takes
	return { action: 'accept', content: content as NonNullable<ElicitResult['content']> };
}
