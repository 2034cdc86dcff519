import type { Retrying } from '../../src/call/attempts';
import type { CallingContext } from '../../src/call/callTool';
import type { Claims } from '../../src/call/claims';
import { indexByPublicName } from '../../src/policy/describeTool';
import { rememberingCheck } from '../../src/schema/rememberingCheck';
import type { OpenedConnection } from '../shared/openConnection';
import { sha256 } from '../shared/sha256';

/** What the calls of a run share, over all its connections. */
export interface RunOfCalls {
	readonly retrying: Omit<Retrying, 'maxDurationMs'>;
	readonly claims: Claims;
	readonly signal: AbortSignal | undefined;
}

/** What the calls over one connection share. */
export const callingContext = (
	{ session, serverName, tools, unoffered, connection }: OpenedConnection,
	{ retrying, claims, signal }: RunOfCalls,
): CallingContext => ({
	session,
	claims,
	retrying: { ...retrying, maxDurationMs: connection.settings.maxDurationMs },
	serverName,
	tools: indexByPublicName(tools),
	unoffered,
	sha256,
	sign: connection.sign,
	checkArguments: rememberingCheck(),
	...(signal === undefined ? {} : { signal }),
});
