import { setTimeout } from 'node:timers/promises';

import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Dispatcher } from 'undici';

import { inspectStream, watchStream } from './answerStream';
import { parseEvents } from './eventStream';
import type { Evidence, HttpAnswer, RequestNote } from './evidence';
import { holdsFrames, isRecord, parseJson, requestId } from './frames';
import { longestTimerMs, mostAnswersAtOnce } from './limits';
import { type HttpReply, type HttpRequest, sendHttp } from './httpRequest';
import { tooLarge } from './overlongAnswer';
import { readBody } from './readBody';
import { excerpt, type Redact } from './redact';
import { responseOf } from './responseOf';
import type { Resumption } from './resumption';
import { retryAfterMs } from './retryAfter';
import { systemCode } from './systemCode';

export interface WatchedFetchOptions {
	readonly dispatcher: Dispatcher;
	readonly evidence: Evidence;
	readonly resumption: Resumption;
	readonly redact: Redact;
	readonly maxMessageBytes: number;
	/** How long messages that are no request may take: nothing else bounds them. */
	readonly requestTimeoutMs: number;
	/** Hears of failing answers to messages that are no request, such as notifications. */
	readonly onStrayAnswer: (answer: HttpAnswer) => void;
	/** Hears the frames that the SDK does not read: those of a batch on a stream, and those after an answer. */
	readonly onFrame: (frame: unknown) => void;
}

const maxErrorBodyBytes = 64 * 1024;
const bodyExcerptLength = 200;

/**
 * A fetch for the SDK's HTTP transport that leaves evidence: when a request began to leave, what an answer was that is not
 * MCP, which frames passed, how streams ended. What it changes of what the SDK sees: bodies are bounded, and a stream that
 * begins with the answer is that answer, as JSON, since the SDK takes a stream apart slowly.
 */
export function watchedFetch(options: WatchedFetchOptions): FetchLike {
	const { dispatcher, evidence, resumption } = options;
	let answersUnderWay = 0;

	const watched: FetchLike = async (url, init = {}) => {
		const headers = Object.fromEntries(new Headers(init.headers));
		const signals = init.signal ? [init.signal] : [];
		if (init.method === 'GET') return await openStream({ url, method: 'GET', headers, signals });
		if (init.method !== 'POST') {
			return responseOf(await sendHttp(dispatcher, { url, method: 'DELETE', headers, signals }));
		}
		const body = typeof init.body === 'string' ? init.body : '';
		const request: HttpRequest = { url, method: 'POST', headers, body, signals };
		const message = parseJson(body);
		if (isRecord(message) && !('method' in message)) return await answer(request);
		const id = isRecord(message) ? requestId(message['id']) : undefined;
		const note = evidence.find(id);
		if (id !== undefined && note === undefined) throw new Error('Nobody waits for it any more');
		return await postAndInspect(request, note);
	};

	const postAndInspect = async (
		request: HttpRequest,
		note: RequestNote | undefined,
	): Promise<Response> => {
		const reply = await post(options, request, note);
		return await inspectPost(options, reply, note, 'mcp-session-id' in request.headers);
	};

	/** Answers what the server asked. One that asks without end, and takes no answer, gets no more of them. */
	const answer = async (request: HttpRequest): Promise<Response> => {
		if (answersUnderWay >= mostAnswersAtOnce) throw new Error('Too many answers are under way');
		answersUnderWay += 1;
		try {
			return await postAndInspect(request, undefined);
		} finally {
			answersUnderWay -= 1;
		}
	};

	const openStream = async (request: HttpRequest): Promise<Response> => {
		const lastEventId = request.headers['last-event-id'];
		let reply: HttpReply;
		try {
			await delay(resumption.pauseMs(lastEventId, performance.now()), request.signals[0]);
			if (!resumption.mayOpen(lastEventId)) {
				resumption.failed(lastEventId, 'final');
				return new Response(null, { status: 405 });
			}
			const signals = signalsOf(request, resumption.noteAt(lastEventId));
			reply = await sendHttp(dispatcher, { ...request, signals });
		} catch (caught) {
			resumption.failed(lastEventId, 'again');
			throw caught;
		}
		if (isRedirect(reply)) return responseOf(reply);
		if (!isOk(reply)) {
			resumption.failed(lastEventId, reply.status === 405 ? 'final' : 'again');
			return responseOf(reply);
		}
		const note = resumption.noteAt(lastEventId);
		resumption.opened(lastEventId);
		return watchStream(options, reply, note);
	};

	return watched;
}

async function post(
	{ dispatcher, requestTimeoutMs }: WatchedFetchOptions,
	request: HttpRequest,
	note: RequestNote | undefined,
): Promise<HttpReply> {
	if (note === undefined) {
		const over = AbortSignal.timeout(Math.min(requestTimeoutMs, longestTimerMs));
		return await sendHttp(dispatcher, { ...request, signals: [...request.signals, over] });
	}
	// After a redirect that is followed, the redirect says nothing any more.
	delete note.http;
	const onStart = (): void => {
		note.sent = true;
	};
	try {
		return await sendHttp(dispatcher, { ...request, signals: signalsOf(request, note), onStart });
	} catch (caught) {
		const code = systemCode(caught);
		if (code !== undefined) note.systemCode = code;
		throw caught;
	}
}

