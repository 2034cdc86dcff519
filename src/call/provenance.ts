import { canonicalJson } from '../json/canonicalJson';
import type { Sha256 } from '../policy/pin';
import type { ToolRequest } from './session';

/** What the keys of a request's `_meta` begin with (C15). */
const PREFIX = 'io.github.n8n-nodes-salvor/';

/** Where a call comes from (C15). */
export interface Origin {
	/** The id of the workflow. */
	readonly workflow: string;
	/** The id of the execution. */
	readonly execution: string;
	/** The name of the node. */
	readonly node: string;
	/** The index of the item in the node's run. */
	readonly item: number;
	/** Names the call: all its attempts have it, and no other call has. */
	readonly call: string;
	/** How often the call was tried before this run of the node, which n8n's Retry On Fail has begun anew. */
	readonly attemptsBefore: number;
}

export interface Signature {
	readonly algorithm: 'HMAC-SHA256' | 'Ed25519';
	/** Base64url, without padding. */
	readonly value: string;
}

/** Signs the UTF-8 bytes of a text. */
export type Sign = (text: string) => Signature;

/** The `_meta` that tells the server the address which answers the call (C15). */
export const resumeUrlMeta = (resumeUrl: string): Readonly<Record<string, unknown>> => ({
	[`${PREFIX}resume-url`]: resumeUrl,
});

/**
 * The `_meta` that tells the server where an attempt comes from, signed where the connection has a key (C15). `attempt` is
 * from 1. docs/provenance.md describes both for those who verify it.
 */
export function provenanceMeta(
	{ attemptsBefore, ...origin }: Origin,
	attempt: number,
	request: Pick<ToolRequest, 'name' | 'arguments'>,
	signing: { readonly sign?: Sign | undefined; readonly sha256: Sha256 },
): Readonly<Record<string, unknown>> {
	const { workflow, execution, node, item, call } = origin;
	const fields = { workflow, execution, node, item, attempt: attemptsBefore + attempt, call };
	const { sign, sha256 } = signing;
	const signed =
		sign === undefined
			? {}
			: { signature: sign(signedText(fields, request.name, argumentsDigest(request, sha256))) };
	return Object.fromEntries(
		Object.entries({ ...fields, ...signed }).map(([name, value]) => [`${PREFIX}${name}`, value]),
	);
}

const signedText = (fields: object, tool: string, argumentsSha256: string): string =>
	canonicalJson({ ...fields, tool, argumentsSha256 });

/** Of the arguments as they arrive: an expression may give values that JSON spells in its own way, such as dates. */
const argumentsDigest = (request: Pick<ToolRequest, 'arguments'>, sha256: Sha256): string =>
	sha256(canonicalJson(JSON.parse(JSON.stringify(request.arguments))));
