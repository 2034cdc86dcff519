import { createContext, Script } from 'node:vm';

export type Timed<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'stopped' };

/** Work that had less than this part of its time on the processor was not slow, but kept waiting. */
const BUSY_SHARE = 0.4;
const SMALLEST_SHARE = 0.1;

const context: { work: (() => void) | undefined } = { work: undefined };
const sandbox = createContext(context);
const script = new Script('work()');

/**
 * Runs synchronous work and stops it after `limitMs`; what the work throws, this throws. Work that a busy machine
 * kept from running is begun again, once and with more time, so it has to bear that.
 * A schema may ask for more steps than anybody can wait for (recursion that doubles at each level of the value,
 * a pattern of a thousand states on a long text), and only the engine itself can interrupt such work.
 */
export function withinTime<T>(limitMs: number, work: () => T): Timed<T> {
	const before = usedMs();
	const first = runOnce(limitMs, work);
	if (first.kind === 'done') return first;
	const share = (usedMs() - before) / limitMs;
	if (share >= BUSY_SHARE) return first;
	return runOnce(Math.ceil(limitMs / Math.max(share, SMALLEST_SHARE)), work);
}

/** Time on the processor: of this thread where the engine tells it, else of the process. */
function usedMs(): number {
	const host: { cpuUsage(): CpuUsage; threadCpuUsage?(): CpuUsage } = process;
	const { user, system } = host.threadCpuUsage?.() ?? host.cpuUsage();
	return (user + system) / 1000;
}

type CpuUsage = Readonly<Record<'user' | 'system', number>>;

function runOnce<T>(limitMs: number, work: () => T): Timed<T> {
	let outcome: Timed<T> = { kind: 'stopped' };
	context.work = () => {
		outcome = { kind: 'done', value: work() };
	};
	try {
		script.runInContext(sandbox, { timeout: limitMs });
	} catch (error) {
		if (!isTimeout(error)) throw error;
	} finally {
		context.work = undefined;
	}
	return outcome;
}

/** By structure: the error belongs to the other context, whose `Error` is not ours. */
function isTimeout(error: unknown): boolean {
	return (
		typeof error === 'object' &&
		error !== null &&
		'code' in error &&
		error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
	);
}
