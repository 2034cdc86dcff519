import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import { fail, type Failure, type Result, succeed } from '../outcome/failure';
import type { IdempotencyPath } from './idempotencyPath';

/** What identifies one operation of a tool over all executions (K2, K3). */
export interface IdempotencyKey {
	/** `<tool>:<value>`. */
	readonly key: string;
	/** The text of the argument as it stands, or its number in JSON spelling. */
	readonly value: string;
}

/**
 * Derives the key of a call from its arguments, or says as `key-missing` where the walk along the path stopped and what was
 * there; never what it said. Takes a text that is not empty, or a finite number (K2). A whole number beyond 2^53 − 1 is
 * refused: it may have lost digits on its way here, and two operations would have one key. `-0` is `0`, as JSON spells it.
 * The number 7 and the text "7" are one key: the ledger tells their arguments apart (K7).
 */
export function deriveKey(
	tool: string,
	path: IdempotencyPath,
	args: PlainObject,
): Result<IdempotencyKey> {
	const missing = (walked: number, found: string) =>
		fail(keyMissing(tool, path.join('.'), path.slice(0, walked).join('.'), found));
	let reached: unknown = args;
	for (const [at, name] of path.entries()) {
		if (!isPlainObject(reached)) return missing(at, nameKind(reached));
		reached = own(reached, name);
		if (reached === undefined) return missing(at + 1, 'nothing');
	}
	const value = keyValue(reached);
	return value === undefined
		? missing(path.length, nameKind(reached))
		: succeed({ key: `${tool}:${value}`, value });
}

function keyValue(value: unknown): string | undefined {
	if (typeof value === 'string') return value === '' ? undefined : value;
	if (typeof value !== 'number' || !Number.isFinite(value) || isBeyondDigits(value)) {
		return undefined;
	}
	return JSON.stringify(value);
}

const isBeyondDigits = (value: number): boolean => Math.abs(value) > Number.MAX_SAFE_INTEGER;

/** What stands there, without its content: arguments stand in no message (I9). */
function nameKind(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	switch (typeof value) {
		case 'string':
			return value === '' ? 'an empty text' : 'a text';
		case 'number':
			if (!Number.isFinite(value)) return 'no finite number';
			return isBeyondDigits(value) ? 'a number too large to have kept its digits' : 'a number';
		case 'boolean':
			return `\`${String(value)}\``;
		default:
			return 'an object';
	}
}

const keyMissing = (tool: string, path: string, walked: string, found: string): Failure => ({
	code: 'key-missing',
	disposition: 'did-not-happen',
	message: `"${tool}" needs its idempotency key "${path}", but ${found} stands at "${walked}"`,
	remedy:
		'Give a text that is not empty, or a number of at most 15 digits; the operator named the key under Tool Policies of the connection.',
});
