import { setTimeout } from 'node:timers/promises';

import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
	fetch,
	Headers,
	Response,
	type Dispatcher,
	type RequestInit,
	type Response as Answered,
} from 'undici';

import { watchEventStream } from './eventStream';
import type { Evidence, HttpAnswer, RequestNote } from './evidence';
import { holdsFrames, isRecord, parseJson, requestId } from './frames';
import { notingStart } from './httpDispatcher';
import { tooLarge } from './overlongAnswer';
import { readBody } from './readBody';
import { excerpt, type Redact } from './redact';
import type { Resumption } from './resumption';
import { retryAfterMs } from './retryAfter';
import { systemCode } from './systemCode';

export interface WatchedFetchOptions {
	readonly dispatcher: Dispatcher;
	readonly evidence: Evidence;
	readonly resumption: Resumption;
	readonly redact: Redact;
	readonly maxMessageBytes: number;
	/** Hears of failing answers to messages that are no request, such as notifications. */
	readonly onStrayAnswer: (answer: HttpAnswer) => void;
}

const maxErrorBodyBytes = 64 * 1024;
const bodyExcerptLength = 200;

/**
 * A fetch for the SDK's HTTP transport that leaves evidence: when a request began to leave, what an answer was that is not
 * MCP, which frames passed, how streams ended. It changes nothing of what the SDK sees except that bodies are bounded.
 */
export function watchedFetch(options: WatchedFetchOptions): FetchLike {
	const { evidence, resumption } = options;

	const watched = async (url: string | URL, init: RequestInit): Promise<Answered> => {
		const headers = new Headers(init.headers);
		if (init.method === 'GET') return await openStream(url, init, headers);
		const note = init.method === 'POST' ? evidence.find(idOfBody(init.body)) : undefined;
		const response = await exchange(options, url, init, note);
		if (init.method !== 'POST') return response;
		return await inspectPost(options, response, note, headers.has('mcp-session-id'));
	};

	const openStream = async (
		url: string | URL,
		init: RequestInit,
		headers: Headers,
	): Promise<Answered> => {
		const lastEventId = headers.get('last-event-id');
		let response: Answered;
		try {
			await delay(resumption.pauseMs(lastEventId, performance.now()), init.signal);
			if (!resumption.mayOpen(lastEventId)) {
				resumption.failed(lastEventId, 'final');
				return new Response(null, { status: 405 });
			}
			const note = resumption.noteAt(lastEventId);
			const signal = signalOf(init, note);
			response = await fetch(url, { ...init, signal, dispatcher: options.dispatcher });
		} catch (caught) {
			resumption.failed(lastEventId, 'again');
			throw caught;
		}
		if (isRedirect(response)) return response;
		if (!response.ok) {
			resumption.failed(lastEventId, response.status === 405 ? 'final' : 'again');
			return response;
		}
		const note = resumption.noteAt(lastEventId);
		resumption.opened(lastEventId);
		return watchStream(options, response, note);
	};

	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- Decode point: undici's types and the global ones describe the same objects.
	return watched as unknown as FetchLike;
}

async function exchange(
	options: WatchedFetchOptions,
	url: string | URL,
	init: RequestInit,
	note: RequestNote | undefined,
): Promise<Answered> {
	if (note === undefined) return await fetch(url, { ...init, dispatcher: options.dispatcher });
	// After a redirect that is followed, the redirect says nothing any more.
	delete note.http;
	try {
		return await fetch(url, {
			...init,
			signal: signalOf(init, note),
			dispatcher: notingStart(options.dispatcher, note),
		});
	} catch (caught) {
		const code = systemCode(caught);
		if (code !== undefined) note.systemCode = code;
		throw caught;
	}
}

