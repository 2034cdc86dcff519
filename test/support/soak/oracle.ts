/** What a call must come to, from what its attempts met, by the specification alone (failures: Retry by effect; J1, J2, J4). */
import { toolOf } from './tools.ts';
import type { ToolName } from './tools.ts';
import type { Disposition, Met } from './troubles.ts';

export type Came =
	| { readonly kind: 'answered' | 'parked'; readonly attempts: number }
	| {
			readonly kind: 'failed';
			readonly code: string;
			readonly disposition: Disposition;
			readonly attempts: number;
	  }
	/** Another attempt was due, and no server has seen it. */
	| { readonly kind: 'unseen'; readonly attempts: number };

type Failed = Extract<Met, { readonly kind: 'failed' }>;

const MAX_ATTEMPTS = 3;
const TRANSIENT = ['rpc-error', 'session-lost', 'rate-limited', 'connection-lost', 'timed-out'];
const BADNESS: readonly Disposition[] = ['did-not-happen', 'landed', 'in-doubt'];

/** Throws when there were attempts that are forbidden after those before them. */
export function comesTo(tool: ToolName, met: readonly Met[]): Came {
	const failed: Failed[] = [];
	for (const [at, each] of met.entries()) {
		const attempts = at + 1;
		const isLast = attempts === met.length;
		if (each.kind !== 'failed' || !mayGoOn(tool, failed, each)) {
			if (!isLast)
				throw new Error(
					`Attempt ${String(attempts + 1)} is forbidden after ${JSON.stringify(met)}`,
				);
			if (each.kind !== 'failed') return { kind: each.kind, attempts };
			return { ...reported([...failed, each]), kind: 'failed', attempts };
		}
		failed.push(each);
	}
	return { kind: 'unseen', attempts: met.length };
}

function mayGoOn(tool: ToolName, before: readonly Failed[], failure: Failed): boolean {
	if (before.length + 1 >= MAX_ATTEMPTS || !TRANSIENT.includes(failure.code)) return false;
	if (failure.code === 'session-lost' && before.some(({ code }) => code === failure.code)) {
		return false;
	}
	const { effect, keyed } = toolOf(tool);
	if (effect === 'read' || (effect === 'idempotent' && keyed))
		return failure.disposition !== 'landed';
	return (
		failure.disposition === 'did-not-happen' &&
		before.every(({ disposition }) => disposition === 'did-not-happen')
	);
}

/** The last one says what happened, unless it did not happen and an earlier one may have; the disposition is the worst. */
function reported(failed: readonly Failed[]): Pick<Failed, 'code' | 'disposition'> {
	const worst = BADNESS[Math.max(...failed.map(({ disposition }) => BADNESS.indexOf(disposition)))];
	const last = failed.at(-1);
	if (worst === undefined || last === undefined) throw new Error('Nothing failed.');
	const telling =
		last.disposition === 'did-not-happen'
			? failed.findLast(({ disposition }) => disposition === worst)
			: last;
	return { code: telling?.code ?? last.code, disposition: worst };
}
