import type { ResourceMapperField } from 'n8n-workflow';

import type { FormField } from '../../src/schema/formModel';

/** A field of the form as n8n's resource mapper shows it. */
export function mapperField(field: FormField): ResourceMapperField {
	const initial = initialOf(field);
	return {
		id: field.name,
		displayName: field.title,
		required: field.required,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		...typeOf(field),
		...(initial === undefined ? {} : { defaultValue: initial }),
	};
}

const YES_OR_NO = [
	{ name: 'true', value: true },
	{ name: 'false', value: false },
];

function typeOf(field: FormField): Pick<ResourceMapperField, 'type' | 'options'> {
	switch (field.kind) {
		case 'string':
			return { type: 'string' };
		case 'number':
		case 'integer':
			return { type: 'number' };
		case 'boolean':
			// n8n's editor sends false for a switch that nobody touched.
			return field.required || typeof field.default === 'boolean'
				? { type: 'boolean' }
				: { type: 'options', options: YES_OR_NO };
		case 'enum':
			return {
				type: 'options',
				options: field.options.map(({ value, label }) => ({
					name: label,
					value: value ?? 'null',
				})),
			};
		case 'json': {
			const [type, ...others] = field.types ?? [];
			const isOne = others.length === 0 && (type === 'object' || type === 'array');
			return { type: isOne ? type : 'string' };
		}
	}
}

/** The default, where the field can hold it as the schema means it. */
function initialOf(field: FormField): string | number | boolean | undefined {
	const { default: initial } = field;
	if (initial === undefined || initial === null) return undefined;
	switch (field.kind) {
		case 'string':
			return typeof initial === 'string' ? initial : undefined;
		case 'number':
		case 'integer':
			return typeof initial === 'number' ? initial : undefined;
		case 'boolean':
			return typeof initial === 'boolean' ? initial : undefined;
		case 'enum':
			return field.options.find(({ value }) => value === initial)?.value ?? undefined;
		case 'json':
			return JSON.stringify(initial);
	}
}
