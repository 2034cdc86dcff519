import { getCACertificates } from 'node:tls';

import { EnvHttpProxyAgent, type Dispatcher } from 'undici';

import type { HttpSettings } from '../call/connectionSettings';
import type { EgressFilter } from './egressFilter';

/** What the operator decides about connections. */
export interface Surroundings {
	readonly env: NodeJS.ProcessEnv;
	readonly egressFilter?: EgressFilter | undefined;
}

/**
 * The sockets of one connection: proxies from the environment (C6), the CA certificate beside the trusted ones, and none of
 * the library's own time limits, since ours bound every request (C3). Hosts are looked up through the egress filter; a proxy
 * is the operator's own and need not pass it.
 */
export function createDispatcher(
	settings: HttpSettings,
	{ env, egressFilter }: Surroundings,
): Dispatcher {
	const lookup = egressFilter === undefined ? {} : { lookup: egressFilter.createSecureLookup() };
	const tls = {
		rejectUnauthorized: !settings.ignoreSslIssues,
		...(settings.caCertificate === undefined || settings.caCertificate.trim() === ''
			? {}
			: { ca: [...getCACertificates('default'), settings.caCertificate] }),
	};
	return new EnvHttpProxyAgent({
		// An empty text, unlike undefined, keeps the library from reading process.env itself.
		httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
		httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
		noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
		headersTimeout: 0,
		bodyTimeout: 0,
		connect: { timeout: 0, ...lookup, ...tls },
		requestTls: { timeout: 0, ...tls },
		proxyTls: { timeout: 0, ...tls },
	});
}
