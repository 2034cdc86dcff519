import type { FormField, FormModel } from './formModel';
import { isOfType } from './typesOf';

type JsonField = Extract<FormField, { readonly kind: 'json' }>;

/**
 * What the node's fields mean for the tool: an optional field left empty is left out, not sent as null or '' (C13);
 * texts that expressions give for numbers, booleans, enums and JSON become the type that the schema wants.
 * A value that cannot become it is passed on as it is; the schema check names it.
 */
export function fieldsToArguments(
	model: FormModel,
	values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
	const fields = model.kind === 'fields' ? model.fields : [];
	const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
		const field = fields.find((candidate) => candidate.name === name);
		if (value === undefined || value === null) {
			return field !== undefined && acceptsNull(field) ? [[name, null]] : [];
		}
		if (value === '' && (field === undefined || !acceptsEmpty(field))) return [];
		return [[name, field === undefined ? value : convert(field, value)]];
	});
	return Object.fromEntries(entries);
}

/** A required field left empty is null where the schema allows that. */
const acceptsNull = (field: FormField): boolean =>
	field.required &&
	(field.nullable === true ||
		(field.kind === 'enum' && field.options.some(({ value }) => value === null)));

const acceptsEmpty = (field: FormField): boolean =>
	field.required || (field.kind === 'enum' && field.options.some(({ value }) => value === ''));

function convert(field: FormField, value: unknown): unknown {
	switch (field.kind) {
		case 'string':
			return asText(value);
		case 'number':
		case 'integer':
			return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
				? Number(value)
				: value;
		case 'boolean':
			return asBoolean(value);
		case 'enum': {
			const option =
				field.options.find((candidate) => candidate.value === value) ??
				field.options.find((candidate) => String(candidate.value) === String(value));
			return option === undefined ? value : option.value;
		}
		case 'json':
			return typeof value === 'string' ? parsedOr(value, field) : value;
	}
}

function asText(value: unknown): unknown {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
}

/** Databases keep a yes as 1. */
function asBoolean(value: unknown): unknown {
	const said = typeof value === 'string' ? value.toLowerCase() : value;
	if (said === 'true' || said === 1) return true;
	return said === 'false' || said === 0 ? false : value;
}

/** The text as JSON, if that is of a type that the schema allows. */
function parsedOr(text: string, { types, nullable }: JsonField): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return text;
	}
	if (types === undefined || (value === null && nullable === true)) return value;
	return isOfType(types, value) ? value : text;
}
