import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * n8n arms a timer for a wait and does not disarm it when an answer ends that wait: the timer then ends the next wait of
 * the execution, whichever that is. So the execution notes until when a timer of ours may be armed.
 */

const CONTEXT_KEY = 'salvorTimerUntil';

/** Notes that n8n's timer for this instant may outlive its wait. */
export function noteTimer(context: IExecuteFunctions, firesAt: Date): void {
	const noted = readNoted(context);
	if (noted !== undefined && noted >= firesAt) return;
	context.getContext('flow')[CONTEXT_KEY] = firesAt.toISOString();
}

/** True while a timer of an earlier wait may still fire. */
export function timerMayFire(context: IExecuteFunctions, now: Date): boolean {
	const noted = readNoted(context);
	return noted !== undefined && noted > now;
}

function readNoted(context: IExecuteFunctions): Date | undefined {
	const noted: unknown = context.getContext('flow')[CONTEXT_KEY];
	return typeof noted === 'string' ? new Date(noted) : undefined;
}
