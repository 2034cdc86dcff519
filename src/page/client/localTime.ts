const inLocalTime = new Intl.DateTimeFormat('en-GB', {
	day: 'numeric',
	month: 'long',
	year: 'numeric',
	hour: '2-digit',
	minute: '2-digit',
	timeZoneName: 'short',
});
const away = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

const MINUTE_MS = 60_000;
const UNITS = [
	['year', 525_600],
	['month', 43_200],
	['day', 1_440],
	['hour', 60],
	['minute', 1],
] as const;

/** An instant in the reader's own time; text that is no instant as it is. */
export function localText(instant: string): string {
	const date = new Date(instant);
	return Number.isNaN(date.getTime()) ? instant : inLocalTime.format(date);
}

/** How far ahead an instant is: "in 3 days"; undefined when it has come, or is no instant. */
export function timeAhead(instant: string, now: Date): string | undefined {
	const minutes = (new Date(instant).getTime() - now.getTime()) / MINUTE_MS;
	if (!(minutes > 0)) return undefined;
	if (minutes < 1) return 'in less than a minute';
	const [unit, size] =
		UNITS.find(([, length]) => minutes >= 2 * length) ?? (['minute', 1] as const);
	return away.format(Math.round(minutes / size), unit);
}

/** The value of a date and time input for an instant, and back. */
export function toLocalInput(instant: unknown): string {
	const date = typeof instant === 'string' ? new Date(instant) : new Date(NaN);
	if (Number.isNaN(date.getTime())) return '';
	const shifted = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString();
	return shifted.slice(0, shifted.endsWith(':00.000Z') ? 16 : 19);
}
