import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { egressFilterOf } from '../../src/n8n/egressFilter';
import { toNodeError } from '../../src/n8n/items';
import { toFormModel } from '../../src/schema/toFormModel';
import { editedPresets } from '../shared/editedPresets';
import { withConnection } from '../shared/openConnection';
import { mapperField } from './mapperField';

/** One field for each argument of the chosen tool, required ones first (C13). */
export async function mapArguments(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const toolName = this.getNodeParameter('tool', undefined, { extractValue: true });
	if (typeof toolName !== 'string' || toolName === '') {
		return { fields: [], emptyFieldsNotice: 'Choose a tool first.' };
	}
	const credential = await this.getCredentials('mcpConnectionApi');
	const looked = await withConnection(
		credential,
		({ tools }) => tools.find(({ publicName }) => publicName === toolName),
		{ presetAnswers: editedPresets(this), egressFilter: egressFilterOf(this) },
	);
	if (!looked.ok) throw toNodeError(this.getNode(), looked.failure);
	if (looked.value === undefined) {
		throw new NodeOperationError(this.getNode(), `The server does not list a tool "${toolName}"`, {
			description: 'Pick the tool from the list; names match exactly.',
		});
	}
	const model = toFormModel(looked.value.tool.inputSchema);
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
