import { fail, type Failure, type Result } from '../outcome/failure';

interface Shared<T> {
	readonly outcome: Promise<Result<T>>;
	readonly giveUp: AbortController;
	waiting: number;
}

/**
 * Work that everybody who asks while it is under way waits for together. Each waits as long as its own signal lets it; the
 * work is given up when nobody waits any more. `work` must not reject.
 */
export function together<T>(
	work: (signal: AbortSignal) => Promise<Result<T>>,
	cancelled: Failure,
): (signal: AbortSignal | undefined) => Promise<Result<T>> {
	let shared: Shared<T> | undefined;

	const start = (): Shared<T> => {
		const giveUp = new AbortController();
		const outcome = work(giveUp.signal).finally(() => {
			if (shared === started) shared = undefined;
		});
		const started: Shared<T> = { outcome, giveUp, waiting: 0 };
		return started;
	};

	return async (signal) => {
		if (signal?.aborted === true) return fail(cancelled);
		const joined = (shared ??= start());
		joined.waiting += 1;
		const outcome = await untilAborted(joined.outcome, signal);
		joined.waiting -= 1;
		if (outcome !== undefined) return outcome;
		if (joined.waiting === 0) {
			if (shared === joined) shared = undefined;
			joined.giveUp.abort();
		}
		return fail(cancelled);
	};
}

/** The value of a promise, or undefined as soon as the signal aborts. */
async function untilAborted<T>(
	promise: Promise<T>,
	signal: AbortSignal | undefined,
): Promise<T | undefined> {
	if (signal === undefined) return await promise;
	let stop: (() => void) | undefined;
	const aborted = new Promise<undefined>((settle) => {
		stop = () => {
			settle(undefined);
		};
		signal.addEventListener('abort', stop);
	});
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		if (stop !== undefined) signal.removeEventListener('abort', stop);
	}
}