async function inspectPost(
	options: WatchedFetchOptions,
	reply: HttpReply,
	note: RequestNote | undefined,
	withSession: boolean,
): Promise<Response> {
	const contentType = reply.headers['content-type'];
	const media = contentType?.split(';')[0]?.trim().toLowerCase();
	const record = (answer: Omit<HttpAnswer, 'status' | 'contentType' | 'withSession'>): void => {
		const whole: HttpAnswer = {
			status: reply.status,
			withSession,
			...(contentType === undefined ? {} : { contentType: options.redact(contentType) }),
			...answer,
		};
		if (note === undefined) options.onStrayAnswer(whole);
		else note.http = whole;
	};

	if (isRedirect(reply)) {
		const location = reply.headers['location'] ?? '';
		record(
			URL.canParse(location) ? { redirectedTo: options.redact(new URL(location).origin) } : {},
		);
		if (media !== 'application/json') return responseOf(reply);
		const { text } = await readNoted(reply, note, maxErrorBodyBytes);
		noteResults(options, media, text, note);
		// What has run is not sent on: without a target the SDK takes the redirect as it is.
		return responseOf(note?.answer === undefined ? reply : { ...reply, headers: {} }, text);
	}
	const ok = isOk(reply);
	if (reply.status === 202 || (ok && note === undefined)) return responseOf(reply);
	if (ok && media === 'text/event-stream') return await inspectStream(options, reply, note);

	const isJson = media === 'application/json';
	const limit = ok && isJson ? options.maxMessageBytes : maxErrorBodyBytes;
	const { text, complete } = await readNoted(reply, note, limit);
	const json = isJson ? parseJson(text) : undefined;
	if (ok && isJson && !complete) {
		note?.interrupt({ kind: 'lost', reason: tooLarge(options.maxMessageBytes) });
	} else if (ok && json !== undefined) {
		options.evidence.answered(json, note?.id);
		// The SDK would wait on, although nothing more can come.
		if (note?.answer === undefined && holdsFrames(json))
			note?.interrupt({ kind: 'lost', reason: 'its answer was not for this request' });
	} else if (!ok) noteResults(options, media, text, note);
	if (note?.answer === undefined) {
		const rpcCode = errorCode(json);
		const waitMs = askedToWait(reply);
		record({
			body: excerpt(text, bodyExcerptLength, options.redact),
			...(rpcCode === undefined ? {} : { rpcCode }),
			...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
		});
	}
	return responseOf(reply, text);
}

/** A result says that the call ran, whatever status it comes with; an error frame says no more than the status. */
function noteResults(
	{ evidence }: WatchedFetchOptions,
	media: string | undefined,
	text: string,
	note: RequestNote | undefined,
): void {
	const take = (json: string): void => {
		for (const frame of [parseJson(json)].flat()) {
			if (isRecord(frame) && 'result' in frame) evidence.answered(frame, note?.id);
		}
	};
	if (media === 'application/json') take(text);
	if (media === 'text/event-stream') {
		parseEvents(({ data }) => {
			take(data);
		}).add(text);
	}
}

async function readNoted(
	reply: HttpReply,
	note: RequestNote | undefined,
	limit: number,
): ReturnType<typeof readBody> {
	try {
		return await readBody(reply.body, limit);
	} catch (caught) {
		const code = systemCode(caught);
		if (note !== undefined && code !== undefined) note.systemCode = code;
		if (isOk(reply)) throw caught;
		return { text: '', complete: false };
	}
}

/** What ends a request: the transport closes, or nobody waits for it any more. */
const signalsOf = (
	{ signals }: HttpRequest,
	note: RequestNote | undefined,
): readonly AbortSignal[] => (note === undefined ? signals : [...signals, note.abandoned.signal]);

/** Resolves after `ms` milliseconds, at once for none; rejects when the signal aborts. */
const delay = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
	if (ms > 0) await setTimeout(ms, undefined, signal ? { signal } : {});
};

const isRedirect = ({ status }: HttpReply): boolean => status >= 300 && status < 400;

const isOk = ({ status }: HttpReply): boolean => status >= 200 && status < 300;

const askedToWait = ({ status, headers }: HttpReply): number | undefined =>
	status === 429 || status === 503
		? retryAfterMs(headers['retry-after'], headers['date'], Date.now())
		: undefined;

const errorCode = (json: unknown): number | undefined => {
	const error = isRecord(json) ? json['error'] : undefined;
	const code = isRecord(error) ? error['code'] : undefined;
	return typeof code === 'number' ? code : undefined;
};
