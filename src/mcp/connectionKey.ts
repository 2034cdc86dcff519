import { createHash } from 'node:crypto';

import type { ConnectionSettings } from '../call/connectionSettings';
import { canonicalJson } from '../json/canonicalJson';

/**
 * What makes two connections the same one: all that goes to the wire, and the limits (C9); not the operator's name for the
 * server. A digest, as the settings hold secrets. `owner` names whom it belongs to alone.
 */
export function connectionKey(
	{ transport, requestTimeoutMs, maxDurationMs, presetAnswers, renewable }: ConnectionSettings,
	owner: string | undefined,
): string {
	const limits = { requestTimeoutMs, maxDurationMs };
	const whole = canonicalJson({ transport, ...limits, presetAnswers, renewable, owner });
	return createHash('sha256').update(whole).digest('hex');
}
