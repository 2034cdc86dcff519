import type { ResourceMapperField } from 'n8n-workflow';
import type { Json } from '../../scripts/host/json';
import type { FormField } from '../../src/schema/formModel';
import { type Extent, fittingValue } from './fittingValue';

/** What a person who read the property's schema enters in its field, given what kind of field it is. */
export function entryFor(
	field: FormField,
	shown: ResourceMapperField,
	schema: Json,
	extent: Extent,
): unknown {
	const property = ((schema.properties ?? {}) as Json)[field.name];
	const fitting = fittingValue(schema, property, extent);
	switch (shown.type) {
		case 'number':
			return typeof fitting === 'number' ? fitting : 1;
		case 'boolean':
			return true;
		case 'options':
			return shown.options?.[0]?.value;
		case 'string':
			return field.kind === 'string' && typeof fitting === 'string'
				? fitting
				: JSON.stringify(fitting);
		default:
			return JSON.stringify(fitting);
	}
}

/** What has to be entered so that exactly this value is sent; `no way` where the field has no such entry. */
export function entryOf(
	field: FormField,
	shown: ResourceMapperField,
	value: unknown,
): { readonly entry: unknown } | 'no way' {
	switch (shown.type) {
		case 'options': {
			const option = shown.options?.find((offered) => offered.value === (value ?? 'null'));
			return option === undefined ? 'no way' : { entry: option.value };
		}
		case 'number':
		case 'boolean':
			return typeof value === shown.type ? { entry: value } : 'no way';
		case 'string':
			if (field.kind === 'json') return { entry: JSON.stringify(value) };
			return typeof value === 'string' ? { entry: value } : 'no way';
		default:
			return { entry: JSON.stringify(value) };
	}
}

/** What n8n's editor puts into a field that nobody has touched. */
export const untouched = ({ defaultValue, type }: ResourceMapperField): unknown =>
	defaultValue ?? (type === 'boolean' ? false : null);
