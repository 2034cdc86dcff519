import { type AttemptRecord, inAttempts, type Retrying } from '../../src/call/attempts';
import { fail, type Result, succeed } from '../../src/outcome/failure';
import type { Persist } from '../shared/openConnection';

/**
 * Tries to open a connection like a call: what failed before the tool did not happen, whatever its effect. The record is
 * that of the latest opening; no attempt where the connection's settings were refused.
 */
export function openInAttempts(
	retrying: Omit<Retrying, 'maxDurationMs'>,
	signal: AbortSignal | undefined,
): { readonly persist: Persist; readonly record: () => AttemptRecord } {
	let record: AttemptRecord = { attempts: 0 };
	const persist: Persist = async <T>(
		maxDurationMs: number,
		open: (until: AbortSignal | undefined) => Promise<Result<T>>,
	): Promise<Result<T>> => {
		const tried = await inAttempts<T>(
			{ retrying: { ...retrying, maxDurationMs }, signal, effect: 'read', keyed: false },
			async (until) => {
				const opened = await open(until);
				return opened.ok
					? { kind: 'ended', value: opened.value }
					: { kind: 'failed', failure: opened.failure };
			},
		);
		record = tried.record;
		return tried.kind === 'ended' ? succeed(tried.value) : fail(tried.failure);
	};
	return { persist, record: () => record };
}
