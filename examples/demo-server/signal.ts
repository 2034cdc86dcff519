import { setTimeout as pause } from 'node:timers/promises';

export type Delivery =
	| { readonly kind: 'delivered'; readonly attempts: number }
	/** Trying again would not help: the address is no web address, or the answer was turned down. */
	| { readonly kind: 'refused'; readonly attempts: number; readonly problem: string }
	| { readonly kind: 'gave-up'; readonly attempts: number; readonly problem: string };

export type Patience = {
	readonly maxAttempts: number;
	readonly firstBackoffMs: number;
	readonly maxBackoffMs: number;
	readonly requestTimeoutMs: number;
};

/** About two minutes in all: a run with many items parks only after the last of its calls. */
const defaultPatience: Patience = {
	maxAttempts: 12,
	firstBackoffMs: 500,
	maxBackoffMs: 15_000,
	requestTimeoutMs: 10_000,
};

type Attempt =
	{ readonly kind: 'delivered' } | { readonly kind: 'refused' | 'again'; readonly problem: string };

/**
 * Posts an answer to a resume URL, used exactly as it was given. Tries again after 409 (the caller
 * is not parked yet), 429, 5xx and failed connections; anything else is final. Never rejects, and
 * its waits do not keep a process alive.
 */
export async function postSignal(
	resumeUrl: string,
	answer: unknown,
	patience: Patience = defaultPatience,
): Promise<Delivery> {
	if (!isWebAddress(resumeUrl)) {
		return { kind: 'refused', attempts: 0, problem: 'the resume URL is not an http(s) address' };
	}
	let backoffMs = patience.firstBackoffMs;
	for (let attempts = 1; ; attempts += 1) {
		const attempt = await postOnce(resumeUrl, answer, patience.requestTimeoutMs);
		if (attempt.kind === 'delivered') return { kind: 'delivered', attempts };
		if (attempt.kind === 'refused') return { ...attempt, kind: 'refused', attempts };
		if (attempts >= patience.maxAttempts) return { ...attempt, kind: 'gave-up', attempts };
		await pause(backoffMs, undefined, { ref: false });
		backoffMs = Math.min(backoffMs * 2, patience.maxBackoffMs);
	}
}

async function postOnce(resumeUrl: string, answer: unknown, timeoutMs: number): Promise<Attempt> {
	try {
		const response = await fetch(resumeUrl, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(answer),
			// The address is a secret: it is not carried on to wherever somebody points.
			redirect: 'manual',
			signal: AbortSignal.timeout(timeoutMs),
		});
		await response.body?.cancel();
		return judge(response.status);
	} catch (error) {
		const name = error instanceof Error ? error.name : 'unknown error';
		return { kind: 'again', problem: `the connection failed (${name})` };
	}
}

function judge(status: number): Attempt {
	if (status >= 200 && status < 300) return { kind: 'delivered' };
	const problem = `the resume address answered ${String(status)}`;
	if (status === 409 || status === 429 || status >= 500) return { kind: 'again', problem };
	return { kind: 'refused', problem };
}

function isWebAddress(text: string): boolean {
	const protocol = URL.parse(text)?.protocol;
	return protocol === 'http:' || protocol === 'https:';
}
