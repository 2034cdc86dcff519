import type { FailureContext } from './describeFailure';
import type { ProxyTrouble } from './proxyTunnel';
import { isCertificateCode, reachProblem } from './reachProblem';
import type { Wording } from './wording';

/** A proxy is named as the one that made no way to the server, by host and port alone. */
export function proxyWording(
	{ proxy, status, systemCode }: ProxyTrouble,
	{ activity, connection }: FailureContext,
): Wording {
	if (status !== undefined)
		return {
			message: `${activity} was refused: the proxy at ${proxy} answered with HTTP ${String(status)}, so ${connection} was not reached.`,
			remedy:
				status === 407
					? `Give the proxy's user and password in its URL in ${VARIABLES}.`
					: `Check what the proxy allows, or name the server's host in NO_PROXY of n8n's environment.`,
		};
	if (systemCode !== undefined && isCertificateCode(systemCode))
		return {
			message: `${activity} failed: the TLS certificate of the proxy at ${proxy} was not accepted (${systemCode}).`,
			remedy:
				"Enter the issuing authority's certificate in the field CA Certificate, or switch Ignore SSL Issues on.",
		};
	return {
		message: `${activity} failed: no connection to the proxy at ${proxy}, which leads to ${connection} (${reachProblem(systemCode)}).`,
		remedy: `Check that the proxy runs, and its address in ${VARIABLES}; or name the server's host in NO_PROXY.`,
	};
}

const VARIABLES = "HTTP_PROXY or HTTPS_PROXY of n8n's environment";
