import type { IExecuteFunctions } from 'n8n-workflow';

import { type Result, succeed } from '../../src/outcome/failure';
import { refuse } from './refuse';

/** Reads text parameters by name; their display names are given for the refusal of an empty one. Numbers are taken as texts. */
export function readText<K extends string>(
	context: IExecuteFunctions,
	item: number,
	fields: Readonly<Record<K, string>>,
): Result<Readonly<Record<K, string>>> {
	const texts: Partial<Record<K, string>> = {};
	for (const name in fields) {
		const value: unknown = context.getNodeParameter(name, item, '');
		const text = typeof value === 'number' ? String(value) : value;
		if (typeof text !== 'string' || text.trim() === '') {
			return refuse(`${fields[name]} is empty`, `Enter a value for ${fields[name]}.`);
		}
		texts[name] = text;
	}
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- every field was read
	return succeed(texts as Readonly<Record<K, string>>);
}
