import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { FormField } from '../../src/schema/formModel';
import { toFormModel } from '../../src/schema/toFormModel';
import { lookFromEditor } from '../shared/lookFromEditor';

/** One field for each argument of the chosen tool, required ones first (C13). */
export async function mapArguments(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const toolName = this.getNodeParameter('tool', undefined, { extractValue: true });
	if (typeof toolName !== 'string' || toolName === '') {
		return { fields: [], emptyFieldsNotice: 'Choose a tool first.' };
	}
	const found = await lookFromEditor(this, ({ tools }) =>
		tools.find(({ publicName }) => publicName === toolName),
	);
	if (found === undefined) {
		throw new NodeOperationError(this.getNode(), `The server does not list a tool "${toolName}"`, {
			description: 'Pick the tool from the list; names match exactly.',
		});
	}
	const model = toFormModel(found.tool.inputSchema);
	if (model.kind === 'json') {
		return {
			fields: [],
			emptyFieldsNotice: 'This tool names no arguments. Give them as JSON if it takes any.',
		};
	}
	return {
		fields: model.fields.map(toMapperField),
		emptyFieldsNotice: 'This tool takes no arguments.',
	};
}

function toMapperField(field: FormField): ResourceMapperField {
	const initial = field.default;
	return {
		id: field.name,
		displayName: field.title,
		required: field.required,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		type: fieldType(field),
		...(field.kind === 'enum'
			? {
					options: field.options.map(({ value, label }) => ({
						name: label,
						value: value ?? 'null',
					})),
				}
			: {}),
		...(typeof initial === 'string' || typeof initial === 'number' || typeof initial === 'boolean'
			? { defaultValue: initial }
			: {}),
	};
}

function fieldType(field: FormField): FieldType {
	switch (field.kind) {
		case 'string':
			return 'string';
		case 'number':
		case 'integer':
			return 'number';
		case 'boolean':
			return 'boolean';
		case 'enum':
			return 'options';
		case 'json':
			return field.expects === 'any' ? 'string' : field.expects;
	}
}