async function inspectPost(
	options: WatchedFetchOptions,
	response: Answered,
	note: RequestNote | undefined,
	withSession: boolean,
): Promise<Answered> {
	const contentType = response.headers.get('content-type') ?? undefined;
	const media = contentType?.split(';')[0]?.trim().toLowerCase();
	const record = (answer: Omit<HttpAnswer, 'status' | 'contentType' | 'withSession'>): void => {
		const whole: HttpAnswer = {
			status: response.status,
			withSession,
			...(contentType === undefined ? {} : { contentType: options.redact(contentType) }),
			...answer,
		};
		if (note === undefined) options.onStrayAnswer(whole);
		else note.http = whole;
	};

	if (isRedirect(response)) {
		const location = response.headers.get('location') ?? '';
		record(
			URL.canParse(location) ? { redirectedTo: options.redact(new URL(location).origin) } : {},
		);
		return response;
	}
	if (response.status === 202 || (response.ok && note === undefined)) return response;
	if (response.ok && media === 'text/event-stream') return watchStream(options, response, note);

	const isJson = media === 'application/json';
	const limit = response.ok && isJson ? options.maxMessageBytes : maxErrorBodyBytes;
	const { text, complete } = await readNoted(response, note, limit);
	const json = isJson ? parseJson(text) : undefined;
	if (response.ok && isJson && !complete) {
		note?.interrupt({ kind: 'lost', reason: tooLarge(options.maxMessageBytes) });
	} else if (response.ok && json !== undefined) {
		options.evidence.answered(json, note?.id);
		// The SDK would wait on, although nothing more can come.
		if (note?.answer === undefined && holdsFrames(json))
			note?.interrupt({ kind: 'lost', reason: 'its answer was not for this request' });
	}
	if (note?.answer === undefined) {
		const rpcCode = errorCode(json);
		const waitMs = askedToWait(response);
		record({
			body: excerpt(text, bodyExcerptLength, options.redact),
			...(rpcCode === undefined ? {} : { rpcCode }),
			...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
		});
	}
	return rebuilt(response, text);
}

async function readNoted(
	response: Answered,
	note: RequestNote | undefined,
	limit: number,
): ReturnType<typeof readBody> {
	try {
		// Decode point: undici's stream type and the global one describe the same object.
		return await readBody(response.body as ReadableStream<Uint8Array> | null, limit);
	} catch (caught) {
		const code = systemCode(caught);
		if (note !== undefined && code !== undefined) note.systemCode = code;
		if (response.ok) throw caught;
		return { text: '', complete: false };
	}
}

function watchStream(
	options: WatchedFetchOptions,
	response: Answered,
	note: RequestNote | undefined,
): Answered {
	if (response.body === null) return response;
	let lastEventId: string | undefined;
	let eventCount = 0;
	const body = watchEventStream(
		// Decode point: undici's stream type and the global one describe the same object.
		response.body as ReadableStream<Uint8Array>,
		{
			event({ id, data }) {
				if (id !== undefined && id !== '') lastEventId = id;
				if (data === '') return;
				eventCount += 1;
				options.evidence.answered(parseJson(data), note?.id);
			},
			ended() {
				options.resumption.ended(note, { lastEventId, eventCount, endedAtMs: performance.now() });
			},
			overflow() {
				note?.interrupt({ kind: 'lost', reason: tooLarge(options.maxMessageBytes) });
			},
		},
		options.maxMessageBytes,
	);
	return rebuilt(response, body);
}

/** Aborts when the transport closes, and when nobody waits for the request any more. */
const signalOf = (init: RequestInit, note: RequestNote | undefined): AbortSignal =>
	AbortSignal.any(
		[init.signal, note?.abandoned.signal].filter((signal) => signal instanceof AbortSignal),
	);

/** Resolves after `ms` milliseconds, at once for none; rejects when the signal aborts. */
const delay = async (ms: number, signal: AbortSignal | null | undefined): Promise<void> => {
	if (ms > 0) await setTimeout(ms, undefined, signal ? { signal } : {});
};

const isRedirect = (response: Answered): boolean => response.status >= 300 && response.status < 400;

const rebuilt = (response: Answered, body: string | ReadableStream<Uint8Array>): Answered => {
	const { status, statusText, headers } = response;
	const bodiless = status === 204 || status === 205;
	return new Response(bodiless ? null : body, { status, statusText, headers });
};

const askedToWait = ({ status, headers }: Answered): number | undefined =>
	status === 429 || status === 503
		? retryAfterMs(headers.get('retry-after'), headers.get('date'), Date.now())
		: undefined;

const errorCode = (json: unknown): number | undefined => {
	const error = isRecord(json) ? json['error'] : undefined;
	const code = isRecord(error) ? error['code'] : undefined;
	return typeof code === 'number' ? code : undefined;
};

const idOfBody = (body: RequestInit['body']): number | undefined => {
	const message = typeof body === 'string' ? parseJson(body) : undefined;
	return isRecord(message) && 'method' in message ? requestId(message['id']) : undefined;
};
