import type { IExecuteFunctions } from 'n8n-workflow';

import type { Retrying } from '../../src/call/attempts';
import { delay } from '../../src/n8n/sleepInNode';
import { fail, type Result, succeed } from '../../src/outcome/failure';

const MOST_ATTEMPTS = 20;

/**
 * The options Maximum Attempts and Retry Tool Errors, read once for the whole run, and n8n's clocks. Refuses a number that
 * is of no use.
 */
export function readRetrying(context: IExecuteFunctions): Result<Omit<Retrying, 'maxDurationMs'>> {
	const maxAttempts: unknown = context.getNodeParameter('options.maxAttempts', 0, 3);
	if (!isCount(maxAttempts)) {
		return fail({
			code: 'arguments-invalid',
			disposition: 'did-not-happen',
			message: `Maximum Attempts must be a whole number from 1 to ${String(MOST_ATTEMPTS)}`,
			remedy: 'Correct the option: it counts all attempts, so 1 never tries again.',
		});
	}
	return succeed({
		maxAttempts,
		retryToolErrors: context.getNodeParameter('options.retryToolErrors', 0, false) === true,
		delay,
		random: Math.random,
		monotonicMs: () => performance.now(),
	});
}

const isCount = (value: unknown): value is number =>
	typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_ATTEMPTS;
