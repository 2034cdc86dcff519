import type { Failure, FailureEvidence } from '../outcome/failure';
import { classify, type Facts } from './classify';
import type { Redact } from './redact';
import type { WireFacts } from './wire';
import { wording } from './wording';

/** What a message needs beside the facts. */
export interface FailureContext {
	/** What was under way, as the start of a sentence: `Calling the tool "x"`. */
	readonly activity: string;
	readonly connection: string;
	readonly requestTimeoutMs: number;
	readonly maxDurationMs: number;
	readonly redact: Redact;
	readonly wire: WireFacts;
}

/** The failure for these facts: code and disposition by `classify`, a sentence, a remedy, evidence without secrets. */
export function describeFailure(facts: Facts, context: FailureContext): Failure {
	const verdict = classify(facts);
	const evidence = collectEvidence(facts, context);
	return {
		...verdict,
		stage: verdict.code === 'spawn-failed' ? 'spawn' : facts.stage,
		...wording(facts, verdict, context),
		...(Object.keys(evidence).length === 0 ? {} : { evidence }),
	};
}

function collectEvidence(facts: Facts, { wire }: FailureContext): FailureEvidence {
	const rpcCode = facts.answer?.kind === 'error' ? facts.answer.rpcCode : facts.http?.rpcCode;
	return {
		...(facts.http === undefined ? {} : { httpStatus: facts.http.status }),
		...(facts.http?.body === undefined ? {} : { body: facts.http.body }),
		...(wire.output === undefined || wire.output === '' ? {} : { stderr: wire.output }),
		...(wire.command === undefined ? {} : { command: wire.command }),
		...(rpcCode === undefined ? {} : { rpcCode }),
		...(facts.http?.retryAfterMs === undefined ? {} : { retryAfterMs: facts.http.retryAfterMs }),
	};
}
