import { Pool, type Dispatcher } from 'undici';

import { isPlainObject } from '../json/plainObject';
import { hostAndPort } from './describeConnection';
import { systemCode } from './systemCode';

/** A proxy that made no tunnel to the server, so that nothing was sent. */
export interface ProxyTrouble {
	/** Host and port, without user and password. */
	readonly proxy: string;
	/** What it answered when it was asked for the tunnel; absent when it could not be asked. */
	readonly status?: number;
	/** System or library code of what went wrong in asking it. */
	readonly systemCode?: string;
}

/**
 * The connections to a proxy, by which tunnels to servers are asked for. Whoever wanted a tunnel and got none is told by an
 * error that holds a `ProxyTrouble`. It has no code of its own: for some codes the library would ask again without end.
 */
export const proxyConnections = (proxy: URL, options: object): Dispatcher => {
	const authorization = authorizationIn(proxy);
	return new Pool(proxy, options).compose((dispatch) => (request, handler) => {
		const failWith = (
			controller: Dispatcher.DispatchController,
			trouble: Omit<ProxyTrouble, 'proxy'>,
		): void =>
			handler.onResponseError?.(
				controller,
				new NoTunnel({ proxy: hostAndPort(proxy), ...trouble }),
			);
		const headers = isPlainObject(request.headers) ? request.headers : {};
		return dispatch(
			{ ...request, headers: { ...headers, ...authorization } },
			{
				onRequestStart: (...event) => handler.onRequestStart?.(...event),
				onRequestUpgrade(controller, status, answered, socket) {
					if (status === 200) {
						handler.onRequestUpgrade?.(controller, status, answered, socket);
						return;
					}
					socket.on('error', () => undefined).destroy();
					failWith(controller, { status });
				},
				onResponseError(controller, caught) {
					const code = systemCode(caught);
					failWith(controller, code === undefined ? {} : { systemCode: code });
				},
			},
		);
	});
};

/** The library itself sends it only where there are both, a user and a password. */
function authorizationIn({ username, password }: URL): Readonly<Record<string, string>> {
	if (username === '' && password === '') return {};
	const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
	return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** What is said of a proxy in anything caught, looked up through causes; undefined if nothing is. */
export function proxyTrouble(caught: unknown): ProxyTrouble | undefined {
	if (caught instanceof NoTunnel) return caught.trouble;
	return caught instanceof Error ? proxyTrouble(caught.cause) : undefined;
}

class NoTunnel extends Error {
	constructor(readonly trouble: ProxyTrouble) {
		super('the proxy made no tunnel');
	}
}
