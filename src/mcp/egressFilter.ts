import type { LookupFunction } from 'node:net';

import type { HttpSettings } from '../call/connectionSettings';
import { fail, succeed, type Result } from '../outcome/failure';
import { describeConnection } from './describeConnection';
import { systemCode } from './systemCode';

/** What n8n's operator allows requests to reach, in the shape in which n8n gives it to its nodes (C6). */
export interface EgressFilter {
	/** Looks the host up and judges it; rejects when it cannot be looked up. */
	readonly validateUrl: (
		url: URL,
	) => Promise<{ readonly ok: true } | { readonly ok: false; readonly error: Error }>;
	/** Looks a host up for a connection; fails for an address that is not allowed. */
	readonly createSecureLookup: () => LookupFunction;
}

/**
 * Judges the endpoint before anything is connected to. Addresses are judged again whenever one is looked up, and redirects
 * stay on the origin.
 */
export async function checkEgress(
	settings: HttpSettings,
	filter: EgressFilter,
): Promise<Result<undefined>> {
	const connection = describeConnection(settings);
	try {
		const verdict = await filter.validateUrl(new URL(settings.endpoint));
		if (verdict.ok) return succeed(undefined);
		return fail({
			code: 'connection-invalid',
			disposition: 'did-not-happen',
			stage: 'connect',
			message: `Connecting was refused: the operator of this n8n does not allow requests to ${connection} (${verdict.error.message}).`,
			remedy:
				'Correct the field Endpoint, or have the operator allow it in N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.',
		});
	} catch (caught) {
		return fail({
			code: 'unreachable',
			disposition: 'did-not-happen',
			stage: 'connect',
			message: `Connecting failed: ${connection} could not be looked up for n8n's egress filter (${systemCode(caught) ?? 'no code'}).`,
			remedy: 'Check the field Endpoint, and that n8n can look its host up.',
		});
	}
}
