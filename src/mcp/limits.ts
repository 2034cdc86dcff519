import type { Interruption } from './evidence';

/** Node's timers cannot wait longer than this. */
export const longestTimerMs = 2 ** 31 - 1;

/** Answers to what a server asks that may be on their way to it at once; further ones are dropped. */
export const mostAnswersAtOnce = 256;

export interface Limits {
	/** Aborts when a limit is reached, the caller cancels, or `interrupt` is called; its reason is plain text for the wire. */
	readonly signal: AbortSignal;
	/** Why it aborted; undefined while it has not. */
	readonly interruption: () => Interruption | undefined;
	readonly interrupt: (interruption: Interruption) => void;
	/** Progress came: the idle limit starts anew (C3). */
	readonly progress: () => void;
	/** Must be called at the end; releases the timers. */
	readonly stop: () => void;
}

/** Starts the clocks of one request (C3): an idle limit that progress resets and a hard limit, both in milliseconds. */
export function startLimits(
	limits: { readonly requestTimeoutMs: number; readonly maxDurationMs: number },
	cancel: AbortSignal | undefined,
): Limits {
	const controller = new AbortController();
	let ended: Interruption | undefined;
	let stopped = false;

	const interrupt = (interruption: Interruption): void => {
		if (ended !== undefined || stopped) return;
		ended = interruption;
		stop();
		controller.abort(wireReason(interruption));
	};
	const onCancel = (): void => {
		interrupt({ kind: 'cancelled' });
	};
	const startIdle = (): NodeJS.Timeout =>
		setTimeout(
			() => {
				interrupt({ kind: 'request-timeout' });
			},
			Math.min(limits.requestTimeoutMs, longestTimerMs),
		);
	let idle = startIdle();
	const hard = setTimeout(
		() => {
			interrupt({ kind: 'max-duration' });
		},
		Math.min(limits.maxDurationMs, longestTimerMs),
	);
	const stop = (): void => {
		stopped = true;
		clearTimeout(idle);
		clearTimeout(hard);
		cancel?.removeEventListener('abort', onCancel);
	};

	if (cancel?.aborted) onCancel();
	else cancel?.addEventListener('abort', onCancel);

	return {
		signal: controller.signal,
		interruption: () => ended,
		interrupt,
		progress() {
			if (stopped) return;
			clearTimeout(idle);
			idle = startIdle();
		},
		stop,
	};
}

function wireReason(interruption: Interruption): string {
	switch (interruption.kind) {
		case 'request-timeout':
		case 'max-duration':
			return 'The client stopped waiting';
		case 'cancelled':
			return 'The execution was cancelled';
		case 'unreadable':
			return 'The answer could not be read';
		case 'lost':
			return 'The connection was lost';
	}
}
