import { createContext, Script } from 'node:vm';

export type Timed<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'stopped' };

const context: { work: (() => void) | undefined } = { work: undefined };
const sandbox = createContext(context);
const script = new Script('work()');

/**
 * Runs synchronous work and stops it after `limitMs`; what the work throws, this throws.
 * A schema may ask for more steps than anybody can wait for (references that double at each level,
 * unique entries in a huge array), and only the engine itself can interrupt such work.
 */
export function withinTime<T>(limitMs: number, work: () => T): Timed<T> {
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
