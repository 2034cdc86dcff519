import { Client } from '@modelcontextprotocol/sdk/client/index.js';

import type { McpSession } from '../call/session';
import { fail, succeed, type Result } from '../outcome/failure';
import { watchTransport, type Evidence } from './evidence';
import { plainRequest, runExchange, type Line } from './exchange';
import { isRecord } from './frames';
import { listTools } from './listTools';
import { answerWith, elicitation } from './presetAnswers';
import type { Wire } from './wire';

export interface SessionLimits {
	readonly requestTimeoutMs: number;
	readonly maxDurationMs: number;
	/** Absent: what the server asks in the middle of a call is not answered, and it is told so (C12). */
	readonly presetAnswers?: Readonly<Record<string, unknown>>;
}

export const clientName = 'n8n-nodes-salvor';
const clientVersion = '0.1.0';

/**
 * Connects and initialises over a wire; the request limits cover both together. Advertises no
 * capability but to answer forms, and that with preset answers alone (C12).
 * Never rejects; on failure the wire is closed.
 */
export async function openSessionOver(
	wire: Wire,
	evidence: Evidence,
	{ presetAnswers, ...limits }: SessionLimits,
	cancel?: AbortSignal,
): Promise<Result<McpSession>> {
	const client = new Client(
		{ name: clientName, version: clientVersion },
		{ capabilities: presetAnswers === undefined ? {} : elicitation },
	);
	if (presetAnswers !== undefined) answerWith(client, presetAnswers);
	const transport = watchTransport(wire.transport, evidence, wire.sent);
	let open = true;
	client.onclose = () => {
		open = false;
	};
	const line: Line = { client, wire, evidence, ...limits, isOpen: () => open };
	const opened = await runExchange(
		line,
		{
			stage: 'initialise',
			activity: `Connecting`,
			start: ({ signal, timeout }) => client.connect(transport, { signal, timeout }),
		},
		() => undefined,
		cancel,
	);
	if (!opened.ok) {
		await wire.close();
		return fail(opened.failure);
	}
	const { name = '', version = '' } = client.getServerVersion() ?? {};
	return succeed({
		server: { name, version },
		protocolVersion: transport.protocolVersion ?? '',
		isOpen: () => open,
		listTools: (signal) => listTools(line, signal),
		callTool: (request, signal) =>
			runExchange(
				line,
				{
					stage: 'call',
					activity: `Calling the tool "${request.name}"`,
					start: plainRequest(line, 'tools/call', {
						name: request.name,
						arguments: request.arguments,
						...(request.meta === undefined ? {} : { _meta: request.meta }),
					}),
				},
				// The SDK has checked that a result is an object.
				(value) => (isRecord(value) ? value : {}),
				signal,
			),
		async close() {
			open = false;
			await wire.close();
		},
	});
}
