import { fail, type Result, succeed } from '../outcome/failure';
import { isPlainObject, type PlainObject } from '../json/plainObject';
import { isBeforeNever } from './instant';
import type { BatchLimit, OnExpiry } from './parkedBatch';

/** The option Limit Wait, read: how long answers are awaited, and what becomes of an item without one (P26). */
export interface WaitLimit {
	readonly durationMs: number;
	readonly onExpiry: OnExpiry;
}

const UNIT_MS: Readonly<Record<string, number>> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
};

/** Reads the option; undefined when it is not set. Refuses what is no amount, and a deadline that n8n reads as "never". */
export function readWaitLimit(option: unknown, now: Date): Result<WaitLimit | undefined> {
	const values = isPlainObject(option) ? option['values'] : undefined;
	if (!isPlainObject(values)) return succeed(undefined);
	const amount = valueOf(values, 'amount', 1);
	const unit = valueOf(values, 'unit', 'hours');
	const onExpiry = valueOf(values, 'onExpiry', 'continue');
	if (typeof amount !== 'number' || !(amount > 0) || !Number.isFinite(amount)) {
		return refused('Limit Wait has an Amount that is not a number above 0');
	}
	const unitMs =
		typeof unit === 'string' && Object.hasOwn(UNIT_MS, unit) ? UNIT_MS[unit] : undefined;
	if (unitMs === undefined) {
		return refused('Limit Wait has a Unit other than minutes, hours and days');
	}
	if (onExpiry !== 'continue' && onExpiry !== 'fail') {
		return refused('Limit Wait has an On Expiry other than continue and fail');
	}
	const durationMs = Math.ceil(amount * unitMs);
	if (!isBeforeNever(now.getTime() + durationMs)) {
		return refused('Limit Wait ends in the year 3000 or later, which n8n reads as "never"');
	}
	return succeed({ durationMs, onExpiry });
}

/** A field that was never set has n8n's default; one whose expression gives nothing has nothing. */
const valueOf = (values: PlainObject, field: string, otherwise: unknown): unknown =>
	Object.hasOwn(values, field) ? values[field] : otherwise;

/** The limit of a wait that begins at an instant. */
export const limitFrom = ({ durationMs, onExpiry }: WaitLimit, begins: Date): BatchLimit => ({
	deadline: new Date(begins.getTime() + durationMs).toISOString(),
	onExpiry,
});

const refused = (message: string) =>
	fail({
		code: 'arguments-invalid',
		disposition: 'did-not-happen',
		message,
		remedy: 'Correct the option Limit Wait, or remove it to wait without a limit.',
	});
