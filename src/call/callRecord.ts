import type { PlainObject } from '../json/plainObject';
import type { Disposition } from '../outcome/failure';
import type { StoredPark } from '../park/parkedBatch';
import type { DecidedEffect } from '../policy/effect';

export type CallOutcomeName =
	'completed' | 'suspended' | 'sleeping' | 'resumed' | 'woke' | 'failed';

/** What is known about a call before and after it, for the item's `call`. */
export interface CallFacts {
	readonly tool: string;
	readonly serverName: string;
	readonly decided: DecidedEffect;
	/** How often the request was tried; 0 when a check refused it before. */
	readonly attempts: number;
	readonly warnings: readonly string[];
}

export interface ParkRecord {
	readonly park: StoredPark;
	/** UTC instant. */
	readonly parkedAt: string;
	/** Only while parked. */
	readonly resumeUrl?: string;
}

/** The `call` of an output item (surface: Tool Call). */
export function callRecord(
	facts: CallFacts,
	outcome: CallOutcomeName,
	more: { readonly disposition?: Disposition; readonly parked?: ParkRecord } = {},
): PlainObject {
	return {
		tool: facts.tool,
		serverName: facts.serverName,
		effect: facts.decided.effect,
		effectSource: facts.decided.source,
		outcome,
		attempts: facts.attempts,
		...(more.disposition === undefined ? {} : { disposition: more.disposition }),
		...(more.parked === undefined ? {} : { park: parkRecord(more.parked) }),
		...(facts.warnings.length === 0 ? {} : { warnings: facts.warnings }),
	};
}

function parkRecord({ park, parkedAt, resumeUrl }: ParkRecord): PlainObject {
	return {
		kind: park.kind,
		...(park.kind === 'sleep'
			? { until: park.until }
			: { reason: park.reason, inputSchema: park.inputSchema }),
		parkedAt,
		...(resumeUrl === undefined ? {} : { resumeUrl }),
	};
}
