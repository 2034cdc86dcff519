import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { DescribedTool } from '../../src/policy/describeTool';
import { lookFromEditor } from './lookFromEditor';

/** The searchable list of tools: `name — effect (source)`, whether one may be called, and what its server overclaims (E6, G2, G3). */
export async function searchTools(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const tools = await lookFromEditor(this, (opened) => opened.tools);
	const wanted = filter?.toLowerCase() ?? '';
	const found = tools.filter(({ tool, publicName }) =>
		`${publicName} ${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`
			.toLowerCase()
			.includes(wanted),
	);
	return {
		results: found.map((described) => ({
			name: toolLabel(described),
			value: described.publicName,
			...(described.tool.description === undefined
				? {}
				: { description: described.tool.description }),
		})),
	};
}

const toolLabel = ({
	publicName,
	nameProblem,
	effect,
	source,
	granted,
	overclaims,
}: DescribedTool): string =>
	[
		`${publicName} — ${effect} (${source})`,
		...(nameProblem === undefined ? [] : ['not callable by this name']),
		...(granted ? [] : ['not allowed']),
		...(overclaims.length === 0 ? [] : [`the server claims ${overclaims.join(' and ')}`]),
	].join(', ');
