import type { Disposition, Failure, FailureCode, Stage } from './failure';

/** One attempt of a call that failed; every one is recorded (failures.md, Retry by effect). */
export interface FailedAttempt {
	/** From 1. */
	readonly number: number;
	readonly code: FailureCode;
	readonly disposition: Disposition;
	readonly stage?: Stage;
	readonly message: string;
}

export const failedAttempt = (number: number, failure: Failure): FailedAttempt => ({
	number,
	code: failure.code,
	disposition: failure.disposition,
	...(failure.stage === undefined ? {} : { stage: failure.stage }),
	message: failure.message,
});
