import type { IExecuteFunctions } from 'n8n-workflow';

const DEFAULT_MAXIMUM_SECONDS = 3600;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How many seconds the execution may take, sleeping included, before n8n cancels it as it wakes; undefined when nothing
 * limits it. What n8n runs by itself, without a queue, goes on measuring from the start of the execution when a timer ends
 * a wait; a worker, and an answer, begin anew.
 */
export function timeoutOverSleepSeconds(
	context: IExecuteFunctions,
	environment: Environment,
): number | undefined {
	const queued = environment['EXECUTIONS_MODE'] === 'queue' && context.getMode() !== 'manual';
	if (queued) return undefined;
	const { executionTimeout } = context.getWorkflowSettings();
	const seconds = executionTimeout ?? Number(environment['EXECUTIONS_TIMEOUT'] ?? -1);
	if (!(seconds > 0)) return undefined;
	const maximum = Number(environment['EXECUTIONS_TIMEOUT_MAX']) || DEFAULT_MAXIMUM_SECONDS;
	return Math.min(seconds, maximum);
}
