import type { ConnectionSettings } from '../call/connectionSettings';
import type { Result } from '../outcome/failure';
import { checkEgress, type EgressFilter } from './egressFilter';
import { createEvidence, type Evidence } from './evidence';
import type { Surroundings } from './httpDispatcher';
import { createHttpWire } from './httpWire';
import { readMaxResponse } from './maxResponse';
import { openSessionOver, type ServerSession } from './session';
import { createStdioWire } from './stdioWire';
import type { Wire } from './wire';

/** The port `OpenSession` whose sessions a pool can share. */
export type OpenServerSession = (
	settings: ConnectionSettings,
	signal?: AbortSignal,
	/** The host's own, where it offers one (C6). */
	egressFilter?: EgressFilter,
) => Promise<Result<ServerSession>>;

/**
 * Gives the `OpenSession` port over real transports. `env` is n8n's own environment: proxies, PATH, the operator's command
 * list (C8) and `SALVOR_MAX_RESPONSE_MB` are read from it at every opening.
 */
export function openSession(options: { readonly env: NodeJS.ProcessEnv }): OpenServerSession {
	return async (settings, signal, egressFilter) => {
		const evidence = createEvidence();
		const wire = await createWire(settings, { ...options, egressFilter }, evidence);
		return wire.ok ? await openSessionOver(wire.value, evidence, settings, signal) : wire;
	};
}

async function createWire(
	{ transport, requestTimeoutMs }: ConnectionSettings,
	surroundings: Surroundings,
	evidence: Evidence,
): Promise<Result<Wire>> {
	const { env, egressFilter } = surroundings;
	const maxBytes = readMaxResponse(env);
	if (!maxBytes.ok) return maxBytes;
	switch (transport.kind) {
		case 'streamableHttp': {
			const limits = { maxMessageBytes: maxBytes.value, requestTimeoutMs };
			const wire = createHttpWire(transport, surroundings, evidence, limits);
			if (!wire.ok || egressFilter === undefined) return wire;
			const allowed = await checkEgress(transport, egressFilter);
			if (allowed.ok) return wire;
			await wire.value.close();
			return allowed;
		}
		case 'stdio':
			return createStdioWire(transport, env, evidence, maxBytes.value);
	}
}
