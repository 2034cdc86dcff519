import type { Execution } from '../../../scripts/host/executionData';
import { jsonOf } from '../host';
import { type Batch, type BatchItem, fails, stopsAtOnce, waitEndsBy } from './batches';

/** What the answerers of a batch were told, item by item. */
export interface AnswerBook {
	/** Answers that n8n said it took. */
	readonly taken: ReadonlyMap<number, readonly string[]>;
	/** Every answer that was sent, whatever came back. */
	readonly sent: ReadonlyMap<number, readonly string[]>;
	/** How often it was said that the execution goes on. */
	readonly resumed: number;
}

/** What is wrong with how a batch ended; `calls` counts what reached the server, by item. */
export function judgeBatch(
	batch: Batch,
	done: Execution,
	book: AnswerBook,
	calls: readonly number[],
): readonly string[] {
	const { items, onError } = batch;
	const faults: string[] = [];
	const claim = (holds: boolean, fault: string) => {
		if (!holds) faults.push(fault);
	};
	for (const [item, times] of calls.entries()) {
		claim(times <= 1, `item ${String(item)} was called ${String(times)} times`);
	}
	for (const [item, taken] of book.taken) {
		claim(taken.length <= 1, `item ${String(item)} took ${String(taken.length)} answers`);
	}
	claim(book.resumed <= 1, `resumed ${String(book.resumed)} times`);
	if (onError === 'stopWorkflow' && items.some((entry) => fails(batch, entry))) {
		claim(stopsAtOnce(batch) || calls.every((times) => times === 1), `calls: ${calls.join(', ')}`);
		claim(done.status === 'error', `${done.status} instead of error`);
		claim(done.runData.After === undefined, 'something left a node that failed');
		return faults;
	}
	claim(
		done.status === 'success',
		`${done.status} instead of success: ${done.error?.message ?? ''}`,
	);
	claim(
		calls.every((times) => times === 1),
		`calls: ${calls.join(', ')}`,
	);
	claim((done.runData[batch.waitsAt]?.length ?? 0) <= 1, `${batch.waitsAt} ran more than once`);
	const apart = onError === 'continueErrorOutput';
	const [left, right] = [
		expectedOf(batch, book, (entry) => !apart || !fails(batch, entry)),
		expectedOf(batch, book, (entry) => apart && fails(batch, entry)),
	];
	for (const [node, expected] of [
		['After', left],
		['Failed', right],
	] as const) {
		const runs = done.runData[node]?.length ?? 0;
		const due = expected.length > 0 ? 1 : 0;
		claim(
			runs === due || (due === 0 && jsonOf(done, node).length === 0),
			`${node} ran ${String(runs)} times`,
		);
		const came = jsonOf(done, node).map((json) => JSON.stringify(json));
		claim(
			came.length === expected.length &&
				expected.every((allowed, at) => allowed.includes(came[at] ?? '')),
			`${node} got ${came.join(' ')} instead of ${expected.map((allowed) => allowed.join(' or ')).join(' ')}`,
		);
	}
	return faults;
}

/** For each item that leaves by an output, what it may be. */
function expectedOf(
	batch: Batch,
	book: AnswerBook,
	leaves: (entry: BatchItem) => boolean,
): readonly (readonly string[])[] {
	return batch.items.flatMap((entry, item) =>
		leaves(entry) ? [allowedFor(batch, entry, item, book)] : [],
	);
}

function allowedFor(
	batch: Batch,
	{ kind, says }: BatchItem,
	item: number,
	book: AnswerBook,
): readonly string[] {
	const left = (output: unknown, outcome: string, code = '') =>
		JSON.stringify({ x: `x${String(item)}`, output: JSON.stringify(output), outcome, code });
	switch (kind) {
		case 'complete':
			return [left(says, 'completed')];
		case 'past':
		case 'short':
			return [left({ slept_until: says }, 'woke')];
		case 'asleep':
			return waitEndsBy(batch) === 'clock'
				? [left({ slept_until: says }, 'woke')]
				: [left(null, 'sleeping')];
		case 'expire':
			return batch.limit?.onExpiry === 'fail'
				? [left(null, '', 'wait-expired')]
				: [left(null, 'expired')];
		case 'fail':
			return [left(null, '', 'tool-error')];
		case 'malformed':
			return [left(null, '', 'park-malformed')];
		case 'person':
		case 'signal': {
			const taken = book.taken.get(item) ?? [];
			// An answer whose sender was cut off may be the one that stands.
			const standing = taken.length > 0 ? taken : (book.sent.get(item) ?? []);
			return standing.map((answer) => left(answer, 'resumed'));
		}
	}
}
