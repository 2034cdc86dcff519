import type { FormField, FormModel } from './formModel';
import { isOfType, type JsonType } from './typesOf';

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
		if (value === '' && field?.required !== true) return [];
		return [[name, field === undefined ? value : convert(field, value)]];
	});
	return Object.fromEntries(entries);
}

/** A required field left empty is null where the schema allows that. */
const acceptsNull = (field: FormField): boolean =>
	field.required &&
	(field.nullable === true ||
		(field.kind === 'enum' && field.options.some(({ value }) => value === null)));

function convert(field: FormField, value: unknown): unknown {
	switch (field.kind) {
		case 'string':
			return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
		case 'number':
		case 'integer':
			return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
				? Number(value)
				: value;
		case 'boolean':
			if (value === 'true') return true;
			return value === 'false' ? false : value;
		case 'enum': {
			const option =
				field.options.find((candidate) => candidate.value === value) ??
				field.options.find((candidate) => String(candidate.value) === String(value));
			return option === undefined ? value : option.value;
		}
		case 'json':
			return typeof value === 'string' ? parsedOr(value, field.types) : value;
	}
}

/** The text as JSON, if that is of a type that the schema allows. */
function parsedOr(text: string, types: readonly JsonType[] | undefined): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return text;
	}
	return types === undefined || isOfType(types, value) ? value : text;
}
