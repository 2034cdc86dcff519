import type { PlainObject } from '../../src/json/plainObject';
import type { DescribedTool } from '../../src/policy/describeTool';
import { fingerprintText } from '../../src/policy/fingerprint';
import { compileSchema } from '../../src/schema/checkSchema';
import { sha256 } from '../shared/sha256';

/** A tool as the picker puts it out (surface: Tool Picker); schemas and annotations are the server's own, unchanged. */
export function toolItem(
	{ tool, publicName, nameProblem, effect, source, granted, overclaims }: DescribedTool,
	serverName: string,
): PlainObject {
	return {
		tool: publicName,
		...(publicName === tool.name ? {} : { nativeName: tool.name }),
		serverName,
		title: tool.title ?? null,
		description: tool.description ?? null,
		effect,
		effectSource: source,
		granted,
		overclaims,
		annotations: tool.annotations ?? null,
		inputSchema: tool.inputSchema ?? null,
		outputSchema: tool.outputSchema ?? null,
		fingerprint: sha256(fingerprintText(tool)),
		problems: [
			...tool.problems,
			...(nameProblem === undefined
				? []
				: [`The tool cannot be called by its name: ${nameProblem}.`]),
			...schemaProblems(tool.inputSchema, 'inputSchema'),
			...schemaProblems(tool.outputSchema, 'outputSchema'),
		],
	};
}

function schemaProblems(schema: unknown, name: string): readonly string[] {
	if (schema === undefined) return [];
	const compiled = compileSchema(schema);
	return compiled.kind === 'unusable' ? [`${name} cannot be used: ${compiled.reason}`] : [];
}
