import type { IExecuteFunctions } from 'n8n-workflow';

import type { Retrying } from '../../src/call/attempts';
import { toNodeError } from '../../src/n8n/items';
import { delay } from '../../src/n8n/sleepInNode';

const MOST_ATTEMPTS = 20;

/**
 * The options Maximum Attempts and Retry Tool Errors, read once for the whole run, and n8n's clocks. Throws when the number
 * is of no use: nothing was called then.
 */
export function readRetrying(context: IExecuteFunctions): Omit<Retrying, 'maxDurationMs'> {
	const maxAttempts: unknown = context.getNodeParameter('options.maxAttempts', 0, 3);
	if (!isCount(maxAttempts)) {
		throw toNodeError(context.getNode(), {
			code: 'arguments-invalid',
			disposition: 'did-not-happen',
			message: `Maximum Attempts must be a whole number from 1 to ${String(MOST_ATTEMPTS)}`,
			remedy: 'Correct the option: it counts all attempts, so 1 never tries again.',
		});
	}
	return {
		maxAttempts,
		retryToolErrors: context.getNodeParameter('options.retryToolErrors', 0, false) === true,
		delay,
		random: Math.random,
		monotonicMs: () => performance.now(),
	};
}

const isCount = (value: unknown): value is number =>
	typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_ATTEMPTS;
