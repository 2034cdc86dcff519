import { escapeHtml } from './escape';

const inUtc = new Intl.DateTimeFormat('en-GB', {
	day: 'numeric',
	month: 'long',
	year: 'numeric',
	hour: '2-digit',
	minute: '2-digit',
	timeZone: 'UTC',
});

/** An instant in words, in UTC; text that is no instant is given back as it is. */
export function utcText(instant: string): string {
	const date = new Date(instant);
	return Number.isNaN(date.getTime()) ? instant : `${inUtc.format(date)} UTC`;
}

/** An instant as a time element, in UTC until the page's script shows it in the reader's own time. */
export function timeElement(instant: string): string {
	return `<time datetime="${escapeHtml(instant)}" data-local>${escapeHtml(utcText(instant))}</time>`;
}
