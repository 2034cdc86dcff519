import { isValid, parseISO } from 'date-fns';

const RFC_3339 =
	/^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** n8n reads an instant from here on as "never". */
const NEVER_MS = Date.UTC(3000, 0, 1);

export type InstantReading =
	| { readonly kind: 'instant'; readonly at: Date }
	| { readonly kind: 'malformed' }
	| { readonly kind: 'beyond-never' };

/** Reads an RFC 3339 date-time with seconds and an offset, a real calendar date (P12); refuses year 3000 and later (P13). */
export function readInstant(text: string): InstantReading {
	if (!RFC_3339.test(text)) return { kind: 'malformed' };
	const at = parseISO(text);
	if (!isValid(at)) return { kind: 'malformed' };
	return isBeforeNever(at.getTime()) ? { kind: 'instant', at } : { kind: 'beyond-never' };
}

/** True for an instant that n8n can wait for. */
export const isBeforeNever = (atMs: number): boolean => atMs < NEVER_MS;
