import type { Dispatcher } from 'undici';

import { clientInfo } from './clientInfo';
import { createReplyBody, type ReplyBody } from './replyBody';
import { unpackBody } from './unpackBody';

/** By names in lower case; those that came more than once are one, with commas. */
export type HttpHeaders = Readonly<Record<string, string>>;

export interface HttpRequest {
	readonly url: string | URL;
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly headers: HttpHeaders;
	readonly body?: string | undefined;
	/** Each of them ends the request, and the body that comes back. */
	readonly signals: readonly AbortSignal[];
	/** Called when a connected socket starts to write the request, unless a signal came before. */
	readonly onStart?: (() => void) | undefined;
}

/** A server's answer: its head, and a body that is still to be read. */
export interface HttpReply {
	readonly status: number;
	readonly headers: HttpHeaders;
	readonly body: ReplyBody;
}

/** Some servers and firewalls refuse who gives no name. */
const ownHeaders = {
	'accept-encoding': 'gzip, br',
	'user-agent': `${clientInfo.name}/${clientInfo.version}`,
};

/**
 * Sends one request and resolves with the head of its answer; follows no redirect. Rejects with the error of the library or
 * the system, and at once with a signal's reason. The library's `fetch` does the same through streams and copies that cost
 * more than all else in a small call.
 */
export function sendHttp(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpReply> {
	const { url, method, headers, body, signals, onStart } = request;
	const { origin, pathname, search } = new URL(url);
	return new Promise((resolve, reject) => {
		const arriving = createReplyBody();
		let controller: Dispatcher.DispatchController | undefined;
		let reason: Error | undefined;

		const onAbort = (): void => {
			reason = reasonOf(signals.find(({ aborted }) => aborted));
			controller?.abort(reason);
			failed(reason);
		};
		const release = (): void => {
			for (const signal of signals) signal.removeEventListener('abort', onAbort);
		};
		const failed = (error: Error): void => {
			release();
			arriving.broke(error);
			reject(error);
		};

		for (const signal of signals) signal.addEventListener('abort', onAbort);
		if (signals.some(({ aborted }) => aborted)) {
			onAbort();
			return;
		}
		try {
			dispatcher.dispatch(
				{
					origin,
					path: pathname + search,
					method,
					headers: { ...ownHeaders, ...headers },
					body: body ?? null,
				},
				{
					onRequestStart(started) {
						controller = started;
						if (reason === undefined) onStart?.();
						else started.abort(reason);
					},
					onResponseStart(started, status, received) {
						if (status < 200) return;
						const replied = Object.fromEntries(
							Object.entries(received).map(([name, value]) => [name, String(value)]),
						);
						arriving.comesThrough(started);
						const unpacked = unpackBody(arriving, replied['content-encoding']);
						resolve({ status, headers: replied, body: unpacked });
					},
					onResponseData(_started, chunk) {
						arriving.add(chunk);
					},
					onResponseEnd() {
						release();
						arriving.ended();
					},
					onResponseError(_started, error) {
						failed(error);
					},
				},
			);
		} catch (caught) {
			failed(caught instanceof Error ? caught : new Error(String(caught)));
		}
	});
}

const reasonOf = (signal: AbortSignal | undefined): Error =>
	signal?.reason instanceof Error ? signal.reason : new Error('The request was given up');
