import { DEEPEST_VALUE, isDeeperThan } from '../json/isDeeperThan';
import { isPlainObject, own } from '../json/plainObject';
import type { Failure } from '../outcome/failure';
import { decodePark, type Park } from '../park/decodePark';
import type { ListedTool } from '../policy/tool';
import type { CheckArguments } from './checkCall';
import { checkOutput } from './checkOutput';
import type { ToolResult } from './session';

const LONGEST_TITLE = 500;

export type Interpretation =
	| { readonly kind: 'completed'; readonly result: ToolResult }
	/** The content beside a park is dropped (P15). */
	| { readonly kind: 'parked'; readonly park: Park }
	/** `result` stands beside a tool's own error and beside an output that misses its schema. */
	| { readonly kind: 'failed'; readonly failure: Failure; readonly result?: ToolResult };

/** Says what a result frame means: a park first, then the tool's own error, then an output that misses its schema. */
export function interpretResult(
	tool: Pick<ListedTool, 'name' | 'outputSchema'>,
	result: ToolResult,
	check: CheckArguments,
): Interpretation {
	const toolName = tool.name;
	const reading = decodePark(result);
	switch (reading.kind) {
		case 'park':
			return { kind: 'parked', park: reading.park };
		case 'refused':
			return {
				kind: 'failed',
				failure: {
					code: 'park-malformed',
					disposition: 'landed',
					stage: 'call',
					message: reading.message,
					remedy: `The call of "${toolName}" ran and is not repeated; the server's author has to mend the park it sends.`,
				},
			};
		case 'none':
			if (isDeeperThan(result, DEEPEST_VALUE)) {
				return { kind: 'failed', failure: tooDeep(toolName) };
			}
			return interpretPlain(tool, result, check);
	}
}

function interpretPlain(
	tool: Pick<ListedTool, 'name' | 'outputSchema'>,
	result: ToolResult,
	check: CheckArguments,
): Interpretation {
	const failure =
		own(result, 'isError') === true
			? toolError(tool.name, result)
			: checkOutput(tool, own(result, 'structuredContent'), check);
	return failure === undefined
		? { kind: 'completed', result }
		: { kind: 'failed', failure, result };
}

const tooDeep = (toolName: string): Failure => ({
	code: 'result-unreadable',
	disposition: 'landed',
	stage: 'call',
	message: `The result of "${toolName}" is nested deeper than ${String(DEEPEST_VALUE)} levels, which n8n cannot store`,
	remedy: "The call ran and is not repeated; the server's author has to send a flatter result.",
});

function toolError(toolName: string, result: ToolResult): Failure {
	const text = textBlocks(result);
	const said = text.join('\n').trim();
	return {
		code: 'tool-error',
		disposition: 'landed',
		stage: 'call',
		message:
			said === ''
				? `The tool "${toolName}" answered with an error and no text`
				: `The tool "${toolName}" answered with an error: ${shorten(said)}`,
		remedy: 'Read its answer; running again is a second request.',
		toolError: {
			text,
			...present('structuredContent', own(result, 'structuredContent')),
			...present('meta', own(result, '_meta')),
		},
	};
}

/** A title has no room for more; the whole text stays in `toolError`. */
const shorten = (text: string): string =>
	text.length > LONGEST_TITLE ? `${text.slice(0, LONGEST_TITLE)}…` : text;

/** The texts of a result's text blocks, in order. */
export function textBlocks(result: ToolResult): readonly string[] {
	const content = own(result, 'content');
	if (!Array.isArray(content)) return [];
	return content.flatMap((block: unknown) =>
		isPlainObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
			? [block['text']]
			: [],
	);
}

function present<K extends string>(key: K, value: unknown): Partial<Record<K, unknown>> {
	if (value === undefined) return {};
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- an object of this one key
	return { [key]: value } as Partial<Record<K, unknown>>;
}
