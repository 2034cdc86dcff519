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

/** What n8n's editor puts into a field that nobody has touched. */
export const untouched = ({ defaultValue, type }: ResourceMapperField): unknown =>
	defaultValue ?? (type === 'boolean' ? false : null);
