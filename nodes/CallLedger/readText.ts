import type { IExecuteFunctions } from 'n8n-workflow';

import { type Result, succeed } from '../../src/outcome/failure';
import { refuse } from './refuse';

/** Reads text parameters by name; their display names are given for the refusal of a blank one. */
export function readText<K extends string>(
	context: IExecuteFunctions,
	item: number,
	fields: Readonly<Record<K, string>>,
): Result<Readonly<Record<K, string>>> {
	const texts: Partial<Record<K, string>> = {};
	for (const name in fields) {
		const text = asText(context.getNodeParameter(name, item, ''));
		if (text === undefined || text.trim() === '') {
			return refuse(`${fields[name]} is empty`, `Enter a value for ${fields[name]}.`);
		}
		texts[name] = text;
	}
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- every field was read
	return succeed(texts as Readonly<Record<K, string>>);
}

/** A parameter's value as a text, a number in its digits; undefined for anything else. */
export function asText(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? value : undefined;
}
