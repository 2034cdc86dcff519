import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
	type Progress as ToldProgress,
	ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

import type { ConnectionSettings } from '../call/connectionSettings';
import type { McpSession, Progress } from '../call/session';
import { fail, type FailureCode, succeed, type Result } from '../outcome/failure';
import { clientInfo } from './clientInfo';
import { watchTransport, type Evidence } from './evidence';
import { plainRequest, runExchange, type Line } from './exchange';
import { isRecord } from './frames';
import { listTools } from './listTools';
import { answerWith, elicitation } from './presetAnswers';
import { excerpt, type Redact } from './redact';
import type { Wire } from './wire';

export interface SessionLimits {
	readonly requestTimeoutMs: number;
	readonly maxDurationMs: number;
	/** Absent: what the server asks in the middle of a call is not answered, and it is told so (C12). */
	readonly presetAnswers?: Readonly<Record<string, unknown>>;
}

/** A session and what a pool has to know of it to share it. */
export interface ServerSession extends McpSession {
	/** True when the server says that it tells when its tools change. */
	readonly announcesTools: boolean;
	/** Grows each time the server says that its tools have changed. */
	listVersion(): number;
	/** Sends the access token of these settings from now on; false where that cannot be. */
	reauthorize(settings: ConnectionSettings): boolean;
	/** Whether the server answers a ping within the limit, with an error too. Never rejects. */
	isAnswering(limitMs: number): Promise<boolean>;
}

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
): Promise<Result<ServerSession>> {
	const client = new Client(clientInfo, {
		capabilities: presetAnswers === undefined ? {} : elicitation,
	});
	if (presetAnswers !== undefined) answerWith(client, presetAnswers);
	const transport = watchTransport(wire.transport, evidence, wire.sent);
	let open = true;
	client.onclose = () => {
		open = false;
	};
	let listVersion = 0;
	client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
		listVersion += 1;
	});
	const line: Line = { client, wire, evidence, ...limits, isOpen: () => open };
	const opened = await runExchange(
		line,
		{
			stage: 'initialise',
			activity: `Connecting`,
			start: async ({ signal, timeout }) => {
				await unlessAborted(client.connect(transport, { signal, timeout }), signal);
			},
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
		announcesTools: client.getServerCapabilities()?.tools?.listChanged === true,
		listVersion: () => listVersion,
		isOpen: () => open,
		reauthorize: ({ transport: next }) =>
			next.kind === 'streamableHttp' && wire.reauthorize?.(next) === true,
		isAnswering: (limitMs) => isAnswering(line, limitMs),
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
					...(request.onProgress === undefined
						? {}
						: { onProgress: shortened(request.onProgress, wire.redact) }),
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

/** Rejects as soon as the signal aborts: the SDK itself heeds it for the first of the two messages alone. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
	const aborted = Promise.withResolvers<never>();
	const onAbort = (): void => {
		aborted.reject(new Error('The limits ended it'));
	};
	signal.addEventListener('abort', onAbort);
	try {
		await Promise.race([work, aborted.promise]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** Passes on what a server tells of its progress: free of secrets (I9), and its text at no great length. */
const shortened =
	(hear: (told: Progress) => void, redact: Redact) =>
	({ progress, total, message }: ToldProgress): void => {
		hear({
			progress,
			...(total === undefined ? {} : { total }),
			...(message === undefined ? {} : { message: excerpt(message, 200, redact) }),
		});
	};

/** Failures that prove that somebody is there and knows the session, or that a new one would fare no better. */
const ANSWERED: readonly FailureCode[] = [
	'rpc-refused',
	'rpc-error',
	'result-unreadable',
	'unauthorized',
	'rate-limited',
	'http-refused',
];

async function isAnswering(line: Line, limitMs: number): Promise<boolean> {
	const pinged = await runExchange(
		{ ...line, requestTimeoutMs: limitMs, maxDurationMs: limitMs },
		{ stage: 'list', activity: 'Asking for a sign of life', start: plainRequest(line, 'ping', {}) },
		() => undefined,
		undefined,
	);
	return pinged.ok || ANSWERED.includes(pinged.failure.code);
}
