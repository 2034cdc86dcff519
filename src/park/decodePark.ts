import { describeArrived } from '../json/describeArrived';
import { readInstant } from './instant';
import { isPlainObject, own, type PlainObject } from '../json/plainObject';

/** What a tool asked for under `_meta.salvor`. */
export type Park =
	| {
			readonly kind: 'person' | 'signal';
			readonly reason: string;
			readonly inputSchema: boolean | PlainObject;
	  }
	| { readonly kind: 'sleep'; readonly until: Date };

export type ParkReading =
	| { readonly kind: 'none' }
	| { readonly kind: 'park'; readonly park: Park }
	/** The message begins with `_meta.salvor` and the key path (P14). */
	| { readonly kind: 'refused'; readonly message: string };

const REQUEST_KEYS: readonly string[] = ['suspend', 'sleep_until'];
const SUSPEND_KEYS: readonly string[] = ['reason', 'input_schema', 'kind'];

/** Decodes `_meta.salvor` of a `tools/call` result, in the order of P1 to P13. Never throws. */
export function decodePark(result: PlainObject): ParkReading {
	const meta = own(result, '_meta');
	const salvor = isPlainObject(meta) ? own(meta, 'salvor') : undefined;
	if (salvor === undefined || salvor === null) return { kind: 'none' };
	if (own(result, 'isError') === true) {
		return refuse('', 'must not stand beside `isError: true`: a failed call cannot park');
	}
	if (!isPlainObject(salvor)) {
		return refuse('', `must be an object, but ${describeArrived(salvor)} arrived`);
	}
	const unknownKey = Object.keys(salvor).find((key) => !REQUEST_KEYS.includes(key));
	if (unknownKey !== undefined) {
		return refuse(path(unknownKey), 'is not a known key; known are `suspend` and `sleep_until`');
	}
	const suspend = own(salvor, 'suspend') ?? undefined;
	const sleepUntil = own(salvor, 'sleep_until') ?? undefined;
	if (suspend !== undefined && sleepUntil !== undefined) {
		return refuse('', 'must hold `suspend` or `sleep_until`, but both arrived');
	}
	if (suspend !== undefined) return decodeSuspend(suspend);
	if (sleepUntil !== undefined) return decodeSleep(sleepUntil);
	return refuse('', 'must hold `suspend` or `sleep_until`, but neither arrived');
}

function decodeSuspend(suspend: unknown): ParkReading {
	if (!isPlainObject(suspend)) {
		return refuse('.suspend', `must be an object, but ${describeArrived(suspend)} arrived`);
	}
	const unknownKey = Object.keys(suspend).find((key) => !SUSPEND_KEYS.includes(key));
	if (unknownKey !== undefined) {
		return refuse(
			`.suspend${path(unknownKey)}`,
			'is not a known key; known are `reason`, `input_schema` and `kind`',
		);
	}
	const reason = own(suspend, 'reason');
	if (typeof reason !== 'string' || reason.trim() === '') {
		return refuse(
			'.suspend.reason',
			`must be a string that is not blank, but ${describeArrived(reason)} arrived`,
		);
	}
	const inputSchema = own(suspend, 'input_schema');
	if (typeof inputSchema !== 'boolean' && !isPlainObject(inputSchema)) {
		return refuse(
			'.suspend.input_schema',
			`must be a JSON Schema (an object or a boolean), but ${describeArrived(inputSchema)} arrived`,
		);
	}
	const kind = own(suspend, 'kind') ?? undefined;
	if (kind !== undefined && kind !== 'signal') {
		return refuse(
			'.suspend.kind',
			`must be "signal" or left out (a person answers), but ${describeArrived(kind)} arrived`,
		);
	}
	return {
		kind: 'park',
		park: { kind: kind === 'signal' ? 'signal' : 'person', reason, inputSchema },
	};
}

function decodeSleep(sleepUntil: unknown): ParkReading {
	const wanted =
		'must be an RFC 3339 date-time with seconds and an offset (such as 2026-08-14T09:00:00Z)';
	const arrived = describeArrived(sleepUntil);
	if (typeof sleepUntil !== 'string') {
		return refuse('.sleep_until', `${wanted}, but ${arrived} arrived; durations are not accepted`);
	}
	const reading = readInstant(sleepUntil);
	switch (reading.kind) {
		case 'instant':
			return { kind: 'park', park: { kind: 'sleep', until: reading.at } };
		case 'beyond-never':
			return refuse(
				'.sleep_until',
				`must lie before the year 3000, which n8n reads as "never", but ${arrived} arrived`,
			);
		case 'malformed':
			return refuse(
				'.sleep_until',
				`${wanted}, but ${arrived} arrived; durations are not accepted`,
			);
	}
}

function path(key: string): string {
	return /^[A-Za-z_$][\w$]{0,79}$/.test(key) ? `.${key}` : `[${describeArrived(key)}]`;
}

function refuse(keyPath: string, problem: string): ParkReading {
	return { kind: 'refused', message: `_meta.salvor${keyPath} ${problem}` };
}
