/** What a text in a field stands for. */
export type Reading =
	| { readonly kind: 'nothing' }
	| { readonly kind: 'value'; readonly value: unknown }
	| { readonly kind: 'unreadable'; readonly message: string };

const NOTHING: Reading = { kind: 'nothing' };
const unreadable = (message: string): Reading => ({ kind: 'unreadable', message });

export function readNumber(text: string, isBad: boolean, isWhole: boolean): Reading {
	const trimmed = text.trim();
	const number = Number(trimmed);
	if (isBad || (trimmed !== '' && !Number.isFinite(number))) {
		return unreadable(`Write a number, such as ${isWhole ? '12' : '1250.50'}.`);
	}
	if (trimmed === '') return NOTHING;
	if (isWhole && !Number.isInteger(number)) return unreadable('Write a whole number, such as 12.');
	if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
		return unreadable('This number is too large to be sent exactly.');
	}
	return { kind: 'value', value: number };
}

export function readInstant(text: string, isBad: boolean): Reading {
	if (isBad) return unreadable('Write a whole date and time.');
	if (text === '') return NOTHING;
	const date = new Date(text);
	if (Number.isNaN(date.getTime())) return unreadable('Write a date and time that exists.');
	return { kind: 'value', value: date.toISOString() };
}

export function readText(text: string, isBad: boolean): Reading {
	if (isBad) return unreadable('Write it in full.');
	return text === '' ? NOTHING : { kind: 'value', value: text };
}

export function readJson(text: string): Reading {
	if (text.trim() === '') return NOTHING;
	try {
		const value: unknown = JSON.parse(text);
		return { kind: 'value', value };
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		return unreadable(`This is not valid JSON: ${why}.`);
	}
}
