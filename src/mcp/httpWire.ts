import { X509Certificate } from 'node:crypto';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

import type { HttpSettings } from '../call/connectionSettings';
import { fail, succeed, type Result } from '../outcome/failure';
import { within } from './childGroup';
import { describeConnection } from './describeConnection';
import { endpointSecrets } from './endpointSecrets';
import type { Evidence, HttpAnswer } from './evidence';
import { createDispatcher, type Surroundings } from './httpDispatcher';
import { httpHeaders } from './httpHeaders';
import { redactor } from './redact';
import { createResumption, maxReconnects } from './resumption';
import { watchedFetch } from './watchedFetch';
import type { Wire } from './wire';

/** How long the session's DELETE may take at the end, in milliseconds. */
const goodbyeMs = 2_000;

export interface HttpLimits {
	readonly maxMessageBytes: number;
	readonly requestTimeoutMs: number;
}

/** Prepares streamable HTTP (C6); connects nothing. Refuses endpoints, certificates and headers that cannot be used. */
export function createHttpWire(
	settings: HttpSettings,
	surroundings: Surroundings,
	evidence: Evidence,
	{ maxMessageBytes, requestTimeoutMs }: HttpLimits,
): Result<Wire> {
	const url = URL.canParse(settings.endpoint) ? new URL(settings.endpoint) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol))
		return refuse('The field Endpoint is not an http or https URL.', 'Correct the field Endpoint.');
	if (url.username !== '' || url.password !== '')
		return refuse(
			'The field Endpoint holds a user name or password, which requests cannot carry in the URL.',
			'Move them to a header row "Authorization" or to the field Bearer Token.',
		);
	if (settings.caCertificate?.trim() && !isCertificate(settings.caCertificate))
		return refuse(
			'The field CA Certificate holds no certificate in PEM form.',
			'Paste the whole certificate, from its BEGIN line to its END line.',
		);
	const checked = httpHeaders(settings);
	if (!checked.ok) return checked;
	// The SDK reads it for each request.
	const headers: Record<string, string> = { ...checked.value };

	let dispatcher: ReturnType<typeof createDispatcher>;
	try {
		dispatcher = createDispatcher(settings, surroundings);
	} catch {
		return refuse(
			"The proxy variables of n8n's environment cannot be used.",
			'Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY where n8n runs.',
		);
	}
	const secrets = [
		settings.bearerToken ?? '',
		...settings.headers.map((row) => row.value),
		...endpointSecrets(url),
	];
	let redactAll = redactor(secrets);
	const redact = (text: string): string => redactAll(text);
	let strayAnswer: HttpAnswer | undefined;
	const transport = new StreamableHTTPClientTransport(url, {
		fetch: watchedFetch({
			dispatcher,
			evidence,
			resumption: createResumption(),
			redact,
			maxMessageBytes,
			requestTimeoutMs,
			onStrayAnswer: (answer) => {
				strayAnswer = answer;
			},
			onFrame: (frame) => {
				const message = JSONRPCMessageSchema.safeParse(frame);
				if (message.success) transport.onmessage?.(message.data);
			},
		}),
		requestInit: { headers },
		reconnectionOptions: {
			initialReconnectionDelay: 500,
			maxReconnectionDelay: 5_000,
			reconnectionDelayGrowFactor: 2,
			maxRetries: maxReconnects,
		},
	});

	let closing: Promise<void> | undefined;
	const closeTransport = transport.close.bind(transport);
	const endSession = async (): Promise<void> => {
		await within(
			goodbyeMs,
			transport.terminateSession().catch(() => undefined),
		);
		await closeTransport();
		await dispatcher.destroy().catch(() => undefined);
	};
	const close = (): Promise<void> => {
		closing ??= endSession();
		return closing;
	};
	// The SDK closes it by itself when initialising fails; the server deletes the session then, too.
	transport.close = close;
	return succeed({
		kind: 'streamableHttp',
		transport,
		sent: 'by-transport',
		connection: describeConnection(settings),
		redact,
		maxMessageBytes,
		reauthorize(next) {
			const checkedNext = httpHeaders(next);
			if (!checkedNext.ok) return false;
			Object.assign(headers, checkedNext.value);
			secrets.push(next.bearerToken ?? '');
			redactAll = redactor(secrets);
			return true;
		},
		facts: () => (strayAnswer === undefined ? {} : { strayAnswer }),
		close,
	});
}

function isCertificate(pem: string): boolean {
	try {
		return new X509Certificate(pem).raw.length > 0;
	} catch {
		return false;
	}
}

const refuse = (message: string, remedy: string): Result<never> =>
	fail({
		code: 'connection-invalid',
		disposition: 'did-not-happen',
		stage: 'connect',
		message,
		remedy,
	});
