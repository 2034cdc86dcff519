import { DEEPEST_VALUE, isDeeperThan } from '../json/isDeeperThan';
import type { ListedTool } from '../policy/tool';
import { isRecord } from './frames';

/** Decodes one entry of a listing (C4): a broken part becomes a problem of that tool. Undefined when it has no name. */
export function decodeTool(entry: unknown): ListedTool | undefined {
	if (!isRecord(entry) || typeof entry['name'] !== 'string' || entry['name'] === '')
		return undefined;
	const { name, title, description } = entry;
	const deep = ['inputSchema', 'outputSchema', 'annotations'].filter((field) =>
		isDeeperThan(entry[field], DEEPEST_VALUE),
	);
	const part = (field: string): unknown => (deep.includes(field) ? undefined : entry[field]);
	const [inputSchema, outputSchema, annotations] = [
		part('inputSchema'),
		part('outputSchema'),
		part('annotations'),
	];
	const problems = [
		...deep.map(
			(field) =>
				`The tool's ${field} is nested deeper than ${String(DEEPEST_VALUE)} levels and is left out.`,
		),
		...textProblem('title', title),
		...textProblem('description', description),
		...(deep.includes('inputSchema') ? [] : objectProblem('inputSchema', inputSchema, 'required')),
		...objectProblem('outputSchema', outputSchema, 'optional'),
		...objectProblem('annotations', annotations, 'optional'),
	];
	return {
		name,
		...(typeof title === 'string' ? { title } : {}),
		...(typeof description === 'string' ? { description } : {}),
		inputSchema,
		...(outputSchema === undefined ? {} : { outputSchema }),
		...(annotations === undefined ? {} : { annotations }),
		problems,
	};
}

function textProblem(field: string, value: unknown): readonly string[] {
	return value === undefined || typeof value === 'string'
		? []
		: [`The tool's ${field} is not text and is left out.`];
}

function objectProblem(
	field: string,
	value: unknown,
	presence: 'required' | 'optional',
): readonly string[] {
	if (value === undefined)
		return presence === 'required' ? [`The tool is listed without ${field}.`] : [];
	return isRecord(value) ? [] : [`The tool's ${field} is not an object.`];
}

/** Adds to each tool of a whole listing what is wrong with it there: a name listed more than once. */
export function noteCollisions(tools: readonly ListedTool[]): readonly ListedTool[] {
	const counts = new Map<string, number>();
	for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1);
	return tools.map((tool) => {
		const count = counts.get(tool.name) ?? 1;
		if (count === 1) return tool;
		const problem = `The server lists ${String(count)} tools named "${tool.name}".`;
		return { ...tool, problems: [...tool.problems, problem] };
	});
}
