import { localText } from './localTime';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A value in words, for reading. */
export function shownText(value: unknown): string {
	if (value === null) return 'None (null)';
	if (typeof value === 'boolean') return value ? 'Yes' : 'No';
	if (typeof value === 'string')
		return INSTANT.test(value) ? localText(value) : value === '' ? '(empty)' : value;
	return typeof value === 'number' ? String(value) : JSON.stringify(value, null, 2);
}
