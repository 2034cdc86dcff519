import type { ConnectionSettings } from '../call/connectionSettings';
import type { Result } from '../outcome/failure';
import { createEvidence, type Evidence } from './evidence';
import { createHttpWire } from './httpWire';
import { openSessionOver, type ServerSession } from './session';
import { createStdioWire } from './stdioWire';
import type { Wire } from './wire';

const defaultMaxResponseMb = 32;

/** The port `OpenSession` whose sessions a pool can share. */
export type OpenServerSession = (
	settings: ConnectionSettings,
	signal?: AbortSignal,
) => Promise<Result<ServerSession>>;

/**
 * Gives the `OpenSession` port over real transports. `env` is n8n's own environment: proxies, PATH, the operator's command
 * list (C8) and `SALVOR_MAX_RESPONSE_MB` (MiB, 32 by default) are read from it at every opening.
 */
export function openSession(options: { readonly env: NodeJS.ProcessEnv }): OpenServerSession {
	return async (settings, signal) => {
		const evidence = createEvidence();
		const wire = createWire(settings, options.env, evidence);
		return wire.ok ? await openSessionOver(wire.value, evidence, settings, signal) : wire;
	};
}

function createWire(
	settings: ConnectionSettings,
	env: NodeJS.ProcessEnv,
	evidence: Evidence,
): Result<Wire> {
	const { transport } = settings;
	const maxBytes = maxResponseBytes(env);
	switch (transport.kind) {
		case 'streamableHttp':
			return createHttpWire(transport, env, evidence, maxBytes);
		case 'stdio':
			return createStdioWire(transport, env, evidence, maxBytes);
	}
}

function maxResponseBytes(env: NodeJS.ProcessEnv): number {
	const megabytes = Number(env['SALVOR_MAX_RESPONSE_MB']);
	return (megabytes > 0 ? megabytes : defaultMaxResponseMb) * 1024 * 1024;
}
