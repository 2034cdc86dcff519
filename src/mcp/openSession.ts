import type { ConnectionSettings } from '../call/connectionSettings';
import type { OpenSession } from '../call/session';
import type { Result } from '../outcome/failure';
import { checkEgress, type EgressFilter } from './egressFilter';
import { createEvidence, type Evidence } from './evidence';
import { createHttpWire } from './httpWire';
import { readMaxResponse } from './maxResponse';
import { openSessionOver } from './session';
import { createStdioWire } from './stdioWire';
import type { Wire } from './wire';

export interface OpenSessionOptions {
	readonly env: NodeJS.ProcessEnv;
	readonly egressFilter?: EgressFilter | undefined;
}

/**
 * Gives the `OpenSession` port over real transports. `env` is n8n's own environment: proxies, PATH, the operator's command
 * list (C8) and `SALVOR_MAX_RESPONSE_MB` are read from it at every opening. `egressFilter` is n8n's own, where it offers one (C6).
 */
export function openSession(options: OpenSessionOptions): OpenSession {
	return async (settings, signal) => {
		const evidence = createEvidence();
		const wire = await createWire(settings, options, evidence);
		return wire.ok ? await openSessionOver(wire.value, evidence, settings, signal) : wire;
	};
}

async function createWire(
	{ transport }: ConnectionSettings,
	{ env, egressFilter }: OpenSessionOptions,
	evidence: Evidence,
): Promise<Result<Wire>> {
	const maxBytes = readMaxResponse(env);
	if (!maxBytes.ok) return maxBytes;
	switch (transport.kind) {
		case 'streamableHttp': {
			const wire = createHttpWire(transport, { env, egressFilter }, evidence, maxBytes.value);
			if (!wire.ok || egressFilter === undefined) return wire;
			const allowed = await checkEgress(transport, egressFilter);
			return allowed.ok ? wire : allowed;
		}
		case 'stdio':
			return createStdioWire(transport, env, evidence, maxBytes.value);
	}
}
