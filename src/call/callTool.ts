import type { Failure } from '../outcome/failure';
import type { Park } from '../park/decodePark';
import type { CallFacts } from './callRecord';
import type { CallContext, CheckedCall } from './checkCall';
import { interpretResult } from './interpretResult';
import type { ToolResult } from './session';

export type CallOutcome =
	| { readonly kind: 'completed'; readonly result: ToolResult; readonly facts: CallFacts }
	| { readonly kind: 'parked'; readonly park: Park; readonly facts: CallFacts }
	| {
			readonly kind: 'failed';
			readonly failure: Failure;
			/** The result that a tool marked as an error, or that misses the tool's output schema. */
			readonly result?: ToolResult;
			readonly facts: CallFacts;
	  };

/** Sends a checked call once and says what came of it. Never rejects. */
export async function sendCall(context: CallContext, call: CheckedCall): Promise<CallOutcome> {
	const facts: CallFacts = { ...call.facts, attempts: 1 };
	const answer = await context.session.callTool(
		{
			name: facts.tool,
			arguments: call.arguments,
			...(call.meta === undefined ? {} : { meta: call.meta }),
		},
		context.signal,
	);
	if (!answer.ok) return { kind: 'failed', failure: answer.failure, facts };
	const tool = context.tools.get(facts.tool)?.tool ?? { name: facts.tool };
	const interpretation = interpretResult(tool, answer.value, context.checkArguments);
	return { ...interpretation, facts };
}
