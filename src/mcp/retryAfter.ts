/**
 * The delay in milliseconds that a Retry-After header asks for, in seconds or as an HTTP date; undefined when there is
 * none or it says neither. A date is judged by the answer's own Date header, so that clocks may differ, else by `nowMs`.
 */
export function retryAfterMs(
	header: string | undefined,
	date: string | undefined,
	nowMs: number,
): number | undefined {
	const text = header?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(text)) {
		const ms = Number(text) * 1000;
		return Number.isFinite(ms) ? ms : undefined;
	}
	const until = httpDate(text);
	return until === undefined ? undefined : Math.max(0, until - (httpDate(date ?? '') ?? nowMs));
}

/** Any of HTTP's three forms of a date; each is in UTC, the third without saying so. */
function httpDate(text: string): number | undefined {
	if (!/^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? /.test(text)) return undefined;
	const ms = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
	return Number.isNaN(ms) ? undefined : ms;
}
