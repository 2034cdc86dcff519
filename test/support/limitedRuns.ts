import type { Json } from '../../scripts/host/json';
import type { NodeSpec } from './workflow';
import { callEach } from './manyParks';
import type { CallEachSpec } from './manyParks';
import type { CredentialReference } from '../../scripts/host/n8nRest';

/** n8n looks for due executions once a minute; this is longer than the tests' limits and that minute, on a slow machine. */
export const POLL_MS = 240_000;

/** The option Limit Wait, in seconds. */
export const limitOf = (seconds: number, onExpiry: 'continue' | 'fail' = 'continue'): Json => ({
	limitWait: { values: { amount: seconds / 60, unit: 'minutes', onExpiry } },
});

/** Our node with a limit, calling with what the item of `Before` holds. */
export const limitedCall = (
	credential: CredentialReference,
	limit: Json,
	spec: CallEachSpec = {},
): NodeSpec => callEach(credential, { ...spec, options: { ...limit, ...spec.options } });

/** Our node waiting, with a limit, for the items that come in with an open park. */
export const limitedAwait = (type: string, limit: Json, settings: Json = {}): NodeSpec => ({
	name: 'Await',
	type,
	parameters: { operation: 'await', options: limit },
	settings,
});
