import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toFormModel } from '../../src/schema/toFormModel';
import { lookFromEditor } from '../shared/lookFromEditor';
import { mapperField } from './mapperField';

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
			emptyFieldsNotice:
				'No fields can stand for the arguments of this tool. Give them as JSON if it takes any.',
		};
	}
	return {
		fields: model.fields.map(mapperField),
		emptyFieldsNotice: 'This tool takes no arguments.',
	};
}
